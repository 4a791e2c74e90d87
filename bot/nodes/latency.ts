/**
 * How long a node takes, from its own recent requests: a peak EWMA. It jumps up at once with a slow request and comes down slowly, so that a
 * node which gets into trouble is believed at its worst. Kept as a time and as a time per character, since long texts take longer on most
 * engines and not on all; what is expected of a text is the greater of the two.
 */
export interface Latency {
  ms: number
  msPerChar: number
  atMs: number
}

/** Half of what was is forgotten after this long. */
const HALF_LIFE_MS = 10_000
const SHORTEST_CHARS = 20

export function observe(before: Latency | undefined, tookMs: number, chars: number, nowMs: number): Latency {
  const perChar = tookMs / Math.max(SHORTEST_CHARS, chars)
  if (before === undefined) return { ms: tookMs, msPerChar: perChar, atMs: nowMs }
  const keep = 0.5 ** (Math.max(0, nowMs - before.atMs) / HALF_LIFE_MS)
  const settle = (old: number, now: number) => (now > old ? now : old * keep + now * (1 - keep))
  // A burst of requests in one moment counts too: a tenth of each at least.
  const ease = (old: number, now: number) => Math.min(settle(old, now), now > old ? now : old * 0.9 + now * 0.1)
  return { ms: ease(before.ms, tookMs), msPerChar: ease(before.msPerChar, perChar), atMs: nowMs }
}

/** Milliseconds that a text of this length should take there; undefined when nothing is known. */
export function expectedMs(latency: Latency | undefined, chars: number): number | undefined {
  return latency && Math.max(latency.ms, latency.msPerChar * Math.max(SHORTEST_CHARS, chars))
}

/**
 * How long to wait for the first byte before the node counts as silent: four times what it should take, with those that are ahead of it there;
 * 1.5 to 15 s, and 10 s while nothing is known.
 */
export function firstByteLimitMs(expected: number | undefined, ahead: number): number {
  return expected === undefined ? 10_000 : clamp(expected * 4 * (1 + ahead) + 500, 1_500, 15_000)
}

/** When another node is asked as well: once it takes twice what it should, after 0.4 to 3 s; 2 s while nothing is known. */
export function hedgeAfterMs(expected: number | undefined, ahead: number): number {
  return expected === undefined ? 2_000 : clamp(expected * 2 * (1 + ahead) + 100, 400, 3_000)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
