import { randomBytes } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { isDiskFault } from '../../core/database.ts'
import type { Database } from '../../core/database.ts'
import type { ApiKey, ApiKeys, KeyLimits } from '../../members/api-key.ts'
import { hashOf, newSecret } from '../secrets.ts'

export type { ApiKey, ApiKeys } from '../../members/api-key.ts'

export const KEY_LIMITS_DEFAULT: KeyLimits = { perMinute: 60, concurrency: 4 }

/** Keys that may be in use at once. */
export const KEYS_MAX = 1_000

const USED_EVERY_MS = 3_600_000

/**
 * The keys of programs that speak through the entry. Only a hash of each secret is kept: a stolen disk opens no door.
 */
export function createApiKeys(database: Database, clock: Pick<Clock, 'now'>): ApiKeys {
  database.exec(`CREATE TABLE IF NOT EXISTS api_keys (
    id TEXT PRIMARY KEY, hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL, per_minute INTEGER NOT NULL, concurrency INTEGER NOT NULL,
    created_at INTEGER NOT NULL, used_at INTEGER
  ) STRICT`)
  const insert = database.prepare('INSERT INTO api_keys (id, hash, name, per_minute, concurrency, created_at) VALUES (?, ?, ?, ?, ?, ?)')
  const erase = database.prepare('DELETE FROM api_keys WHERE id = ?')
  const use = database.prepare('UPDATE api_keys SET used_at = ? WHERE id = ?')
  const byHash = new Map<string, ApiKey>()
  for (const row of database.prepare('SELECT * FROM api_keys ORDER BY created_at').all()) {
    const usedAt = row['used_at']
    byHash.set(String(row['hash']), {
      id: String(row['id']), name: String(row['name']), perMinute: Number(row['per_minute']), concurrency: Number(row['concurrency']),
      createdAtMs: Number(row['created_at']), usedAtMs: typeof usedAt === 'number' ? usedAt : null
    })
  }
  /** For people to read: a full disk must not close the door over it. */
  function note(usedAtMs: number, id: string) {
    try {
      use.run(usedAtMs, id)
    } catch (error) {
      if (!isDiskFault(error)) throw error
    }
  }

  return {
    make(name, limits = {}) {
      if (byHash.size >= KEYS_MAX) return undefined
      const secret = `vox-${newSecret()}`
      const key = { id: randomBytes(4).toString('hex'), name, ...KEY_LIMITS_DEFAULT, ...limits, createdAtMs: clock.now(), usedAtMs: null }
      insert.run(key.id, hashOf(secret), name, key.perMinute, key.concurrency, key.createdAtMs)
      byHash.set(hashOf(secret), key)
      return { key, secret }
    },
    list: () => [...byHash.values()],
    revoke(id) {
      const found = [...byHash].find(([, key]) => key.id === id)
      if (found === undefined) return false
      erase.run(id)
      return byHash.delete(found[0])
    },
    keyOf(secret) {
      const key = byHash.get(hashOf(secret))
      if (key !== undefined && clock.now() - (key.usedAtMs ?? -Infinity) > USED_EVERY_MS) {
        key.usedAtMs = clock.now()
        note(key.usedAtMs, key.id)
      }
      return key
    }
  }
}
