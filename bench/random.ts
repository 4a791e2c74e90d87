/** 0 <= x < 1, the same row of numbers for the same seed (mulberry32, public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The time until the next of events that happen once in `meanMs`, each without regard to the others. */
export function exponentialMs(random: () => number, meanMs: number): number {
  return -Math.log(1 - random()) * meanMs
}
