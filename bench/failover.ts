import { systemClock } from '../bot/core/clock.ts'
import { startFaultNode } from '../sandbox/fault-node.ts'
import type { Fault } from '../sandbox/fault-node.ts'
import { botParts, row } from './bot-parts.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 40
const NODE_MS = 300

/** The fault, and the most that it may cost above a normal request, at the 95th percentile. */
const FAULTS: readonly (readonly [Fault, number])[] = [
  ['refuse', 50], ['reset', 50], ['error', 50], ['unready', 50], ['tunnelGone', 50], ['truncate', 50], ['garbage', 50], ['hang', 1500], ['drip', 3000]
]

/**
 * What a failing node costs a member, above a normal request in the same run: the member's own node fails, and another speaks. A node that
 * fails only after its synthesis has cost that time too; it is taken off, since no bot could know before.
 */
export async function run(): Promise<void> {
  const normal = await timesOf('none')
  const base = median(normal)
  const rows: Record<string, string | number>[] = []
  const limits: Record<string, boolean> = {}
  for (const [fault, limitMs] of FAULTS) {
    const afterSynthesis = fault === 'truncate' || fault === 'garbage' ? NODE_MS : 0
    const extra = (await timesOf(fault)).map((ms) => ms - base - afterSynthesis)
    const p95 = quantile(extra, 0.95)
    rows.push({ fault, medianMs: round(median(extra), 1), p95Ms: round(p95, 1), maxMs: round(Math.max(...extra), 1), limitMs })
    limits[`${fault}: p95 <= ${limitMs} ms`] = p95 <= limitMs
  }
  rows.unshift({ fault: 'none (noise)', medianMs: 0, p95Ms: round(quantile(normal, 0.95) - base, 1), maxMs: round(Math.max(...normal) - base, 1), limitMs: '' })
  report('failover', rows, limits)
}

/** A fresh pool each time: what is measured is the first member who meets the fault. */
async function timesOf(fault: Fault): Promise<number[]> {
  const nodes = [await startFaultNode({ serverId: 'own', latencyMs: NODE_MS }), await startFaultNode({ serverId: 'other', latencyMs: NODE_MS })]
  const [own] = nodes
  const times: number[] = []
  for (let index = 0; index < RUNS; index++) {
    const { pool, relay, assignments, close } = botParts()
    if (own) own.fault = 'none'
    pool.update(nodes.map(({ serverId, url }) => row(serverId, url)))
    const ask = (input: string) => relay({ model: 'voxpool', input, voice: 'auto', response_format: 'opus', speed: 1 }, { deviceId: 'mina', requestId: `${index}.${input.length}` })
    assignments.set('mina', 'own', 0)
    // The node's own times are known by then, as they are in life.
    await ask('A sentence before, to warm up.')
    await ask('Another sentence before it.')
    if (own) own.fault = fault
    const startMs = systemClock.monotonic()
    await ask('The sentence that meets the fault.')
    times.push(systemClock.monotonic() - startMs)
    await close()
  }
  for (const node of nodes) await node.close()
  return times
}
