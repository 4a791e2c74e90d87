import { VoxError } from '../core/errors.ts'

export interface Slots {
  /**
   * Runs `work` when a slot is free: in the order of priority (0 first), then of asking. The priority is read when a slot gets free, since what
   * was fetched ahead may be waited for by then. Rejects with `NODE_BUSY` when too many wait already; and at once when the signal aborts while
   * it waits: its place is free then.
   */
  run<T>(work: () => Promise<T>, options: { priority: () => number; signal?: AbortSignal | undefined }): Promise<T>
  /** Turns away all who wait. */
  refuseWaiting(error: VoxError): void
  /** How many may run at once from now on. */
  resize(size: number): void
}

interface Waiting {
  priority: () => number
  admit(): void
  refuse(error: Error): void
}

/**
 * A node's slots. Our own, because this stands in every request's way: the kept library for it takes a timer's millisecond each time, and keeps
 * the place of a request whose member has gone.
 */
export function createSlots(size: number, waitingMax: number): Slots {
  const waiting: Waiting[] = []
  let running = 0

  function admitNext() {
    while (running < size && waiting.length > 0) {
      const soonest = waiting.reduce((best, other) => (other.priority() < best.priority() ? other : best))
      waiting.splice(waiting.indexOf(soonest), 1)
      running += 1
      soonest.admit()
    }
  }

  function untilAdmitted(priority: () => number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.splice(waiting.indexOf(place), 1)
        reject(signal?.reason instanceof Error ? signal.reason : new VoxError('CANCELLED'))
      }
      const stopListening = () => signal?.removeEventListener('abort', onAbort)
      const place: Waiting = {
        priority,
        admit() {
          stopListening()
          resolve()
        },
        refuse(error) {
          stopListening()
          reject(error)
        }
      }
      waiting.push(place)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    async run(work, { priority, signal }) {
      signal?.throwIfAborted()
      if (running < size) running += 1
      else if (waiting.length >= waitingMax) throw new VoxError('NODE_BUSY', { reason: 'too many wait for it', retryAfterMs: 1000 })
      else await untilAdmitted(priority, signal)
      try {
        return await work()
      } finally {
        running -= 1
        admitNext()
      }
    },
    refuseWaiting(error) {
      for (const place of waiting.splice(0)) place.refuse(error)
    },
    resize(next) {
      size = next
      admitNext()
    }
  }
}
