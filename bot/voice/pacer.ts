import type { Clock } from '../core/clock.ts'
import { PACKET_MS } from '../audio/opus.ts'

/** The beat of all that plays in this process: one timer, however many servers listen. */
export interface Pacer {
  /** Runs `step` once every 20 ms from the next beat on, until the returned function is called, or it throws: that is told, and the others go on. */
  every(step: () => void, onError: (error: unknown) => void): () => void
}

/** Later than this, and the beats that were missed are left out: sent at once they would only push the packets together. */
const LATE_MAX_MS = 2 * PACKET_MS

export function createPacer(clock: Pick<Clock, 'monotonic' | 'after'>): Pacer {
  const steps = new Map<() => void, (error: unknown) => void>()
  let nextMs = 0
  let beating = false

  function beat() {
    for (const [step, onError] of steps) {
      try {
        step()
      } catch (error) {
        steps.delete(step)
        onError(error)
      }
    }
    beating = steps.size > 0
    if (!beating) return
    const nowMs = clock.monotonic()
    nextMs = nowMs - nextMs > LATE_MAX_MS ? nowMs + PACKET_MS : nextMs + PACKET_MS
    clock.after(Math.max(0, nextMs - nowMs), beat)
  }

  return {
    every(step, onError) {
      steps.set(step, onError)
      if (!beating) {
        beating = true
        nextMs = clock.monotonic() + PACKET_MS
        clock.after(PACKET_MS, beat)
      }
      return () => void steps.delete(step)
    }
  }
}
