import { hexOf } from '../../nodes/color.ts'
import type { Figures } from '../../nodes/figures.ts'
import { STALE_MS, canSpeak, isOtherLeft } from '../../nodes/node.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { shownState } from '../../nodes/shown-state.ts'
import type { NodeView } from './snapshot.ts'

/** Of a node whose colour is none. */
const NO_COLOR = '#8c929c'

/** How a node is called where everybody reads it. Its id, which may be the name of somebody’s machine, is nobody’s business; nor is a label that repeats it. */
export function publicNameOf({ serverId, tag, label, color }: Pick<PoolNode, 'serverId' | 'tag' | 'label' | 'color'>): { label: string; color: string } {
  return { label: label.trim() === '' || label === serverId ? `#${tag.slice(0, 6)}` : label, color: hexOf(color) ?? NO_COLOR }
}

export interface NodeViewOptions {
  nowMs: number
  sinceOf: (node: PoolNode) => number
  figuresOf: (serverId: string) => Figures
}

/** The nodes as everybody may see them: those that are enabled first, then by name. */
export function nodeViewsOf(nodes: readonly PoolNode[], options: NodeViewOptions): NodeView[] {
  const rank = ({ state }: NodeView) => (state === 'disabled' ? 1 : 0)
  return nodes.map((node) => nodeViewOf(node, nodes, options)).sort((a, b) => rank(a) - rank(b) || compare(a.label, b.label) || compare(a.id, b.id))
}

function nodeViewOf(node: PoolNode, all: readonly PoolNode[], { nowMs, sinceOf, figuresOf }: NodeViewOptions): NodeView {
  const { serverId, tag, about, voices, activeCount, capacity, inFlight, concurrency, ageMs, seenAtMs, faults, enabled } = node
  const { medianS, slowS } = figuresOf(serverId)
  return {
    id: tag,
    ...publicNameOf(node),
    engine: about?.engine ?? null,
    voices: voices?.length ?? null,
    state: shownState(node),
    ...(enabled && canSpeak(node) && { speaks: true as const }),
    stateSince: sinceOf(node),
    members: activeCount ?? null,
    capacity,
    inFlight,
    concurrency,
    p50Ms: milliseconds(medianS),
    p95Ms: milliseconds(slowS),
    ageMs: seenAtMs === undefined ? null : Math.max(0, Math.round(nowMs - seenAtMs)),
    ...(enabled && seenAtMs !== undefined && ageMs > STALE_MS && { isStale: true as const }),
    faults: faults.map(({ code, atMs }) => ({ code, at: atMs })),
    ...(enabled && canSpeak(node) && !isOtherLeft(all, serverId) && { isAlone: true as const })
  }
}

function milliseconds(valueS: number | undefined): number | null {
  return valueS === undefined ? null : Math.round(valueS * 1_000)
}

/** The same order on every machine, whatever its language: `node 2` before `node 10`. */
const collator = new Intl.Collator('en', { numeric: true })
const compare = (a: string, b: string) => collator.compare(a, b)
