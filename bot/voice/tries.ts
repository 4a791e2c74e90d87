import type { Clock } from '../core/clock.ts'

/** Counts the tries to get a connection (back), and says how long to wait before the next one. */
export interface Tries {
  /** The next one, from 1; undefined when there have been enough. */
  next(): { attempt: number; delayMs: number } | undefined
  /** The connection is up. Only one that has held for a while makes the earlier tries forgotten: some come up only to close again. */
  isUp(): void
}

const TRIES_MAX = 5
const HOLDS_AFTER_MS = 30_000

const FIRST_DELAY_MS = 300
const DELAY_MAX_MS = 5_000

export function createTries(clock: Pick<Clock, 'monotonic'>, random: () => number = Math.random): Tries {
  let attempt = 0
  let upSinceMs: number | undefined
  return {
    next() {
      if (upSinceMs !== undefined && clock.monotonic() - upSinceMs >= HOLDS_AFTER_MS) attempt = 0
      upSinceMs = undefined
      if (attempt === TRIES_MAX) return undefined
      attempt += 1
      return { attempt, delayMs: delayMs(attempt, random) }
    },
    isUp() {
      upSinceMs = clock.monotonic()
    }
  }
}

/** Twice as long each time, of which half is left to chance: the servers of one outage must not all come back at once. */
function delayMs(attempt: number, random: () => number): number {
  const wholeMs = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (attempt - 1))
  return wholeMs * (0.5 + random() / 2)
}
