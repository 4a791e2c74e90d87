import { childAbort } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'

/** Limits of one request, in milliseconds. Each phase has its own: a limit that ends when headers arrive would leave the body unbounded. */
export interface Limits {
  /** Until the first byte of the answer, connecting and waiting in the node's queue included. */
  firstByteMs: number
  /** Between two pieces of the answer. */
  silenceMs: number
  /** From the first byte to the last: an answer that drips is no better than none. */
  bodyMs: number
}

export const SPEAK_LIMITS: Limits = { firstByteMs: 15_000, silenceMs: 1_500, bodyMs: 2_500 }
export const PROBE_LIMITS: Limits = { firstByteMs: 3_000, silenceMs: 1_000, bodyMs: 2_000 }

export interface Watch {
  /** Aborts with `NODE_SILENT` when a limit has passed, or with the parent's reason. */
  signal: AbortSignal
  /** A piece of the answer has come. */
  heard(): void
  release(): void
}

export function startWatch(clock: Clock, limits: Limits, parent?: AbortSignal): Watch {
  const { controller, release } = childAbort(parent)
  const expireAfter = (limitMs: number, phase: string) =>
    clock.after(limitMs, () => controller.abort(new VoxError('NODE_SILENT', { phase, limitMs: Math.round(limitMs) })))
  let cancelPhase = expireAfter(limits.firstByteMs, 'first byte')
  let cancelBody: (() => void) | undefined
  return {
    signal: controller.signal,
    heard() {
      cancelPhase()
      cancelBody ??= expireAfter(limits.bodyMs, 'body')
      cancelPhase = expireAfter(limits.silenceMs, 'silence')
    },
    release() {
      cancelPhase()
      cancelBody?.()
      release()
    }
  }
}
