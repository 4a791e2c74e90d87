/**
 * Time, as everything in the bot sees it. Production passes `systemClock`; tests and simulations pass a `manualClock`,
 * so that a TTL of 90 s or a limit of 15 min is tested in a millisecond.
 */
export interface Clock {
  /** Milliseconds since 1970. It may jump: for stamps, never for durations. */
  now(): number
  /** Milliseconds that never go back: for durations and deadlines. */
  monotonic(): number
  /** Runs `task` once after `delayMs`; the returned function cancels it. A pending timer does not keep the process alive. */
  after(delayMs: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs)
    timer.unref()
    return () => clearTimeout(timer)
  }
}

/** Resolves after `delayMs`, or at once when the signal aborts. It never rejects: look at the signal. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(delayMs, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}

/** A controller that also aborts with its parent, for the parent's reason; `release` frees the parent's listener. */
export function childAbort(parent?: AbortSignal): { controller: AbortController; release: () => void } {
  const controller = new AbortController()
  const fromParent = () => controller.abort(parent?.reason)
  if (parent?.aborted) fromParent()
  parent?.addEventListener('abort', fromParent, { once: true })
  return { controller, release: () => parent?.removeEventListener('abort', fromParent) }
}

/** A signal that aborts with `reason` after `limitMs`, or with its parent; `release` frees its timer and its listener. */
export function limited(
  clock: Clock,
  limitMs: number,
  reason: () => Error,
  parent?: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const { controller, release } = childAbort(parent)
  const cancel = clock.after(limitMs, () => controller.abort(reason()))
  return {
    signal: controller.signal,
    release() {
      cancel()
      release()
    }
  }
}
