import { VoxError } from '../core/errors.ts'
import type { Utterance } from '../speech/speak.ts'

/** How an utterance ended; its author is told when it was not heard, or not whole. */
export type Ending = { outcome: 'heard'; durationMs: number } | { outcome: 'skipped' } | { outcome: 'failed'; error: VoxError; spokenMs: number }

/** An utterance in its place. It ends once: by being heard, by a fault, or by somebody who stops it. */
export interface Item {
  readonly utterance: Utterance
  readonly authorId: string
  readonly ended: Promise<Ending>
  /** Aborts when it has ended, however it did. */
  readonly signal: AbortSignal
  end(ending: Ending): void
}

export function createItem(utterance: Utterance, authorId: string): Item {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const abort = new AbortController()
  return {
    utterance,
    authorId,
    ended: promise,
    signal: abort.signal,
    end(ending) {
      resolve(ending)
      abort.abort(new VoxError('CANCELLED'))
      utterance.cancel()
    }
  }
}
