import type { Assignments } from '../members/assignments.ts'
import type { Presences } from '../members/presence.ts'
import type { Choose } from './choose.ts'

/**
 * Gives the members of a node that is not to be used any more other nodes, and says how many were there. Who is present is given one now, each by
 * the usual choice, which counts those who were just given one: none is flooded. Who is not gets one at the next use, by the loads of that moment.
 */
export function createMoveMembers({ assignments, presences, choose }: { assignments: Assignments; presences: Presences; choose: Choose }) {
  return (serverId: string): number => {
    const present = new Set(presences.devices().map(({ deviceId }) => deviceId))
    let moved = 0
    for (const deviceId of assignments.at(serverId)) {
      const node = present.has(deviceId) ? choose.own(deviceId) : undefined
      if (node === undefined) continue
      presences.touch(deviceId, node.serverId)
      moved += 1
    }
    assignments.release(serverId)
    return moved
  }
}
