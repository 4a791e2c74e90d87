import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'

/** 32 random bytes that never leave this bot's disk: made at the first start and kept, since whatever was made with them is known by it later. */
export function keptSecret(database: Database, name: string): Uint8Array {
  database.exec('CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT')
  database.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)').run(name, randomBytes(32))
  return database.prepare('SELECT value FROM secrets WHERE name = ?').get(name)?.['value'] as Uint8Array
}
