import type { Usage } from '../wire/registry.ts'
import { finding } from './finding.ts'
import type { Finding } from './finding.ts'
import { isAtGoogle } from './registry-carrier.ts'

/** The numbers of docs/registry.md, "What it costs": a free account's. */
const AT_ONCE_MAX = 30
const PROPERTIES_A_DAY = 50_000
/** Of what there is: calls come in bursts, and half used on average is at times all of it. */
const MUCH = 0.5
/** Of all calls, those that were sent away as busy. One of a few is chance. */
const MANY_BUSY = 0.01
const FEW = 3

const DAY_MS = 86_400_000

/**
 * What an Apps Script registry has used of Google's limits, by its own count.
 * @param usage `undefined`: it does not tell
 * @param host where it is: elsewhere than at Google's it may be another bot's, which has no quotas
 * @param nowMs by the registry's clock
 */
export function usageFinding(usage: Usage | undefined, { host, nowMs }: { host: string; nowMs: number }): Finding {
  if (usage === undefined) {
    return isAtGoogle(host)
      ? finding('registry.usage-unseen', 'quotas', 'it does not tell what it has used of Google’s quotas.', 'Bring the newest script, as docs/registry.md says.')
      : finding('registry.usage-none', 'quotas', 'it tells of none; a registry that is not at Google’s has none.')
  }
  const { calls, busy } = usage
  // A count that has just begun would make a day of its first call.
  const elapsedMs = Math.max(nowMs - usage.since, 60_000)
  const atOnce = usage.ranMs / elapsedMs
  const heldShare = usage.heldMs / elapsedMs
  const propertiesPerDay = Math.round((usage.propertyReads * DAY_MS) / elapsedMs)
  const isMuch = atOnce > AT_ONCE_MAX * MUCH || heldShare > MUCH || propertiesPerDay > PROPERTIES_A_DAY * MUCH || (busy > FEW && busy > calls * MANY_BUSY)
  const message =
    `${calls} ${calls === 1 ? 'call' : 'calls'} in ${spanOf(elapsedMs)}: on average ${round(atOnce)} at once of ${AT_ONCE_MAX}, the sheet held ${round(heldShare * 100)} % of the time, ` +
    `${busy} sent away as busy, ${propertiesPerDay} operations on properties a day of ${PROPERTIES_A_DAY}.`
  const evidence = { calls, hours: round(elapsedMs / 3_600_000), atOnce: round(atOnce), heldShare: round(heldShare), busy, propertiesPerDay }
  if (!isMuch) return finding('registry.usage', 'quotas', message, undefined, { evidence })
  return finding('registry.usage-high', 'quotas', message, 'Raise HEARTBEAT_SEC of the nodes to 60, or use the bot’s own registry.', { evidence })
}

const round = (value: number) => Math.round(value * 100) / 100

const spanOf = (ms: number) => (ms < 5_400_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`)
