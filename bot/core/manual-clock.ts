import type { Clock } from './clock.ts'

export interface ManualClock extends Clock {
  /** Moves time on by `ms`, running what falls due in its order; promises that a task settles are let run before the next one. */
  advance(ms: number): Promise<void>
  /** Timers that still wait. */
  pending(): number
}

/** A clock that stands still until it is told to go on: for tests and simulations. */
export function manualClock(startMs = 1_700_000_000_000): ManualClock {
  let elapsedMs = 0
  let nextId = 0
  const timers = new Map<number, { dueMs: number; task: () => void }>()

  const earliest = (limitMs: number) => {
    let found: { id: number; dueMs: number } | undefined
    for (const [id, { dueMs }] of timers) {
      if (dueMs <= limitMs && (found === undefined || dueMs < found.dueMs)) found = { id, dueMs }
    }
    return found
  }

  return {
    now: () => startMs + elapsedMs,
    monotonic: () => elapsedMs,
    after(delayMs, task) {
      const id = nextId++
      timers.set(id, { dueMs: elapsedMs + Math.max(0, delayMs), task })
      return () => void timers.delete(id)
    },
    async advance(ms) {
      const endMs = elapsedMs + ms
      await new Promise(setImmediate)
      for (let next = earliest(endMs); next; next = earliest(endMs)) {
        const timer = timers.get(next.id)
        timers.delete(next.id)
        elapsedMs = Math.max(elapsedMs, next.dueMs)
        timer?.task()
        await new Promise(setImmediate)
      }
      elapsedMs = endMs
    },
    pending: () => timers.size
  }
}
