import type { Clock } from '../bot/core/clock.ts'

/** A clock whose pending timers can all be cancelled at once: what is closed leaves none behind. */
export function trackedClock(clock: Clock): Clock & { cancelAll(): void } {
  const pending = new Set<() => void>()
  return {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    after(delayMs, task) {
      const cancel = clock.after(delayMs, () => {
        pending.delete(stop)
        task()
      })
      const stop = () => {
        pending.delete(stop)
        cancel()
      }
      pending.add(stop)
      return stop
    },
    cancelAll() {
      for (const stop of pending) stop()
    }
  }
}
