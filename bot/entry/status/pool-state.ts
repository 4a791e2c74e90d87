import { canSpeak } from '../../nodes/node.ts'
import type { PoolNode } from '../../nodes/node.ts'
import type { Snapshot } from './snapshot.ts'

/** Whether the pool can speak. A node that is disabled or being emptied is not missed: somebody decided so; nor is one without voices, which is there for other services. */
export function poolStateOf(nodes: readonly PoolNode[]): Snapshot['state'] {
  if (nodes.length === 0) return 'empty'
  const wanted = nodes.filter(({ enabled, draining, voices }) => enabled && !draining && voices?.length !== 0)
  const able = wanted.filter(canSpeak)
  return able.length === 0 ? 'down' : able.length < wanted.length ? 'degraded' : 'ok'
}

const REGISTRY_STALE_MS = 90_000

/** @param ageMs of its last good list; infinite when none has ever come: then the time since the start counts */
export function isRegistryStale(ageMs: number, uptimeMs: number): boolean {
  return (Number.isFinite(ageMs) ? ageMs : uptimeMs) > REGISTRY_STALE_MS
}
