import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Utterance } from '../speech/speak.ts'
import type { Silenced } from './guild-view.ts'

/** How an utterance ended; its author is told when it was not heard, or not whole. */
export type Ending =
  | { outcome: 'heard'; durationMs: number }
  | { outcome: 'skipped' }
  /** Older than its `maxAgeMs` when its turn came. */
  | { outcome: 'dropped'; reason: 'old' }
  | { outcome: 'failed'; error: VoxError; spokenMs: number }

/** Whose utterance it is, and for how long it is worth saying. */
export interface About {
  authorId: string
  /** When its turn comes later than this, it is dropped; never when absent. */
  maxAgeMs?: number
  /** Asked when its turn comes: whether nobody wants it to be said any more. It ends as skipped then. */
  isUnwanted?: () => boolean
  /** Its turn has come, and it waits because nobody would hear the bot. */
  onHeld?: (why: Silenced) => void
}

/** An utterance as `/queue` shows it. */
export interface Waiting {
  authorId: string
  /** What is spoken. */
  text: string
  /** An estimate of how long it takes from now, or from the start of its turn. */
  remainingMs: number
  playing: boolean
}

/** An utterance in its place. It ends once: by being heard, by a fault, or by somebody who stops it. */
export interface Item {
  readonly utterance: Utterance
  readonly about: About
  /** When it took its place, on the monotonic clock. */
  readonly sinceMs: number
  readonly ended: Promise<Ending>
  /** Aborts when it has ended, however it did. */
  readonly signal: AbortSignal
  end(ending: Ending): void
}

export function createItem(utterance: Utterance, about: About, sinceMs: number): Item {
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const abort = new AbortController()
  return {
    utterance,
    about,
    sinceMs,
    ended: promise,
    signal: abort.signal,
    end(ending) {
      resolve(ending)
      abort.abort(new VoxError('CANCELLED'))
      utterance.cancel()
    }
  }
}

/** Utterances that may wait in one server. */
const QUEUE_MAX = 50

/** What waits in one server. */
export interface Queue {
  /** False when it is full: what comes then is not taken, and what waits stays. */
  add(item: Item): boolean
  /** Takes the next one out that is still worth saying, ending those that are not. */
  next(): Item | undefined
  /** Takes it out, if it still waits. */
  remove(item: Item): void
  /** Ends all that wait; returns how many that were. */
  endAll(ending: Ending): number
  waiting(): readonly Item[]
}

export function createQueue({ clock, metrics }: { clock: Pick<Clock, 'monotonic'>; metrics: Pick<Metrics, 'queued' | 'dropped'> }): Queue {
  const items: Item[] = []
  const isOld = ({ about, sinceMs }: Item) => about.maxAgeMs !== undefined && clock.monotonic() - sinceMs > about.maxAgeMs
  return {
    add(item) {
      if (items.length >= QUEUE_MAX) return false
      items.push(item)
      metrics.queued.inc()
      return true
    },
    next() {
      for (let item = items.shift(); item !== undefined; item = items.shift()) {
        metrics.queued.dec()
        if (item.about.isUnwanted?.() === true) item.end({ outcome: 'skipped' })
        else if (!isOld(item)) return item
        else {
          metrics.dropped.inc({ reason: 'old' })
          item.end({ outcome: 'dropped', reason: 'old' })
        }
      }
      return undefined
    },
    remove(item) {
      const place = items.indexOf(item)
      if (place === -1) return
      items.splice(place, 1)
      metrics.queued.dec()
    },
    endAll(ending) {
      const all = items.splice(0)
      metrics.queued.dec(all.length)
      for (const item of all) item.end(ending)
      return all.length
    },
    waiting: () => items
  }
}
