import type { Clock } from '../core/clock.ts'
import { PRESENCE_TTL_MS } from '../wire/registry.ts'
import type { Presence } from '../wire/registry.ts'

/** A member is present from the first use until this long after the last. */
export const PRESENT_MS = 5 * 60_000

export interface Presences {
  /** The member used this node now. */
  touch(deviceId: string, serverId: string): void
  /** Who is present, for the registry. */
  devices(): Presence[]
  /** The registry has been told of these, and has listed after that. */
  reported(devices: readonly Presence[]): void
  /** Devices of ours that the registry's newest list counts. */
  toldCount(): number
  /** Per node: devices there now less those that the registry's newest list counts there for us. */
  corrections(): Map<string, number>
}

/**
 * Who of this bot's members uses which node now. A presence is told anew at every sync and forgotten by itself at both ends; nothing is ever
 * counted up and down, so nothing drifts.
 */
export function createPresences(clock: Clock): Presences {
  const present = new Map<string, { serverId: string; untilMs: number }>()
  // Whom the newest list counts for us: it is only changed together with that list, however old that grows.
  const told = new Map<string, { serverId: string; untilMs: number }>()

  const forget = (map: Map<string, { untilMs: number }>) => {
    for (const [deviceId, { untilMs }] of map) if (untilMs <= clock.monotonic()) map.delete(deviceId)
  }

  return {
    touch(deviceId, serverId) {
      present.set(deviceId, { serverId, untilMs: clock.monotonic() + PRESENT_MS })
    },
    devices() {
      forget(present)
      return Array.from(present, ([deviceId, { serverId }]) => ({ deviceId, serverId }))
    },
    reported(devices) {
      forget(told)
      const untilMs = clock.monotonic() + PRESENCE_TTL_MS
      for (const { deviceId, serverId } of devices) told.set(deviceId, { serverId, untilMs })
    },
    toldCount: () => told.size,
    corrections() {
      forget(present)
      const corrections = new Map<string, number>()
      const add = (serverId: string, count: number) => corrections.set(serverId, (corrections.get(serverId) ?? 0) + count)
      for (const { serverId } of present.values()) add(serverId, 1)
      for (const { serverId } of told.values()) add(serverId, -1)
      return corrections
    }
  }
}
