import type { PoolNode } from '../../nodes/node.ts'

/** For tests: a node of the pool that is well, but for what is given. */
export function poolNodeOf(serverId: string, given: Partial<PoolNode> = {}): PoolNode {
  return {
    serverId, tag: `tag-of-${serverId}`, color: '#e64980', label: `Node ${serverId}`, apiUrl: `https://${serverId}.example`, enabled: true, capacity: 10, concurrency: 1, activeCount: 3, ageMs: 1_000, seenAtMs: 8_800, health: { state: 'ready' },
    stateSinceMs: 500, draining: false, inFlight: 0, busyUntilMs: 0, latency: undefined, voices: undefined, about: undefined, faults: [], ...given
  }
}

export const RESTING: PoolNode['health'] = { state: 'resting', untilMs: 0, rest: undefined as never, answered: false }
