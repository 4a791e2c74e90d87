import { PRESENCE_TTL_MS } from '../../bot/wire/registry.ts'
import type { Presence, ServerRow } from '../../bot/wire/registry.ts'
import { createPlacements } from '../../bot/members/placements.ts'
import type { SpeechNode } from './speech-node.ts'

export type ListedRow = Omit<ServerRow, 'lastSeen' | 'assignedCount'> & { ageMs: number }

export interface Listing {
  tell(devices: readonly Presence[]): void
  /** Every node, the dead ones too, with the devices that were told of in the last 90 s. */
  rows(): ListedRow[]
}

/** The registry as all bots share it: it knows what it is told, when it is told. */
export function createListing(nodes: readonly SpeechNode[], nowMs: () => number): Listing {
  const counts = new Map<string, number>()
  const told = createPlacements((serverId, by) => void counts.set(serverId, (counts.get(serverId) ?? 0) + by))
  return {
    tell(devices) {
      for (const { deviceId, serverId } of devices) told.set(deviceId, serverId, nowMs() + PRESENCE_TTL_MS)
    },
    rows() {
      told.forget(nowMs())
      return nodes.map((node) => {
        const { serverId, capacity, concurrency } = node
        return { serverId, color: '', label: '', apiUrl: node.address(), enabled: true, capacity, concurrency, activeCount: counts.get(serverId) ?? 0, ageMs: nowMs() - node.lastSeenMs() }
      })
    }
  }
}
