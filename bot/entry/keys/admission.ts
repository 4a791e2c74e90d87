import type { Clock } from '../../core/clock.ts'
import type { ApiKey } from './api-keys.ts'

export interface Admission {
  /** A place for one request of this key, the same object each time: `leave` gives it back. */
  enter(key: ApiKey): { ok: true; leave: () => void } | { ok: false; reason: 'rate' | 'concurrency'; retryAfterMs: number }
}

/** Keeps each key to its own rate and its own number of requests at once; what one key does takes nothing from another. */
export function createAdmission(clock: Pick<Clock, 'monotonic'>): Admission {
  // A key that was taken back is let go with what it used.
  const states = new WeakMap<ApiKey, { tokens: number; atMs: number; running: number }>()
  return {
    enter(key) {
      const { perMinute, concurrency } = key
      const nowMs = clock.monotonic()
      const state = states.get(key) ?? { tokens: perMinute, atMs: nowMs, running: 0 }
      states.set(key, state)
      const refilled = Math.min(perMinute, state.tokens + ((nowMs - state.atMs) * perMinute) / 60_000)
      Object.assign(state, { tokens: refilled, atMs: nowMs })
      if (state.running >= concurrency) return { ok: false, reason: 'concurrency', retryAfterMs: 1_000 }
      if (refilled < 1) return { ok: false, reason: 'rate', retryAfterMs: Math.ceil(((1 - refilled) * 60_000) / perMinute) }
      state.tokens -= 1
      state.running += 1
      let isIn = true
      const leave = () => {
        if (isIn) state.running -= 1
        isIn = false
      }
      return { ok: true, leave }
    }
  }
}
