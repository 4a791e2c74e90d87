import type { Database } from '../core/database.ts'

/** Who decided that a member is not read: they themselves, or somebody who manages the bot here. Each lifts their own alone. */
export type Muter = 'self' | 'manager'

export interface Mutes {
  /** Why a member is not read; nothing when they are. A manager's word counts first. */
  of(guildId: string, userId: string): Muter | undefined
  /** On disk when it returns. */
  set(guildId: string, userId: string, by: Muter, isMuted: boolean): void
  /** Whom managers muted, `max` of them at most. */
  byManagers(guildId: string, max: number): string[]
}

/** Members who are not read, on disk. */
export function createMutes(database: Database): Mutes {
  database.exec(`CREATE TABLE IF NOT EXISTS mutes (
    guild_id TEXT NOT NULL, user_id TEXT NOT NULL, muter TEXT NOT NULL, PRIMARY KEY (guild_id, user_id, muter)
  ) STRICT, WITHOUT ROWID`)
  const read = database.prepare('SELECT min(muter) AS muter FROM mutes WHERE guild_id = ? AND user_id = ?')
  const list = database.prepare("SELECT user_id FROM mutes WHERE guild_id = ? AND muter = 'manager' LIMIT ?")
  const write = database.prepare('INSERT OR IGNORE INTO mutes (guild_id, user_id, muter) VALUES (?, ?, ?)')
  const erase = database.prepare('DELETE FROM mutes WHERE guild_id = ? AND user_id = ? AND muter = ?')
  return {
    of(guildId, userId) {
      const muter = read.get(guildId, userId)?.['muter']
      return muter === 'manager' || muter === 'self' ? muter : undefined
    },
    set: (guildId, userId, by, isMuted) => void (isMuted ? write : erase).run(guildId, userId, by),
    byManagers: (guildId, max) => list.all(guildId, max).map((row) => String(row['user_id']))
  }
}
