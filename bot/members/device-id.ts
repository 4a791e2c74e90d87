import { createHmac } from 'node:crypto'
import type { Database } from '../core/database.ts'
import { keptSecret } from '../core/kept-secret.ts'

export type DeviceIdOf = (guildId: string, userId: string) => string

/**
 * A member's id in the pool: an HMAC of guild and user under a secret that never leaves this bot's disk, so that neither registry nor node can
 * tell who it is, or that two guilds share a member. Assignments hang on the ids.
 */
export function createDeviceIds(database: Database): DeviceIdOf {
  const secret = keptSecret(database, 'device-id')
  return (guildId, userId) => createHmac('sha256', secret).update(`${guildId}:${userId}`).digest('base64url').slice(0, 27)
}
