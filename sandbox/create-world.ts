import { EventEmitter } from 'node:events'
import type { Clock } from '../bot/core/clock.ts'
import type { World } from './world.ts'
import { seedGuild } from './seed.ts'
import type { GuildSeed } from './seed.ts'

/** Discord's snowflakes count milliseconds from the first second of 2015. */
const EPOCH_MS = 1_420_070_400_000

export const APPLICATION_ID = '1100000000000000001'

export interface WorldOptions {
  clock: Clock
  token: string
  guilds: readonly GuildSeed[]
}

/**
 * A new world with its guilds. What is seeded has the same ids at every start, so that what a bot keeps on disk about a
 * member still fits after a restart; everything later gets a rising snowflake of its time.
 */
export function createWorld({ clock, token, guilds }: WorldOptions): World {
  const events: World['events'] = new EventEmitter()
  // Every gateway connection and every open page listens.
  events.setMaxListeners(0)
  let lastId = 0n
  const world: World = {
    guilds: new Map(),
    users: new Map(),
    application: { id: APPLICATION_ID, name: 'Voxpool', token, ownerId: '', publicKey: '0'.repeat(64) },
    commands: new Map(),
    messages: new Map(),
    interactions: new Map(),
    dms: new Map(),
    uploads: new Map(),
    events,
    nextId() {
      const fromTime = BigInt(Math.max(0, Math.floor(clock.now()) - EPOCH_MS)) << 22n
      lastId = fromTime > lastId ? fromTime : lastId + 1n
      return String(lastId)
    }
  }
  world.users.set(APPLICATION_ID, { id: APPLICATION_ID, username: 'voxpool', displayName: 'Voxpool', bot: true, color: '#3d5a80' })
  guilds.forEach((seed, index) => seedGuild(world, seed, index))
  return world
}
