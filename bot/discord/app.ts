import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Files } from '../delivery/files.ts'
import type { Readings } from '../guilds/readings.ts'
import type { SettingsStore } from '../guilds/settings.ts'
import type { Assignments } from '../members/assignments.ts'
import type { DeviceIdOf } from '../members/device-id.ts'
import type { Preferences } from '../members/preferences.ts'
import type { Pool } from '../nodes/pool.ts'
import type { Registry } from '../registry/client.ts'
import type { Sync } from '../registry/sync.ts'
import type { Relay } from '../speech/relay.ts'
import type { Sessions } from '../voice/sessions.ts'

/** What a command may use: built once by `compose.ts`, passed to every command. */
export interface App {
  pool: Pool
  relay: Relay
  sessions: Sessions
  files: Files
  assignments: Assignments
  deviceIdOf: DeviceIdOf
  preferences: Preferences
  settings: SettingsStore
  readings: Readings
  registry: Registry
  sync: Sync
  /** The application's owner, its team, and `ADMIN_USER_IDS`. */
  isAdmin(userId: string): boolean
  clock: Clock
  log: Log
  metrics: Metrics
}
