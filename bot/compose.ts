import type { Client } from 'discord.js'
import { commands } from '../commands/index.ts'
import { createAudioCache } from './audio/cache.ts'
import { sleep, systemClock } from './core/clock.ts'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config.ts'
import { openDataDir } from './core/data-dir.ts'
import type { Database } from './core/database.ts'
import { keptSecret } from './core/kept-secret.ts'
import type { Log } from './core/log.ts'
import { createMetrics } from './core/metrics.ts'
import { createFiles } from './delivery/files.ts'
import { createDictionaries } from './dictionary/dictionaries.ts'
import type { App } from './discord/app.ts'
import { ContentRefused, createClient, start } from './discord/client.ts'
import { listeners } from './discord/guild.ts'
import { canReadMessages } from './discord/intents.ts'
import { tellOver } from './discord/notices.ts'
import { createPanels } from './discord/panels.ts'
import { watchVoice } from './discord/voice-watch.ts'
import { createMutes } from './guilds/mutes.ts'
import { createReadings } from './guilds/readings.ts'
import { createSettings } from './guilds/settings.ts'
import { createStays } from './guilds/stays.ts'
import { documentationSites } from './entry/docs/documentation-sites.ts'
import { createAdmission } from './entry/keys/admission.ts'
import { createAdmit, isKnown } from './entry/keys/admit.ts'
import { createApiKeys } from './entry/keys/api-keys.ts'
import { addressOf } from './entry/listen.ts'
import { createMeasures } from './entry/measure.ts'
import { startEntry } from './entry/server.ts'
import { serveSites } from './entry/sites/serve-sites.ts'
import { readManifest } from './entry/services/manifest.ts'
import { createServices } from './entry/services/serve-services.ts'
import { poolHealth } from './entry/speech/pool-health.ts'
import { createSpeech } from './entry/speech/serve-speech.ts'
import { STATUS_SITES, serveDefaultSites } from './entry/status/default-sites.ts'
import { createHistoryTable } from './entry/status/history-table.ts'
import { createHistory } from './entry/status/history.ts'
import { recordSegments, recordServices } from './entry/status/record.ts'
import { createStatus } from './entry/status/serve-status.ts'
import { waitingAt } from './entry/status/take-snapshot.ts'
import { createAssignments } from './members/assignments.ts'
import { createDeviceIds } from './members/device-id.ts'
import { createFirstTimes } from './members/first-times.ts'
import { createPreferences } from './members/preferences.ts'
import { createPresences } from './members/presence.ts'
import { createNodeClient } from './nodes/client.ts'
import { createDrains } from './nodes/drain.ts'
import { measurePool } from './nodes/measure.ts'
import { createPool } from './nodes/pool.ts'
import { tagsBy } from './nodes/tag.ts'
import { testNode } from './nodes/test-node.ts'
import { startReader } from './reader/start-reader.ts'
import { httpRegistry } from './registry/client.ts'
import { embeddedRegistry } from './registry/embedded.ts'
import { createRoster, seenAgeMs } from './registry/roster.ts'
import type { RosterView } from './registry/roster.ts'
import { startSync } from './registry/sync.ts'
import { cachedRelay } from './speech/cached.ts'
import { createChoose } from './speech/choose.ts'
import { createMoveMembers } from './speech/move-members.ts'
import { createRelay } from './speech/relay.ts'
import { createPacer } from './voice/pacer.ts'
import { createSessions } from './voice/sessions.ts'

export interface Bot {
  app: App
  client: Client
  /** The one connection to it. */
  database: Database
  /** Where the bot's HTTP listens. */
  httpPort: number
  /** Where others reach it, without a slash at its end: the status page is there. */
  entryUrl: string
  /** Finishes what plays and the files under way (7 s at most), tells those who wait, leaves the channels, and ends: below the 10 s after which a container is killed. */
  close: () => Promise<void>
}

const FINISH_LIMIT_MS = 7_000
const ANSWER_LIMIT_MS = 1_500

/** Half an hour of speech or so. */
const CACHE_MAX_BYTES = 32 * 1024 * 1024

/** Builds the bot of its parts and starts it. @throws LoginError; StorageError; ManifestError; or when the HTTP address is taken, or `DATA_DIR` can't be used */
export async function startBot(options: { config: Config; log: Log; clock?: Clock; content?: boolean }): Promise<Bot> {
  const { config, log, clock = systemClock, content = true } = options
  const metrics = createMetrics()
  const manifest = readManifest(config.SERVICES_FILE)
  // Everything that is kept on disk.
  const dataDir = openDataDir(
    config.DATA_DIR,
    (database) => ({
      embedded: config.GAS_URL === undefined ? embeddedRegistry({ database, key: config.REGISTRY_KEY, clock, log, onChange: () => void sync.now() }) : undefined,
      roster: createRoster({ database, clock, log }),
      assignments: createAssignments(database, clock.now(), log),
      deviceIdOf: createDeviceIds(database),
      preferences: createPreferences(database),
      settings: createSettings(database),
      readings: createReadings(database),
      mutes: createMutes(database),
      stays: createStays(database),
      dictionaries: createDictionaries(database),
      apiKeys: createApiKeys(database, clock),
      tagOf: tagsBy(keptSecret(database, 'node-tag')),
      historyTable: createHistoryTable(database)
    }),
    { clock, log }
  )
  const { database } = dataDir
  const { embedded, roster, assignments, deviceIdOf, preferences, settings, readings, mutes, stays, dictionaries, apiKeys, tagOf, historyTable } = dataDir.parts
  const registry = embedded ?? httpRegistry({ url: config.GAS_URL ?? '', key: config.REGISTRY_KEY, clock })

  const nodeClient = createNodeClient({ clock, nodeKey: config.NODE_KEY, hosts: config.NODE_HOSTS })
  const history = createHistory({ table: historyTable, clock, log, waiting: () => waitingAt(pool.nodes()) + services.waiting() })
  const measures = createMeasures(clock)
  const pool = createPool({ client: recordSegments(nodeClient, history, clock), clock, log, metrics, measure: (node) => measures.ask(node), tagOf })
  measurePool(metrics, pool)
  const admit = createAdmit(apiKeys, createAdmission(clock))
  const recorded = recordServices(measures, history)
  const services = createServices({ services: manifest.services, pool, hosts: config.NODE_HOSTS, nodeKey: config.NODE_KEY, admit, measures: recorded, clock, log })
  const presences = createPresences(clock)

  const client = createClient({ apiUrl: config.DISCORD_API_URL, log })
  const files = createFiles()
  const sessions = createSessions({
    clock,
    // Packets keep the time of those who listen, whatever clock the rest runs by.
    pacer: createPacer(systemClock),
    log,
    metrics,
    onOver: (over) => void tellOver(client, over, { log, settings })
  })
  watchVoice(client, sessions)

  // The roster feeds the pool; what was told in a call is what the list of the same call counts.
  let told = presences.devices()
  const fillPool = (view: RosterView) => pool.update(view.servers.map((server) => ({ ...server, ageMs: seenAgeMs(view, server) })))
  fillPool(roster.current())
  services.follow()
  roster.subscribe((view) => {
    presences.reported(told)
    fillPool(view)
    services.follow()
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
  const drains = createDrains({
    pool,
    clock,
    log,
    moveMembers: createMoveMembers({ assignments, presences, choose }),
    async disable(serverId) {
      await registry.setEnabled(serverId, false)
      await sync.now()
    }
  })
  const panels = createPanels({ clock, log })
  const relay = cachedRelay(createRelay({ pool, choose, clock, log, metrics }), createAudioCache(CACHE_MAX_BYTES), metrics)
  const admins = new Set(config.ADMIN_USER_IDS)
  let httpPort = config.HTTP_PORT
  const entryUrl = () => config.ENTRY_URL ?? addressOf(config.HTTP_HOST, httpPort)
  const status = createStatus({
    pool,
    listAgeMs: () => roster.current().ageMs,
    sessions,
    readings,
    services,
    measures,
    history,
    metrics,
    drains,
    registry,
    sync,
    testNode: (node) => testNode({ client: nodeClient, clock, log }, node),
    isAdmin: (userId) => app.isAdmin(userId),
    entryUrl,
    clock,
    log
  })
  const app: App = {
    pool,
    relay,
    sessions,
    files,
    assignments,
    deviceIdOf,
    preferences,
    settings,
    readings,
    mutes,
    stays,
    dictionaries,
    apiKeys: {
      ...apiKeys,
      revoke(id) {
        services.dismiss(id)
        return apiKeys.revoke(id)
      }
    },
    drains,
    testNode: status.testNode,
    panels,
    adminLink: status.adminLink,
    registry,
    sync,
    isFirstTime: createFirstTimes(),
    commandIds: new Map(),
    canReadMessages: () => canReadMessages(client),
    isAdmin: (userId) => admins.has(userId),
    clock,
    log,
    metrics
  }

  const speech = createSpeech({ pool, relay, deviceIdOf, admit, clock, log, metrics })
  const reader = startReader(client, app)
  let untilAnswered: () => Promise<unknown> = () => Promise.resolve()
  const closing: (() => unknown)[] = [
    () => reader.stop(),
    () => files.refuse(),
    () => drains.close(),
    () => Promise.race([Promise.all([sessions.closeAll(FINISH_LIMIT_MS), untilAnswered(), panels.close()]), sleep(clock, FINISH_LIMIT_MS)]),
    () => files.abort(),
    () => Promise.race([Promise.all([untilAnswered(), reader.settled()]), sleep(clock, ANSWER_LIMIT_MS)]),
    () => client.destroy(),
    () => sync.stop(),
    () => pool.close(),
    () => nodeClient.close(),
    () => status.close()
  ]
  const close = async () => {
    for (const step of closing) await step()
    await dataDir.close()
  }
  try {
    const documentation = await documentationSites({ dataDir: config.DATA_DIR, log })
    const http = await startEntry({
      host: config.HTTP_HOST,
      port: config.HTTP_PORT,
      log,
      metrics,
      ready: () => (poolHealth(pool).ready ? { ok: true } : { ok: false, reason: 'No node can speak right now.' }),
      registry: embedded?.routes(),
      hasKey: config.REGISTRY_KEY !== undefined,
      health: () => poolHealth(pool),
      clock,
      measures,
      mayMeasure: (incoming) => isKnown(apiKeys, incoming),
      services,
      parts: [speech.part, status.part],
      // After the services, which a site for every path would swallow: the user's own sites as they are, then ours.
      lastParts: [serveSites(manifest.sites, { clock }), serveDefaultSites([...documentation, ...STATUS_SITES], { clock })]
    })
    httpPort = http.port
    closing.push(() => http.close(), () => speech.close())
    untilAnswered = await start(client, { token: config.DISCORD_TOKEN ?? '', apiUrl: config.DISCORD_API_URL, log, commands, app, admins, content })
    return { app, client, database, httpPort, entryUrl: entryUrl(), close }
  } catch (error) {
    await close()
    if (error instanceof ContentRefused) {
      log.warn(error.message)
      return startBot({ ...options, content: false })
    }
    throw error
  }
}
