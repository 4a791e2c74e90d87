import type { Client } from 'discord.js'
import { commands } from '../commands/index.ts'
import { createAudioCache } from './audio/cache.ts'
import { sleep, systemClock } from './core/clock.ts'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { openDatabase } from './core/database.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { createFiles } from './delivery/files.ts'
import type { App } from './discord/app.ts'
import { createClient, start } from './discord/client.ts'
import { listeners } from './discord/guild.ts'
import { createReadings } from './guilds/readings.ts'
import { createSettings } from './guilds/settings.ts'
import { startHttp } from './http/server.ts'
import { createAssignments } from './members/assignments.ts'
import { createDeviceIds } from './members/device-id.ts'
import { createPreferences } from './members/preferences.ts'
import { createPresences } from './members/presence.ts'
import { createNodeClient } from './nodes/client.ts'
import { measurePool } from './nodes/measure.ts'
import { createPool } from './nodes/pool.ts'
import { httpRegistry } from './registry/client.ts'
import { embeddedRegistry } from './registry/embedded.ts'
import { createRoster, seenAgeMs } from './registry/roster.ts'
import type { RosterView } from './registry/roster.ts'
import { startSync } from './registry/sync.ts'
import { cachedRelay } from './speech/cached.ts'
import { createChoose } from './speech/choose.ts'
import { createRelay } from './speech/relay.ts'
import { createSessions } from './voice/sessions.ts'

export interface Bot {
  app: App
  client: Client
  /** Where the bot's HTTP listens. */
  httpPort: number
  /** Finishes what plays and the files under way (7 s at most), tells those who wait, leaves the channels, and ends: below the 10 s after which a container is killed. */
  close: () => Promise<void>
}

const FINISH_LIMIT_MS = 7_000
const ANSWER_LIMIT_MS = 1_500

/** Half an hour of speech or so. */
const CACHE_MAX_BYTES = 32 * 1024 * 1024

/** Builds the bot of its parts and starts it. @throws LoginError; or when the HTTP address is taken, or the database can't be opened */
export async function startBot(options: { config: Config; log: Log; clock?: Clock }): Promise<Bot> {
  const { config, log, clock = systemClock } = options
  const metrics = createMetrics()
  const database = openDatabase(config.DATA_DIR)

  const embedded = config.GAS_URL === undefined ? embeddedRegistry({ database, key: config.REGISTRY_KEY, clock, log, onChange: () => void sync.now() }) : undefined
  const registry = embedded ?? httpRegistry({ url: config.GAS_URL ?? '', key: config.REGISTRY_KEY, clock })
  const roster = createRoster({ database, clock })

  const nodeClient = createNodeClient({ clock, nodeKey: config.NODE_KEY, hosts: config.NODE_HOSTS })
  const pool = createPool({ client: nodeClient, clock, log, metrics })
  measurePool(metrics, pool)
  const assignments = createAssignments(database, clock.now(), log)
  const presences = createPresences(clock)

  const client = createClient({ apiUrl: config.DISCORD_API_URL, log })
  const files = createFiles()
  const sessions = createSessions({ clock, log, metrics })
  const deviceIdOf = createDeviceIds(database)

  // The roster feeds the pool; what was told in a call is what the list of the same call counts.
  let told = presences.devices()
  const fillPool = (view: RosterView) => pool.update(view.servers.map((server) => ({ ...server, ageMs: seenAgeMs(view, server) })))
  fillPool(roster.current())
  roster.subscribe((view) => {
    presences.reported(told)
    fillPool(view)
  })
  const sync = startSync({
    registry,
    roster,
    devices: () => {
      for (const deviceId of listeners(client, sessions, deviceIdOf)) {
        const serverId = assignments.get(deviceId)
        if (serverId !== undefined) presences.touch(deviceId, serverId)
      }
      return (told = presences.devices())
    },
    clock,
    log,
    metrics
  })

  const choose = createChoose({ pool, assignments, presences, clock, log })
  const relay = cachedRelay(createRelay({ pool, choose, clock, log, metrics }), createAudioCache(CACHE_MAX_BYTES), metrics)
  const admins = new Set(config.ADMIN_USER_IDS)
  const app: App = {
    pool,
    relay,
    sessions,
    files,
    assignments,
    deviceIdOf,
    preferences: createPreferences(database),
    settings: createSettings(database),
    readings: createReadings(database),
    registry,
    sync,
    isAdmin: (userId) => admins.has(userId),
    clock,
    log,
    metrics
  }

  let untilAnswered: () => Promise<unknown> = () => Promise.resolve()
  const closing: (() => unknown)[] = [
    () => files.refuse(),
    () => Promise.race([Promise.all([sessions.closeAll(FINISH_LIMIT_MS), untilAnswered()]), sleep(clock, FINISH_LIMIT_MS)]),
    () => files.abort(),
    () => Promise.race([untilAnswered(), sleep(clock, ANSWER_LIMIT_MS)]),
    () => client.destroy(),
    () => sync.stop(),
    () => pool.close(),
    () => nodeClient.close()
  ]
  const close = async () => {
    for (const step of closing) await step()
    database.close()
  }
  try {
    const http = await startHttp({ host: config.HTTP_HOST, port: config.HTTP_PORT, metrics, registry: embedded?.routes(), hasKey: config.REGISTRY_KEY !== undefined })
    closing.push(() => http.close())
    untilAnswered = await start(client, { token: config.DISCORD_TOKEN ?? '', apiUrl: config.DISCORD_API_URL, log, commands, app, admins })
    return { app, client, httpPort: http.port, close }
  } catch (error) {
    await close()
    throw error
  }
}
