import type { Database } from '../../core/database.ts'
import type { HistoryPoint } from './snapshot.ts'

/** The history on disk: a restart is a gap in it, not its end. */
export interface HistoryTable {
  /** The oldest first. */
  since(atMs: number): HistoryPoint[]
  /** Takes the place of what there is at the same time. */
  put(point: HistoryPoint): void
  /** Forgets what is older. */
  forgetBefore(atMs: number): void
}

export function createHistoryTable(database: Database): HistoryTable {
  database.exec('CREATE TABLE IF NOT EXISTS pool_history (at INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failed INTEGER NOT NULL, waiting INTEGER NOT NULL, p95_ms INTEGER) STRICT')
  const select = database.prepare('SELECT at, requests, failed, waiting, p95_ms FROM pool_history WHERE at >= ? ORDER BY at')
  const insert = database.prepare('INSERT OR REPLACE INTO pool_history (at, requests, failed, waiting, p95_ms) VALUES (?, ?, ?, ?, ?)')
  const erase = database.prepare('DELETE FROM pool_history WHERE at < ?')
  return {
    since: (atMs) =>
      select.all(atMs).map(({ at, requests, failed, waiting, p95_ms: p95Ms }) => ({
        at: Number(at), requests: Number(requests), failed: Number(failed), waiting: Number(waiting), p95Ms: p95Ms === null ? null : Number(p95Ms)
      })),
    put: ({ at, requests, failed, waiting, p95Ms }) => void insert.run(at, requests, failed, waiting, p95Ms),
    forgetBefore: (atMs) => void erase.run(atMs)
  }
}
