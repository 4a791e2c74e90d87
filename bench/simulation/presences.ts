import { PRESENT_MS } from '../../bot/members/presence.ts'
import type { Presences } from '../../bot/members/presence.ts'
import { PRESENCE_TTL_MS } from '../../bot/wire/registry.ts'
import { createPlacements } from './placements.ts'

/**
 * The bot's presences with corrections that are kept instead of counted at each choice, which would be a hundred thousand steps for each of
 * a hundred thousand members. A test holds it against the bot's own.
 */
export function createKeptPresences(nowMs: () => number, onPresent: (serverId: string, by: 1 | -1) => void): Presences {
  const corrections = new Map<string, number>()
  const correct = (serverId: string, by: number) => void corrections.set(serverId, (corrections.get(serverId) ?? 0) + by)
  const present = createPlacements((serverId, by) => {
    correct(serverId, by)
    onPresent(serverId, by)
  })
  const told = createPlacements((serverId, by) => correct(serverId, -by))

  return {
    touch: (deviceId, serverId) => present.set(deviceId, serverId, nowMs() + PRESENT_MS),
    devices() {
      present.forget(nowMs())
      return Array.from(present.entries(), ([deviceId, { serverId }]) => ({ deviceId, serverId }))
    },
    reported(devices) {
      told.forget(nowMs())
      for (const { deviceId, serverId } of devices) told.set(deviceId, serverId, nowMs() + PRESENCE_TTL_MS)
    },
    toldCount: () => told.size(),
    corrections() {
      present.forget(nowMs())
      return corrections
    }
  }
}
