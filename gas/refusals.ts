import type { Cache } from './apps-script.ts'
import type { Event } from './registry.ts'

/** At most one line of each kind in this time, however many are refused. */
const PAUSE_MS = 60_000
/** How long those that were only counted wait for the next one that is written. */
const KEPT_S = 3_600

/**
 * How many refusals of one kind the next line of the log stands for; 0: it is not their time yet. Strangers can call as often as
 * they like: each costs two looks into the cache, and once a minute a write. The count is not exact when many come at once.
 * @param cache where the count is kept; without one, nothing is written
 */
export function refusalsToLog(cache: Cache | null, { detail }: Event, nowMs: number): number {
  if (!cache) return 0
  const name = `refused ${detail.slice(0, detail.indexOf(':'))}`
  const [lastMs = 0, waiting = 0] = (cache.get(name) ?? '').split(' ').map(Number)
  const isTime = !(nowMs - lastMs < PAUSE_MS)
  cache.put(name, isTime ? `${nowMs} 0` : `${lastMs} ${waiting + 1}`, KEPT_S)
  return isTime ? waiting + 1 : 0
}
