import { isLastResort } from '../../nodes/health.ts'
import { STALE_MS } from '../../nodes/node.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { shownState } from '../../nodes/shown-state.ts'
import type { ShownState } from '../../nodes/shown-state.ts'
import { publicNameOf } from './node-view.ts'
import { poolStateOf } from './pool-state.ts'
import type { EventView } from './snapshot.ts'

/** The pool as it was when it was last looked at. */
export interface Seen {
  atMs: number
  nodes: ReadonlyMap<string, SeenNode>
  isRegistryStale: boolean
  /** It could speak once, and then could not. */
  isDown: boolean
  canSpeak: boolean
}

export interface SeenNode {
  name: { label: string; color: string }
  enabled: boolean
  draining: boolean
  isStale: boolean
  /** The last of the two that it was; others are on the way between them. */
  settled: 'ready' | 'resting' | undefined
  shown: ShownState
  shownSinceMs: number
}

export type Change = Pick<EventView, 'kind' | 'node' | 'code'>

/** A fault sent a node to rest when it was not longer before that. */
const CAUSE_MS = 5_000

/**
 * What has happened since it was last looked at. The first look tells nothing: what there is then has not just come. A node that said goodbye has left, though
 * its row is kept for what was changed in it by hand.
 */
export function changesSince(before: Seen | undefined, now: { nodes: readonly PoolNode[]; nowMs: number; isRegistryStale: boolean }): { seen: Seen; changes: Change[] } {
  const { nowMs, isRegistryStale } = now
  const nodes = now.nodes.filter(({ seenAtMs }) => seenAtMs !== undefined)
  const seenNodes = new Map(nodes.map((node) => [node.serverId, seenNodeOf(node, before?.nodes.get(node.serverId), before?.atMs ?? 0, nowMs)]))
  const state = poolStateOf(now.nodes)
  const canSpeak = state === 'ok' || state === 'degraded'
  const isDown = !canSpeak && (before?.canSpeak === true || before?.isDown === true)
  const seen: Seen = { atMs: nowMs, nodes: seenNodes, isRegistryStale, isDown, canSpeak }
  if (before === undefined) return { seen, changes: [] }
  const changes: Change[] = nodes.flatMap((node) => {
    const after = seenNodes.get(node.serverId)
    return after === undefined ? [] : nodeChanges(before.nodes.get(node.serverId), after, node)
  })
  for (const [serverId, { name }] of before.nodes) if (!seenNodes.has(serverId)) changes.push({ kind: 'node_left', node: name })
  if (isRegistryStale !== before.isRegistryStale) changes.push({ kind: isRegistryStale ? 'registry_lost' : 'registry_back' })
  if (isDown !== before.isDown) changes.push({ kind: isDown ? 'pool_down' : 'pool_back' })
  return { seen, changes }
}

function seenNodeOf(node: PoolNode, before: SeenNode | undefined, lookedAtMs: number, nowMs: number): SeenNode {
  const { enabled, draining, ageMs, health } = node
  const state = isLastResort(health) ? 'resting' : health.state
  const shown = shownState(node)
  const changedAtMs = before === undefined || node.stateSinceMs >= lookedAtMs ? node.stateSinceMs : nowMs
  return {
    name: publicNameOf(node),
    enabled,
    draining,
    isStale: enabled && ageMs > STALE_MS,
    settled: state === 'ready' || state === 'resting' ? state : state === 'gone' ? undefined : before?.settled,
    shown,
    shownSinceMs: before?.shown === shown ? before.shownSinceMs : changedAtMs
  }
}

function nodeChanges(before: SeenNode | undefined, after: SeenNode, { faults: [fault], stateSinceMs }: PoolNode): Change[] {
  const { name: node, enabled, draining, settled, isStale } = after
  const changes: Change[] = []
  if (before === undefined) changes.push({ kind: 'node_joined', node })
  else if (before.enabled && !enabled) changes.push({ kind: 'node_disabled', node })
  else if (!before.draining && draining) changes.push({ kind: 'node_draining', node })
  else if ((!before.enabled && enabled) || (before.draining && !draining)) changes.push({ kind: 'node_enabled', node })
  if (settled !== undefined && settled !== before?.settled) {
    const cause = settled === 'resting' && fault !== undefined && Math.abs(stateSinceMs - fault.atMs) <= CAUSE_MS ? { code: fault.code } : {}
    changes.push({ kind: `node_${settled}`, node, ...cause })
  }
  if (isStale && before?.isStale !== true) changes.push({ kind: 'node_stale', node })
  return changes
}
