import type { Clock } from '../core/clock.ts'

/** Two looks without a packet between them, both of which it had time to send some: the event loop's own pauses are shorter. */
const LOOK_MS = 2_000

/**
 * Looks now and then whether packets go out while they should, and says so when none do.
 * @param sent what has gone out, or undefined while nothing should
 * @returns what ends it
 */
export function supervise(clock: Clock, sent: () => number | undefined, onStall: () => void): () => void {
  let before: number | undefined
  let looksInVain = 0
  let cancel = clock.after(LOOK_MS, look)
  function look() {
    const now = sent()
    looksInVain = now !== undefined && now === before ? looksInVain + 1 : 0
    before = now
    if (looksInVain === 2) {
      looksInVain = 0
      onStall()
    }
    cancel = clock.after(LOOK_MS, look)
  }
  return () => cancel()
}
