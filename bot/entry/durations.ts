import { createHistogram } from 'node:perf_hooks'
import type { Clock } from '../core/clock.ts'

export interface Quantiles {
  count: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

/** Durations of the last five to ten minutes, by their quantiles. */
export interface Durations {
  add(ms: number): void
  read(): Quantiles
}

const HALF_MS = 300_000
const LONGEST_US = 3_600_000_000

/** Two halves: the older one is dropped when the newer is full, so nothing is kept one by one. Exact to a hundredth. */
export function createDurations(clock: Pick<Clock, 'monotonic'>): Durations {
  const make = () => createHistogram({ lowest: 1, highest: LONGEST_US, figures: 2 })
  let [older, newer] = [make(), make()]
  let startedMs = clock.monotonic()

  function turn() {
    const ageMs = clock.monotonic() - startedMs
    if (ageMs < HALF_MS) return
    ;[older, newer] = [newer, older]
    newer.reset()
    if (ageMs >= 2 * HALF_MS) older.reset()
    startedMs = clock.monotonic()
  }

  return {
    add(ms) {
      turn()
      newer.record(Math.min(LONGEST_US, Math.max(1, Math.round(ms * 1_000))))
    },
    read() {
      turn()
      const both = make()
      both.add(older)
      both.add(newer)
      const quantileMs = (percent: number) => (both.count === 0 ? 0 : both.percentile(percent) / 1_000)
      return { count: both.count, p50Ms: quantileMs(50), p95Ms: quantileMs(95), p99Ms: quantileMs(99) }
    }
  }
}
