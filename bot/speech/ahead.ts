/** Results in order; `warm` starts the first task before anybody waits for it. */
export interface Ahead<T> extends AsyncIterable<T> {
  warm(): void
  /** How many results there will be. */
  readonly count: number
  /** The position that is waited for now; -1 before anybody has asked. */
  waitedFor(): number
}

/**
 * Runs tasks in order and yields their results in order, at most `ahead` of them under way beyond the one that is waited for: the next
 * piece is made while one plays. The first failure ends it. It can be iterated once.
 */
export function runAhead<T>(tasks: readonly ((position: number) => Promise<T>)[], ahead: number): Ahead<T> {
  const running: Promise<T>[] = []
  let started = 0
  let waitedFor = -1
  const startUpTo = (last: number) => {
    for (; started <= last && started < tasks.length; started++) {
      const promise = tasks[started]?.(started)
      if (promise === undefined) continue
      // Whoever waits for it sees the failure; until then it is not unhandled.
      promise.catch(() => undefined)
      running.push(promise)
    }
  }
  return {
    warm: () => startUpTo(0),
    count: tasks.length,
    waitedFor: () => waitedFor,
    async *[Symbol.asyncIterator]() {
      for (let index = 0; index < tasks.length; index++) {
        waitedFor = index
        startUpTo(index + ahead)
        const next = running.shift()
        if (next !== undefined) yield await next
      }
    }
  }
}
