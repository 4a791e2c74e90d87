import type { Clock } from '../core/clock.ts'

/**
 * Wishes to join and to leave, as many as Discord takes: 120 payloads a minute from one session of its gateway. What is above that waits in
 * discord.js where nobody sees it, so that a connection would seem to hang, and be made anew with one more wish; here it waits instead.
 */
export interface Wishes {
  /** Takes the right to so many, to be used after the returned time in ms. */
  reserve(count: number): number
}

/** Fifty at once and one a second: at most 110 a minute, which leaves some for everything else. */
const AT_ONCE = 50
const EVERY_MS = 1_000

export function createWishes(clock: Pick<Clock, 'monotonic'>): Wishes {
  /** When all that was reserved would have been used, one each second. */
  let usedUpMs = -Infinity
  return {
    reserve(count) {
      const nowMs = clock.monotonic()
      usedUpMs = Math.max(usedUpMs, nowMs) + count * EVERY_MS
      return Math.max(0, usedUpMs - nowMs - AT_ONCE * EVERY_MS)
    }
  }
}
