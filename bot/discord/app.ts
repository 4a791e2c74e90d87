import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Files } from '../delivery/files.ts'
import type { Dictionaries } from '../dictionary/dictionaries.ts'
import type { Mutes } from '../guilds/mutes.ts'
import type { Readings } from '../guilds/readings.ts'
import type { SettingsStore } from '../guilds/settings.ts'
import type { Stays } from '../guilds/stays.ts'
import type { ApiKeys } from '../members/api-key.ts'
import type { Assignments } from '../members/assignments.ts'
import type { DeviceIdOf } from '../members/device-id.ts'
import type { Preferences } from '../members/preferences.ts'
import type { Drains } from '../nodes/drain.ts'
import type { PoolNode } from '../nodes/node.ts'
import type { Pool } from '../nodes/pool.ts'
import type { NodeTest } from '../nodes/test-node.ts'
import type { Registry } from '../registry/client.ts'
import type { Sync } from '../registry/sync.ts'
import type { Relay } from '../speech/relay.ts'
import type { Sessions } from '../voice/sessions.ts'
import type { Panels } from './panels.ts'

/** What a command may use: built once by `compose.ts`, passed to every command. */
export interface App {
  pool: Pool
  relay: Relay
  sessions: Sessions
  files: Files
  assignments: Assignments
  deviceIdOf: DeviceIdOf
  preferences: Preferences
  /** For what is told to a member once. */
  isFirstTime: (what: string) => boolean
  settings: SettingsStore
  readings: Readings
  mutes: Mutes
  stays: Stays
  dictionaries: Dictionaries
  /** Of programs that speak through the entry. */
  apiKeys: ApiKeys
  /** Nodes that are being emptied. */
  drains: Drains
  /** Speaks through one node, and looks for the request at both ends. */
  testNode(node: Pick<PoolNode, 'serverId' | 'apiUrl'>): Promise<NodeTest>
  panels: Panels
  /** A new link to the status page that lets who follows it first act as this admin. `isLocal`: it leads nowhere but on the bot's own machine. */
  adminLink(userId: string): { url: string; minutes: number; isLocal: boolean }
  registry: Registry
  sync: Sync
  /** The ids that Discord gave the commands, by their names; empty before they are registered. */
  commandIds: Map<string, string>
  /** Whether Discord tells the bot what people write: the message-content intent. */
  canReadMessages(): boolean
  /** The application's owner, its team, and `ADMIN_USER_IDS`. */
  isAdmin(userId: string): boolean
  clock: Clock
  log: Log
  metrics: Metrics
}
