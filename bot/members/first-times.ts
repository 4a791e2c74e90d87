const REMEMBERED_MAX = 10_000

/** Whether something happens for the first time since the start, and need not be told again after; the oldest are forgotten when they are too many. */
export function createFirstTimes(max = REMEMBERED_MAX): (what: string) => boolean {
  const happened = new Set<string>()
  return (what) => {
    if (happened.has(what)) return false
    happened.add(what)
    for (const oldest of happened) {
      if (happened.size <= max) break
      happened.delete(oldest)
    }
    return true
  }
}
