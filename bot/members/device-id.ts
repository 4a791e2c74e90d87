import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../core/database.ts'

export type DeviceIdOf = (guildId: string, userId: string) => string

/**
 * A member's id in the pool: an HMAC of guild and user under a secret that never leaves this bot's disk, so that neither registry nor node can
 * tell who it is, or that two guilds share a member. The secret is made at the first start and kept, since assignments hang on the ids.
 */
export function createDeviceIds(database: Database): DeviceIdOf {
  database.exec('CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT')
  database.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)').run('device-id', randomBytes(32))
  const row = database.prepare('SELECT value FROM secrets WHERE name = ?').get('device-id')
  const secret = row?.['value'] as Uint8Array
  return (guildId, userId) => createHmac('sha256', secret).update(`${guildId}:${userId}`).digest('base64url').slice(0, 27)
}
