import { Worker } from 'node:worker_threads'
import type { Clock } from '../../../core/clock.ts'
import { VoxError } from '../../../core/errors.ts'
import type { Answered, Asked } from './thread.ts'

/** The thread that decodes and encodes: packets of those who listen in voice channels are never late for it. */
export interface Thread {
  /** @throws `BUG` when the thread has ended, or does not answer in time; `CANCELLED` when the body is forgotten before */
  ask(asked: Exclude<Asked, { does: 'close' }>): Promise<Uint8Array>
  /** Nothing more comes of this body. */
  forget(body: number): void
  stop(): Promise<void>
}

/** For one segment and what waits before it: far longer than any takes. */
const ANSWER_LIMIT_MS = 60_000

interface Waiting {
  resolve: (bytes: Uint8Array) => void
  reject: (error: VoxError) => void
}

/** @param onEnd called once, when the thread takes nothing more */
export function startThread(clock: Clock, onEnd: (error: VoxError) => void): Thread {
  const worker = new Worker(new URL('./thread.ts', import.meta.url))
  // Whoever waits for it has a connection that keeps the process alive.
  worker.unref()
  const waiting = new Map<number, Waiting[]>()
  let ended: VoxError | undefined

  function end(cause: unknown) {
    if (ended !== undefined) return
    ended = new VoxError('BUG', { reason: 'the encoding thread has ended' }, cause)
    for (const { reject } of [...waiting.values()].flat()) reject(ended)
    waiting.clear()
    onEnd(ended)
    void worker.terminate()
  }

  worker.on('error', end)
  worker.on('exit', end)
  worker.on('message', ({ body, bytes }: Answered) => {
    waiting.get(body)?.shift()?.resolve(bytes)
  })
  return {
    ask(asked) {
      if (ended !== undefined) return Promise.reject(ended)
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
      const cancel = clock.after(ANSWER_LIMIT_MS, () => end(new Error('no answer in time')))
      waiting.set(asked.body, [...(waiting.get(asked.body) ?? []), { resolve, reject }])
      worker.postMessage(asked)
      return promise.finally(cancel)
    },
    forget(body) {
      // What is still to come of it must not be waited for: its time limit would end the thread, and the others' files with it.
      for (const { reject } of waiting.get(body) ?? []) reject(new VoxError('CANCELLED'))
      waiting.delete(body)
      if (ended === undefined) worker.postMessage({ body, does: 'close' } satisfies Asked)
    },
    async stop() {
      end(undefined)
      await worker.terminate()
    }
  }
}
