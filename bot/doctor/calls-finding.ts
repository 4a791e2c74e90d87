import { finding } from './finding.ts'
import type { Finding } from './finding.ts'

/** The numbers of docs/registry.md, "What it costs". */
const BEAT_S = 30
const SYNC_S = 15
const DAY_S = 86_400
/** At half a second for each write under the lock. */
const WRITES_A_SECOND = 2
const AT_ONCE = 30

/**
 * What nodes and one bot cost of Apps Script's limits. How often a node beats only it knows: the usual interval is taken.
 * @param nodes heard within a day
 * @param tookMs one call, measured
 */
export function callsFinding(nodes: number, tookMs: number): Finding {
  const writesPerSecond = nodes / BEAT_S + 1 / SYNC_S
  const atOnce = (writesPerSecond * tookMs) / 1000
  const callsPerDay = Math.round(writesPerSecond * DAY_S)
  const evidence = { nodes, callsPerDay, writesPerSecond: round(writesPerSecond), atOnce: round(atOnce) }
  const message =
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'} every ${BEAT_S} s and a bot every ${SYNC_S} s are about ${callsPerDay} calls a day: ` +
    `${round(writesPerSecond)} writes a second of about ${WRITES_A_SECOND}, ${round(atOnce)} calls at once of ${AT_ONCE}.`
  if (writesPerSecond <= WRITES_A_SECOND && atOnce <= AT_ONCE) return finding('registry.calls', 'calls', message, undefined, { evidence })
  return finding('registry.calls-high', 'calls', message, 'Raise HEARTBEAT_SEC of the nodes to 60, or use the bot’s own registry.', { evidence })
}

const round = (value: number) => Math.round(value * 100) / 100
