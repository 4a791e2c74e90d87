import { Usage } from '../bot/wire/registry.ts'
import type { Cache } from './apps-script.ts'

/** What this call has used so far: Apps Script starts each from nothing. */
export const used = { heldMs: 0, propertyReads: 0 }

type Use = Omit<Usage, 'since' | 'calls'>

/** Google's quotas are of a day. */
const DAY_MS = 24 * 60 * 60 * 1000
/** The longest that the cache keeps anything. */
const KEPT_S = 6 * 60 * 60
const NAME = 'usage'

/**
 * What was used since `since`, this call with it. It is kept in the cache, which has no quota: less than the truth when calls end at the same moment, and
 * begun anew when the cache has let it go, after 6 h without a call at the latest.
 */
export function countUse(cache: Cache | null, use: Use, nowMs: number): Usage | undefined {
  if (!cache) return undefined
  const usage = addUse(kept(cache), use, nowMs)
  cache.put(NAME, JSON.stringify(usage), KEPT_S)
  return usage
}

/** After a day, half of the time and half of all that was used in it is forgotten: what is told is of 12 to 24 h, at the same rate. */
export function addUse(before: Usage | undefined, use: Use, nowMs: number): Usage {
  const known = before && before.since <= nowMs ? before : { since: nowMs, calls: 0, busy: 0, ranMs: 0, heldMs: 0, propertyReads: 0 }
  const share = nowMs - known.since > DAY_MS ? 0.5 : 1
  const add = (count: number, more: number) => Math.round(count * share) + more
  return {
    since: nowMs - Math.round((nowMs - known.since) * share),
    calls: add(known.calls, 1),
    busy: add(known.busy, use.busy),
    ranMs: add(known.ranMs, use.ranMs),
    heldMs: add(known.heldMs, use.heldMs),
    propertyReads: add(known.propertyReads, use.propertyReads)
  }
}

function kept(cache: Cache): Usage | undefined {
  try {
    return Usage.safeParse(JSON.parse(cache.get(NAME) ?? '')).data
  } catch {
    return undefined
  }
}
