/** What looking for entries may still cost. When nothing is left, what was not looked at stays as it is. */
export interface Budget {
  left: number
}

/** What one message may take, its text and all names in it together: packets of speech are due in the same thread. */
export interface Work {
  /** In steps of a pattern's program times characters: some 20 ms. Each match alone is linear, all of them together are not. */
  patterns: Budget
  /** By scope, so that a member's own entries use up nothing of the server's: in steps from word to longer word. More than twice what full dictionaries of ordinary words take of the longest message; all of them together are some 10 ms. */
  words: readonly Budget[]
}

const PATTERN_STEPS_MAX = 1_000_000
const WALK_STEPS_MAX = 20_000

/** @param scopes how many are looked through */
export function createWork(scopes: number): Work {
  return { patterns: { left: PATTERN_STEPS_MAX }, words: Array.from({ length: scopes }, () => ({ left: WALK_STEPS_MAX })) }
}
