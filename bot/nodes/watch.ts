import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'

/** Limits of one request, in milliseconds. Each phase has its own: a limit that ends when headers arrive would leave the body unbounded. */
export interface Limits {
  /** Until the first byte of the answer, connecting and waiting in the node's queue included. */
  firstByteMs: number
  /** Between two pieces of the answer. */
  silenceMs: number
  /** The whole request. */
  totalMs: number
}

export const SPEAK_LIMITS: Limits = { firstByteMs: 10_000, silenceMs: 3_000, totalMs: 25_000 }
export const PROBE_LIMITS: Limits = { firstByteMs: 3_000, silenceMs: 1_000, totalMs: 4_000 }

export interface Watch {
  /** Aborts with `NODE_SILENT` when a limit has passed, or with the parent's reason. */
  signal: AbortSignal
  /** A piece of the answer has come. */
  heard(): void
  release(): void
}

export function startWatch(clock: Clock, limits: Limits, parent?: AbortSignal): Watch {
  const controller = new AbortController()
  const expire = (phase: string, limitMs: number) => () => controller.abort(new VoxError('NODE_SILENT', { phase, limitMs }))
  const fromParent = () => controller.abort(parent?.reason)
  if (parent?.aborted) fromParent()
  parent?.addEventListener('abort', fromParent, { once: true })
  const cancelTotal = clock.after(limits.totalMs, expire('total', limits.totalMs))
  let cancelPhase = clock.after(limits.firstByteMs, expire('first byte', limits.firstByteMs))
  return {
    signal: controller.signal,
    heard() {
      cancelPhase()
      cancelPhase = clock.after(limits.silenceMs, expire('silence', limits.silenceMs))
    },
    release() {
      cancelPhase()
      cancelTotal()
      parent?.removeEventListener('abort', fromParent)
    }
  }
}
