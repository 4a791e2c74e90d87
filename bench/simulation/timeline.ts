export interface Timeline {
  nowMs(): number
  after(delayMs: number, task: () => void): void
  /** Runs all that falls due by then, in the order of time, then of asking. */
  runUntil(endMs: number): void
}

interface Due {
  atMs: number
  order: number
  task: () => void
}

/** Virtual time: hours of a pool pass in seconds, and no two runs differ. A heap, since some hundred thousand tasks wait at once. */
export function createTimeline(): Timeline {
  const heap: Due[] = []
  let nowMs = 0
  let orders = 0
  const isBefore = (a: Due, b: Due) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)

  function push(due: Due) {
    let at = heap.length
    for (;;) {
      const parentAt = (at - 1) >> 1
      const parent = heap[parentAt]
      if (at === 0 || parent === undefined || isBefore(parent, due)) break
      heap[at] = parent
      at = parentAt
    }
    heap[at] = due
  }

  function pop() {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || isBefore(last, child)) break
      heap[at] = child
      at = 2 * at + (isRight ? 2 : 1)
    }
    heap[at] = last
  }

  return {
    nowMs: () => nowMs,
    after(delayMs, task) {
      push({ atMs: nowMs + delayMs, order: orders++, task })
    },
    runUntil(endMs) {
      for (let first = heap[0]; first !== undefined && first.atMs <= endMs; first = heap[0]) {
        pop()
        nowMs = first.atMs
        first.task()
      }
      nowMs = endMs
    }
  }
}
