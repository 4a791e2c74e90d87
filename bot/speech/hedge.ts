import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'

/** How many more requests hedging may cost: a share of all, saved up to a few, so that a bad minute can't double the load. */
export interface HedgeBudget {
  earn(): void
  spend(): boolean
}

const SAVED_MAX = 10

export function createHedgeBudget(share = 0.05): HedgeBudget {
  let saved = 2
  return {
    earn() {
      saved = Math.min(SAVED_MAX, saved + share)
    },
    spend() {
      if (saved < 1) return false
      saved -= 1
      return true
    }
  }
}

/** One request; it calls `started` when it goes out, and ends when the signal aborts. */
export type Attempt<T> = (signal: AbortSignal, started: () => void) => Promise<T>

/**
 * Runs `first`; when that has been out for `afterMs` without an answer, `second` too, if there is one. The first answer wins, and the other
 * request is aborted: the slow one with `NODE_LATE`, for that is what it was. Rejects with the first one's error when none is left.
 */
export function hedged<T>(options: { clock: Clock; afterMs: number; signal: AbortSignal; first: Attempt<T>; second: () => Attempt<T> | undefined }): Promise<T> {
  const { clock, afterMs, signal, first, second } = options
  return new Promise((resolve, reject) => {
    const aborts = [new AbortController(), new AbortController()] as const
    let left = 0
    let firstError: unknown
    let cancelTimer = () => {}

    const settle = (end: () => void) => {
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
      end()
    }
    const onAbort = () => {
      for (const abort of aborts) abort.abort(signal.reason)
    }
    const launch = (attempt: Attempt<T>, index: 0 | 1) => {
      left += 1
      attempt(aborts[index].signal, () => {
        if (index === 0) cancelTimer = clock.after(afterMs, hedge)
      }).then(
        (result) =>
          settle(() => {
            aborts[1 - index]?.abort(new VoxError(index === 1 ? 'NODE_LATE' : 'CANCELLED', { afterMs: Math.round(afterMs) }))
            resolve(result)
          }),
        (error: unknown) => {
          left -= 1
          firstError ??= error
          cancelTimer()
          if (left === 0) settle(() => reject(firstError instanceof Error ? firstError : new Error(String(firstError))))
        }
      )
    }
    const hedge = () => {
      const attempt = second()
      if (attempt !== undefined) launch(attempt, 1)
    }

    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    launch(first, 0)
  })
}
