/** Speech that waits for this long is read at its own pace. */
const CALM_MS = 8_000
/** From here on it is as fast as it gets: faster than this is no longer understood. */
const FULL_MS = 40_000
const FASTEST = 1.6

/** How much faster a message is read for the speech that waits before it: 1 up to 8 s, rising to 1.6 at 40 s, in steps of 0.1 that share their cached audio. */
export function speedFactor(queuedMs: number): number {
  const share = Math.min(1, Math.max(0, (queuedMs - CALM_MS) / (FULL_MS - CALM_MS)))
  return Math.round((1 + share * (FASTEST - 1)) * 10) / 10
}
