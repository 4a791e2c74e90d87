import type { Clock } from '../../core/clock.ts'

/** The time that one request has: all of it, and what each of its parts may take. */
export interface Watch {
  /** A part begins: `onLate` when nothing is heard for `limitMs`, or when the whole has taken too long. */
  within(limitMs: number, onLate: () => void): void
  /** Something has moved. */
  heard: () => void
  release(): void
}

/** One timer for all of a request: it is set anew when it rings too early, not with each byte. */
export function startWatch(clock: Clock, totalMs: number): Watch {
  const totalDueMs = clock.monotonic() + totalMs
  let limitMs = totalMs
  let dueMs = totalDueMs
  let armedMs = Infinity
  let late = () => {}
  let cancel = () => {}

  function arm(nowMs: number) {
    cancel()
    armedMs = dueMs
    cancel = clock.after(dueMs - nowMs, ring)
  }

  function ring() {
    const nowMs = clock.monotonic()
    armedMs = Infinity
    if (nowMs >= dueMs) late()
    else arm(nowMs)
  }

  function heard() {
    const nowMs = clock.monotonic()
    dueMs = Math.min(totalDueMs, nowMs + limitMs)
    if (dueMs < armedMs) arm(nowMs)
  }

  return {
    within(partMs, onLate) {
      limitMs = partMs
      late = onLate
      heard()
    },
    heard,
    release() {
      cancel()
      late = () => {}
    }
  }
}
