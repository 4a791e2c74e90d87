import { FAULTS } from '../core/errors.ts'
import type { FaultKind } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'

/** What the bot measured of one node. */
export interface Figures {
  /** Seconds from request to the last byte, over the last ten minutes; undefined when there were none. */
  medianS: number | undefined
  slowS: number | undefined
  /** Requests since the bot's start: good ones, and those that were the node's fault. */
  good: number
  bad: number
}

const NONE: Figures = { medianS: undefined, slowS: undefined, good: 0, bad: 0 }

/** The figures of all nodes by their ids; who was never asked has none. */
export async function figuresOf(metrics: Pick<Metrics, 'nodeSeconds' | 'nodeRequests'>): Promise<(serverId: string) => Figures> {
  const figures = new Map<string, Figures>()
  const add = (serverId: string, change: (before: Figures) => Partial<Figures>) => {
    const before = figures.get(serverId) ?? NONE
    figures.set(serverId, { ...before, ...change(before) })
  }
  for (const { labels, value } of (await metrics.nodeSeconds.get()).values) {
    const { node, quantile } = labels as { node?: string; quantile?: number }
    if (node === undefined || !Number.isFinite(value)) continue
    if (quantile === 0.5) add(node, () => ({ medianS: value }))
    if (quantile === 0.95) add(node, () => ({ slowS: value }))
  }
  for (const { labels, value } of (await metrics.nodeRequests.get()).values) {
    const { node, result } = labels as { node?: string; result?: string }
    if (node === undefined || result === undefined) continue
    if (result === 'ok') add(node, ({ good }) => ({ good: good + value }))
    if (kindOf(result) === 'node') add(node, ({ bad }) => ({ bad: bad + value }))
  }
  return (serverId) => figures.get(serverId) ?? NONE
}

/** A text's own fault, a busy node or a cancelled request say nothing of the node. */
function kindOf(result: string): FaultKind | undefined {
  return Object.hasOwn(FAULTS, result) ? FAULTS[result as keyof typeof FAULTS].kind : undefined
}
