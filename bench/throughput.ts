import { botParts, row } from './bot-parts.ts'
import { startFaultNode } from '../sandbox/fault-node.ts'
import type { FaultNode } from '../sandbox/fault-node.ts'
import { report, round } from './report.ts'

const NODES = 8
const MEMBERS = 32
const SYNTHESIS_MS = 500
const ROUND_TRIP_MS = 150
const SEGMENTS_EACH = 12
const LIMITS = { share: 0.97, slowest: 1.5 }

/**
 * Eight nodes that run one synthesis at a time, behind a network: members ask without pause, and the nodes should never be idle. The ideal is
 * every node busy from the first request's arrival to the last answer's leaving.
 */
export async function run(): Promise<void> {
  const nodes: FaultNode[] = []
  for (let index = 0; index < NODES; index++) {
    const node = await startFaultNode({ serverId: `n${index}`, latencyMs: SYNTHESIS_MS })
    node.roundTripMs = ROUND_TRIP_MS
    nodes.push(node)
  }
  const { pool, relay, metrics, close } = botParts()
  pool.update(nodes.map(({ serverId, url }) => row(serverId, url)))
  const say = (member: number, turn: number) =>
    relay(
      { model: 'voxpool', input: `Member ${member} says sentence number ${turn} here.`, voice: 'auto', response_format: 'opus', speed: 1 },
      { deviceId: `member-${member}`, requestId: `${member}.${turn}` }
    )

  const startMs = performance.now()
  const waits = await Promise.all(
    Array.from({ length: MEMBERS }, async (_, member) => {
      let sum = 0
      for (let turn = 0; turn < SEGMENTS_EACH; turn++) {
        const askedMs = performance.now()
        await say(member, turn)
        sum += performance.now() - askedMs
      }
      return sum / SEGMENTS_EACH
    })
  )
  const tookMs = performance.now() - startMs
  const total = MEMBERS * SEGMENTS_EACH
  const idealMs = (total / NODES) * SYNTHESIS_MS + ROUND_TRIP_MS
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
  const share = idealMs / tookMs
  const slowest = Math.max(...waits) / mean
  const peaks = nodes.map((node) => node.peakInFlight())
  const hedges = (await metrics.hedges.get()).values[0]?.value ?? 0
  for (const node of nodes) await node.close()
  await close()
  report(
    'throughput',
    [
      { what: 'segments', value: total },
      { what: 'ideal s', value: round(idealMs / 1000, 2) },
      { what: 'took s', value: round(tookMs / 1000, 2) },
      { what: 'share of the ideal', value: round(share, 4) },
      { what: 'mean wait s', value: round(mean / 1000, 3) },
      { what: 'slowest member’s mean wait / mean', value: round(slowest, 3) },
      { what: 'most in flight at one node', value: Math.max(...peaks) },
      { what: 'hedges', value: hedges }
    ],
    {
      [`>= ${LIMITS.share * 100} % of the ideal`]: share >= LIMITS.share,
      [`the slowest member waits <= ${LIMITS.slowest} x the mean`]: slowest <= LIMITS.slowest,
      'never more than one in flight beyond what a node runs': Math.max(...peaks) <= 2
    }
  )
}
