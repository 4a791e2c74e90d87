import { parseArgs } from 'node:util'
import { botParts } from './bot-parts.ts'
import { startChaos } from './chaos/chaos.ts'
import { hearAll } from './chaos/members.ts'
import { PLANTS, plant } from './chaos/plants.ts'
import type { Plant } from './chaos/plants.ts'
import { quantile, report, round } from './report.ts'

const NODES = 12
const MEMBERS = 40

/**
 * `--requests N` segments (10,000) spoken to 40 members through 12 nodes that die, move, fall silent, drip, truncate, answer HTML or 429, with a
 * registry that comes and goes. While one well node exists nothing may be lost, said twice, cut or out of order.
 * `--plant lost|twice|cut|order` is the inverse: a bug is planted, and the bench must catch it.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' }, plant: { type: 'string' } } })
  const planted = PLANTS.find((name) => name === values.plant)
  if (values.plant !== undefined && planted === undefined) throw new Error(`--plant takes one of ${PLANTS.join(', ')}`)
  const parts = botParts()
  const chaos = await startChaos({ pool: parts.pool, nodes: NODES, seed: Number(values.seed) })
  const startMs = performance.now()
  const heard = await hearAll({ relay: planted === undefined ? parts.relay : plant(parts.relay, planted), members: MEMBERS, segments: Number(values.requests) })
  const tookMs = performance.now() - startMs
  await chaos.stop()

  const counter = async (metric: { get(): Promise<{ values: { value: number }[] }> }) => (await metric.get()).values.reduce((sum, { value }) => sum + value, 0)
  const requests = await counter(parts.metrics.nodeRequests)
  const rows = [
    { what: 'segments', count: heard.segments },
    { what: 'utterances', count: heard.utterances },
    { what: 'lost', count: heard.lost },
    { what: 'said twice', count: heard.twice },
    { what: 'cut', count: heard.cut },
    { what: 'out of order', count: heard.outOfOrder },
    ...Object.entries(chaos.counts).map(([what, count]) => ({ what: `chaos: ${what}`, count })),
    { what: 'requests to nodes', count: requests },
    { what: 'failovers', count: await counter(parts.metrics.failovers) },
    { what: 'hedges', count: await counter(parts.metrics.hedges) },
    { what: 'wait for a segment, median ms', count: round(quantile(heard.waitsMs, 0.5), 1) },
    { what: 'wait for a segment, p99 ms', count: round(quantile(heard.waitsMs, 0.99), 1) },
    { what: 'wait for a segment, longest ms', count: round(Math.max(...heard.waitsMs), 1) },
    { what: 'segments a second', count: round((heard.segments * 1000) / tookMs, 1) }
  ]
  for (const [reason, count] of heard.reasons) rows.push({ what: `lost because ${reason}`, count })
  await parts.close()
  report('chaos', rows, limitsOf(planted, heard))
}

function limitsOf(planted: Plant | undefined, heard: Awaited<ReturnType<typeof hearAll>>): Record<string, boolean> {
  const found = { lost: heard.lost > 0, twice: heard.twice > 0, cut: heard.cut > 0, order: heard.outOfOrder > 0 }
  if (planted !== undefined) return { [`the planted bug (${planted}) is caught`]: found[planted] }
  return { '0 lost': !found.lost, '0 said twice': !found.twice, '0 cut': !found.cut, '0 out of order': !found.order }
}
