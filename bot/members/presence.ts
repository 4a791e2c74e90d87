import type { Clock } from '../core/clock.ts'
import { PRESENCE_TTL_MS } from '../wire/registry.ts'
import type { Presence } from '../wire/registry.ts'
import { createPlacements } from './placements.ts'

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
  corrections(): ReadonlyMap<string, number>
}

/**
 * Who of this bot's members uses which node now. A presence is told anew at every sync and forgotten by itself at both ends. The corrections are
 * kept as presences change, and follow from them alone: a hundred thousand members need no counting at each choice.
 * @param onPresent hears of every device that comes to a node (1) or leaves it (-1)
 */
export function createPresences(clock: Pick<Clock, 'monotonic'>, onPresent: (serverId: string, by: 1 | -1) => void = () => {}): Presences {
  const corrections = new Map<string, number>()
  const correct = (serverId: string, by: number) => {
    const sum = (corrections.get(serverId) ?? 0) + by
    if (sum === 0) corrections.delete(serverId)
    else corrections.set(serverId, sum)
  }
  const present = createPlacements((serverId, by) => {
    correct(serverId, by)
    onPresent(serverId, by)
  })
  // Whom the newest list counts for us: it is only changed together with that list, however old that grows.
  const told = createPlacements((serverId, by) => correct(serverId, -by))

  return {
    touch: (deviceId, serverId) => present.set(deviceId, serverId, clock.monotonic() + PRESENT_MS),
    devices() {
      present.forget(clock.monotonic())
      return Array.from(present.entries(), ([deviceId, { serverId }]) => ({ deviceId, serverId }))
    },
    reported(devices) {
      told.forget(clock.monotonic())
      for (const { deviceId, serverId } of devices) told.set(deviceId, serverId, clock.monotonic() + PRESENCE_TTL_MS)
    },
    toldCount: () => told.size(),
    corrections() {
      present.forget(clock.monotonic())
      return corrections
    }
  }
}
