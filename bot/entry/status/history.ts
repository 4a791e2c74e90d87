import { createHistogram } from 'node:perf_hooks'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { HistoryTable } from './history-table.ts'
import type { HistoryPoint } from './snapshot.ts'

export const STEP_MS = 30_000
const KEPT_MS = 3_600_000

/** How many wait is looked at this often. */
const LOOK_MS = 1_000

/** How one request of the pool ended. `tookMs`: of a good one. */
export type PoolEnded = { tookMs: number } | { isNodesFault: boolean }

export interface History {
  ended(how: PoolEnded): void
  /** Whole steps of the last hour, the oldest first, at most 120. */
  points(): HistoryPoint[]
  /** Keeps the step that has begun, too. */
  stop(): void
}

/** What the pool did in the last hour, in steps of 30 s by the wall clock. Each step in which the bot was on has a point. */
export function createHistory(deps: { table: HistoryTable; clock: Clock; log: Log; waiting: () => number }): History {
  const { table, clock, log, waiting } = deps
  const times = createHistogram({ lowest: 1, highest: KEPT_MS, figures: 2 })
  const stepAt = () => Math.floor(clock.now() / STEP_MS) * STEP_MS
  let points = table.since(clock.now() - KEPT_MS)
  let step = { at: stepAt(), requests: 0, failed: 0, waiting: 0 }
  let cancel = clock.after(LOOK_MS, look)

  function look() {
    turn()
    step.waiting = Math.max(step.waiting, waiting())
    cancel = clock.after(LOOK_MS, look)
  }

  /** Ends the step when its time is over. Where the machine slept, or its clock was set, the steps between are a gap. */
  function turn() {
    const at = stepAt()
    if (at !== step.at) keep(at)
  }

  function keep(nextAt: number) {
    const ended: HistoryPoint = { ...step, p95Ms: times.count === 0 ? null : times.percentile(95) }
    times.reset()
    step = { at: nextAt, requests: 0, failed: 0, waiting: 0 }
    // What a clock that was set back has still before it is no past.
    const before = points.filter(({ at }) => at < ended.at && at >= clock.now() - KEPT_MS)
    const point = mergedWith(points.find(({ at }) => at === ended.at), ended)
    points = [...before, point]
    try {
      table.put(point)
      table.forgetBefore(clock.now() - KEPT_MS)
    } catch (error) {
      // A full disk costs what the next run would have shown, no more.
      log.warn({ err: error }, 'a step of the history was not kept')
    }
  }

  return {
    ended(how) {
      turn()
      step.requests += 1
      if ('tookMs' in how) times.record(Math.min(KEPT_MS, Math.max(1, Math.round(how.tookMs))))
      else if (how.isNodesFault) step.failed += 1
    },
    points() {
      turn()
      const oldestMs = clock.now() - KEPT_MS
      return points.filter(({ at }) => at > oldestMs && at < step.at)
    },
    stop() {
      cancel()
      keep(step.at)
    }
  }
}

/** A bot that was restarted within a step has done both parts of it. */
function mergedWith(before: HistoryPoint | undefined, { at, requests, failed, waiting, p95Ms }: HistoryPoint): HistoryPoint {
  if (before === undefined) return { at, requests, failed, waiting, p95Ms }
  const slowest = p95Ms === null || before.p95Ms === null ? (p95Ms ?? before.p95Ms) : Math.max(p95Ms, before.p95Ms)
  return { at, requests: before.requests + requests, failed: before.failed + failed, waiting: Math.max(before.waiting, waiting), p95Ms: slowest }
}
