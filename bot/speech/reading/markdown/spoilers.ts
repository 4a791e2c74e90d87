/**
 * Finds what is written between two `||`. As in Discord, the next `||` behind at least one character ends it, wherever it stands: in code, behind a
 * backslash, or where the next spoiler begins at once. So all that Discord covers is covered here. Each end is looked for once, however many have none.
 */
export function createSpoilers(content: string) {
  let noneFrom = Infinity
  return {
    /** What the spoiler that begins at `at` covers, as it is written, and where it ends; undefined when none begins there. */
    at(at: number): { inside: string; end: number } | undefined {
      if (at >= noneFrom || content.charAt(at + 1) !== '|') return undefined
      const close = content.indexOf('||', at + 3)
      if (close < 0) {
        noneFrom = at
        return undefined
      }
      return { inside: content.slice(at + 2, close), end: close + 2 }
    }
  }
}
