import * as z from 'zod'
import type { Database } from '../core/database.ts'
import { LANGUAGES } from '../i18n/index.ts'

const Snowflake = z.string().regex(/^\d{15,21}$/)

/** How long a message may be that is read, in graphemes. */
export const READ_LENGTH = { min: 10, max: 2000 }

/** What a server chose; every field has a default, so that an older row, or none, reads as a whole one. */
export const GuildSettings = z.object({
  /** Of the words that the bot itself speaks ("a link"); `auto`: the text's own. */
  language: z.enum(['auto', ...LANGUAGES]).default('auto'),
  /** Who may change these settings, beside those who manage the server. */
  managerRoleId: Snowflake.nullable().default(null),
  // Who is read.
  /** Only members with this role are read. */
  readerRoleId: Snowflake.nullable().default(null),
  readsBots: z.boolean().default(false),
  readsWebhooks: z.boolean().default(false),
  /** Only people in the voice channel are read. */
  onlyInVoice: z.boolean().default(false),
  // What is read, and how.
  saysName: z.boolean().default(false),
  announces: z.boolean().default(false),
  links: z.enum(['skip', 'word', 'site']).default('word'),
  attachments: z.enum(['skip', 'kind']).default('kind'),
  emoji: z.enum(['skip', 'name']).default('name'),
  spoilers: z.enum(['skip', 'word', 'read']).default('word'),
  code: z.enum(['skip', 'word', 'read']).default('word'),
  /** A longer message is read up to here. */
  maxLength: z.int().min(READ_LENGTH.min).max(READ_LENGTH.max).default(300),
  /** A line that begins so is not read; empty: every line is. */
  skipPrefix: z.string().max(8).default(';'),
  /** Speaks faster while the queue is long. */
  speedsUp: z.boolean().default(true),
  // Coming and going.
  autoJoin: z.boolean().default(true),
  autoLeave: z.boolean().default(true),
  /** Leaves after this time without a word; 0: never. */
  idleMinutes: z.int().min(0).max(1440).default(0)
})
export type GuildSettings = z.infer<typeof GuildSettings>

export interface SettingsStore {
  get(guildId: string): GuildSettings
  /** Changes some of them and returns all. On disk when it returns. */
  change(guildId: string, change: Partial<GuildSettings>): GuildSettings
}

/** A server's settings, on disk as one JSON each, in memory once they were read: every message asks. */
export function createSettings(database: Database): SettingsStore {
  database.exec('CREATE TABLE IF NOT EXISTS guild_settings (guild_id TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT')
  const read = database.prepare('SELECT settings FROM guild_settings WHERE guild_id = ?')
  const write = database.prepare('INSERT OR REPLACE INTO guild_settings (guild_id, settings) VALUES (?, ?)')
  const known = new Map<string, GuildSettings>()
  const get = (guildId: string): GuildSettings => {
    const there = known.get(guildId)
    if (there !== undefined) return there
    const settings = parse(read.get(guildId)?.['settings'])
    known.set(guildId, settings)
    return settings
  }
  return {
    get,
    change(guildId, change) {
      const settings = GuildSettings.parse({ ...get(guildId), ...change })
      write.run(guildId, JSON.stringify(settings))
      known.set(guildId, settings)
      return settings
    }
  }
}

/** Field by field, so that one that no longer fits (another version wrote it) costs that field alone. */
function parse(row: unknown): GuildSettings {
  let given: unknown
  try {
    given = JSON.parse(typeof row === 'string' ? row : '{}')
  } catch {
    given = {}
  }
  const fields = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const shape = new Map<string, z.ZodType>(Object.entries(GuildSettings.shape))
  return GuildSettings.parse(Object.fromEntries(fields.filter(([name, value]) => shape.get(name)?.safeParse(value).success)))
}
