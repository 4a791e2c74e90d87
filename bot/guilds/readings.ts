import type { Database } from '../core/database.ts'

/** A text channel that is read aloud. */
export interface Reading {
  guildId: string
  /** Where people write: a text channel, a thread, or a voice channel's own chat. */
  textChannelId: string
  /** Where it is heard. */
  voiceChannelId: string
}

/** Text channels that one server may have read at once. */
export const READINGS_MAX = 20

export interface Readings {
  of(guildId: string): readonly Reading[]
  at(textChannelId: string): Reading | undefined
  all(): readonly Reading[]
  /** Reads the channel from now on; one that was read already, to another voice channel, moves there. False when the server has too many. */
  add(reading: Reading): boolean
  /** False when it was not read. */
  remove(textChannelId: string): boolean
  /** Nothing of a server that the bot is no longer in. */
  removeGuild(guildId: string): void
}

/** Which text channels are read to which voice channel: on disk, so that the bot returns after a restart, and in memory, since every message asks. */
export function createReadings(database: Database): Readings {
  database.exec('CREATE TABLE IF NOT EXISTS readings (text_channel_id TEXT PRIMARY KEY, guild_id TEXT NOT NULL, voice_channel_id TEXT NOT NULL) STRICT')
  const rows = database.prepare('SELECT text_channel_id, guild_id, voice_channel_id FROM readings ORDER BY rowid').all()
  const write = database.prepare('INSERT OR REPLACE INTO readings (text_channel_id, guild_id, voice_channel_id) VALUES (?, ?, ?)')
  const erase = database.prepare('DELETE FROM readings WHERE text_channel_id = ?')
  const eraseGuild = database.prepare('DELETE FROM readings WHERE guild_id = ?')
  const known = new Map<string, Reading>()
  for (const row of rows) {
    const reading = { textChannelId: String(row['text_channel_id']), guildId: String(row['guild_id']), voiceChannelId: String(row['voice_channel_id']) }
    known.set(reading.textChannelId, reading)
  }
  const of = (guildId: string) => [...known.values()].filter((reading) => reading.guildId === guildId)
  return {
    of,
    at: (textChannelId) => known.get(textChannelId),
    all: () => [...known.values()],
    add(reading) {
      const { guildId, textChannelId, voiceChannelId } = reading
      if (!known.has(textChannelId) && of(guildId).length >= READINGS_MAX) return false
      write.run(textChannelId, guildId, voiceChannelId)
      known.set(textChannelId, reading)
      return true
    },
    remove(textChannelId) {
      erase.run(textChannelId)
      return known.delete(textChannelId)
    },
    removeGuild(guildId) {
      eraseGuild.run(guildId)
      for (const { textChannelId } of of(guildId)) known.delete(textChannelId)
    }
  }
}
