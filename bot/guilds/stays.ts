import type { Database } from '../core/database.ts'

export interface Stays {
  /** The voice channel where the bot was last in this server; nothing when it had left. */
  of(guildId: string): string | undefined
  /** On disk when it returns; nothing (`null`) when it has left. */
  set(guildId: string, voiceChannelId: string | null): void
}

/** Where the bot is in each server, on disk: what a start after a kill has of the time before. */
export function createStays(database: Database): Stays {
  database.exec('CREATE TABLE IF NOT EXISTS stays (guild_id TEXT PRIMARY KEY, voice_channel_id TEXT NOT NULL) STRICT, WITHOUT ROWID')
  const read = database.prepare('SELECT voice_channel_id FROM stays WHERE guild_id = ?')
  const write = database.prepare('INSERT OR REPLACE INTO stays (guild_id, voice_channel_id) VALUES (?, ?)')
  const erase = database.prepare('DELETE FROM stays WHERE guild_id = ?')
  return {
    of(guildId) {
      const row = read.get(guildId)
      return row === undefined ? undefined : String(row['voice_channel_id'])
    },
    set(guildId, voiceChannelId) {
      if (voiceChannelId === null) erase.run(guildId)
      else write.run(guildId, voiceChannelId)
    }
  }
}
