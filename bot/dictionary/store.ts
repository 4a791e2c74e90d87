import type { Database } from '../core/database.ts'
import { keyOf } from './entry.ts'
import type { Entry } from './entry.ts'
import type { Kept } from './replace.ts'

/** Entries on disk, by their scope's key; what is changed is there when the call returns. */
export interface EntryStore {
  /** The oldest first. */
  of(scope: string): Kept[]
  /** A new one, or a change of the one with the same key, which keeps its age. */
  put(scope: string, entry: Entry): void
  remove(scope: string, entry: Pick<Kept, 'id'>): void
}

export function createEntryStore(database: Database): EntryStore {
  database.exec(`CREATE TABLE IF NOT EXISTS dictionary (
    id INTEGER PRIMARY KEY, scope TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, written TEXT NOT NULL, spoken TEXT NOT NULL,
    priority INTEGER NOT NULL, whole_word INTEGER NOT NULL, UNIQUE (scope, kind, key)
  ) STRICT`)
  const read = database.prepare('SELECT id, kind, key, written, spoken, priority, whole_word FROM dictionary WHERE scope = ? ORDER BY id')
  const write = database.prepare(`INSERT INTO dictionary (scope, kind, key, written, spoken, priority, whole_word) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (scope, kind, key) DO UPDATE SET written = excluded.written, spoken = excluded.spoken, priority = excluded.priority, whole_word = excluded.whole_word`)
  const erase = database.prepare('DELETE FROM dictionary WHERE scope = ? AND id = ?')
  return {
    of: (scope) =>
      read.all(scope).map((row) => ({
        id: Number(row['id']),
        key: String(row['key']),
        from: String(row['written']),
        to: String(row['spoken']),
        kind: row['kind'] === 'regex' ? 'regex' : 'literal',
        priority: Number(row['priority']),
        wholeWord: row['whole_word'] === 1
      })),
    put(scope, entry) {
      write.run(scope, entry.kind, keyOf(entry), entry.from, entry.to, entry.priority, Number(entry.wholeWord))
    },
    remove(scope, { id }) {
      erase.run(scope, id)
    }
  }
}
