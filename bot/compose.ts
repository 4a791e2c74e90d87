import { commands } from '../commands/index.ts'
import { systemClock } from './core/clock.ts'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { openDatabase } from './core/database.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import type { App } from './discord/app.ts'
import { createClient, start } from './discord/client.ts'
import { startHttp } from './http/server.ts'
import { createAssignments } from './members/assignments.ts'
import { createDeviceIds } from './members/device-id.ts'
import { createPresences } from './members/presence.ts'
import { createNodeClient } from './nodes/client.ts'
import { createPool } from './nodes/pool.ts'
import { httpRegistry } from './registry/client.ts'
import { embeddedRegistry } from './registry/embedded.ts'
import { createRoster, seenAgeMs } from './registry/roster.ts'
import type { RosterView } from './registry/roster.ts'
import { startSync } from './registry/sync.ts'
import { createChoose } from './speech/choose.ts'
import { createRelay } from './speech/relay.ts'
import { createSessions } from './voice/sessions.ts'

export interface Bot {
  app: App
  /** Where the bot's HTTP listens. */
  httpPort: number
  close: () => Promise<void>
}

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
  const assignments = createAssignments(database, clock.now())
  const presences = createPresences(clock)

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
    devices: () => (told = presences.devices()),
    clock,
    log,
    metrics
  })

  const choose = createChoose({ pool, assignments, presences, clock, log })
  const relay = createRelay({ pool, choose, clock, log, metrics })
  const sessions = createSessions({ clock, log, metrics })
  const admins = new Set(config.ADMIN_USER_IDS)
  const app: App = {
    pool,
    relay,
    sessions,
    assignments,
    deviceIdOf: createDeviceIds(database),
    registry,
    sync,
    isAdmin: (userId) => admins.has(userId),
    clock,
    log,
    metrics
  }

  const client = createClient({ apiUrl: config.DISCORD_API_URL, log })
  const closing: (() => unknown)[] = [() => sessions.closeAll(), () => client.destroy(), () => sync.stop(), () => pool.close(), () => nodeClient.close()]
  const close = async () => {
    for (const step of closing) await step()
    database.close()
  }
  try {
    const http = await startHttp({ host: config.HTTP_HOST, port: config.HTTP_PORT, metrics, registry: embedded?.routes() })
    closing.push(() => http.close())
    await start(client, { token: config.DISCORD_TOKEN ?? '', apiUrl: config.DISCORD_API_URL, log, commands, app, admins })
    return { app, httpPort: http.port, close }
  } catch (error) {
    await close()
    throw error
  }
}
