import type { Database } from '../core/database.ts'
import { SpeechRequest } from '../wire/node.ts'

/** How somebody sounds; what is absent is left to the next wider scope, and at last to the text and the voice itself. Units are those of contract 2. */
export interface Sound {
  voice?: string
  /** A factor, 0.25 to 4. */
  speed?: number
  /** Semitones, -12 to 12. */
  pitch?: number
  /** A factor, 0 to 2. */
  volume?: number
}

/** Whose choice it is: a member's everywhere (`userId`), a member's in one server (both), a server's default (`guildId`). */
export type Scope = { userId: string; guildId?: string } | { guildId: string; userId?: undefined }

export interface Preferences {
  /** What is kept in this very scope; empty when nothing is. */
  get(scope: Scope): Sound
  /** Puts `sound` in place of what is kept there; an empty one forgets it. On disk when it returns. */
  set(scope: Scope, sound: Sound): void
  /** How a member sounds in a server: each field from the narrowest scope that has it. */
  soundOf(guildId: string, userId: string): Sound
}

const FIELDS = ['voice', 'speed', 'pitch', 'volume'] as const satisfies readonly (keyof Sound)[]

export function createPreferences(database: Database): Preferences {
  database.exec(`CREATE TABLE IF NOT EXISTS sounds (
    guild_id TEXT NOT NULL, user_id TEXT NOT NULL, voice TEXT, speed REAL, pitch REAL, volume REAL, PRIMARY KEY (guild_id, user_id)
  ) STRICT`)
  const read = database.prepare('SELECT voice, speed, pitch, volume FROM sounds WHERE guild_id = ? AND user_id = ?')
  const forget = database.prepare('DELETE FROM sounds WHERE guild_id = ? AND user_id = ?')
  const write = database.prepare('INSERT OR REPLACE INTO sounds (guild_id, user_id, voice, speed, pitch, volume) VALUES (?, ?, ?, ?, ?, ?)')
  const keyOf = ({ guildId, userId }: Scope) => [guildId ?? '', userId ?? ''] as const
  const get = (scope: Scope): Sound => {
    const row = read.get(...keyOf(scope))
    // What no node would take (another version kept it) counts as not chosen.
    const kept = FIELDS.filter((field) => row?.[field] != null && SpeechRequest.shape[field].safeParse(row[field]).success)
    return Object.fromEntries(kept.map((field) => [field, row?.[field]]))
  }
  return {
    get,
    set(scope, { voice, speed, pitch, volume }) {
      const values = [voice, speed, pitch, volume].map((value) => value ?? null)
      if (values.every((value) => value === null)) forget.run(...keyOf(scope))
      else write.run(...keyOf(scope), ...values)
    },
    soundOf: (guildId, userId) => ({ ...get({ guildId }), ...get({ userId }), ...get({ guildId, userId }) })
  }
}
