import type { Database } from '../core/database.ts'
import type { Log } from '../core/log.ts'

export interface Assignments {
  /** The node that a device was given, or undefined. */
  get(deviceId: string): string | undefined
  /** Gives the device a node, or says that it still uses it; it stays there until it is given another. */
  set(deviceId: string, serverId: string, atMs: number): void
  /** The devices that were given this node. */
  at(serverId: string): string[]
  /** Forgets who was given this node: each is given one anew at the next use. */
  release(serverId: string): void
}

/** A member who has not spoken for this long is given a node anew. */
const KEPT_MS = 30 * 24 * 3_600_000

/** How often the use of a node is written down. */
const REFRESHED_MS = 24 * 3_600_000

/** Member -> node, sticky, on disk: a restart moves nobody. Read from memory, since every segment asks. */
export function createAssignments(database: Database, nowMs: number, log: Log): Assignments {
  database.exec('CREATE TABLE IF NOT EXISTS assignments (device_id TEXT PRIMARY KEY, server_id TEXT NOT NULL, assigned_at INTEGER NOT NULL) STRICT')
  database.prepare('DELETE FROM assignments WHERE assigned_at < ?').run(nowMs - KEPT_MS)
  const rows = database.prepare('SELECT device_id, server_id, assigned_at FROM assignments').all()
  const assigned = new Map(rows.map((row) => [String(row['device_id']), { serverId: String(row['server_id']), atMs: Number(row['assigned_at']) }]))
  const write = database.prepare(
    'INSERT INTO assignments (device_id, server_id, assigned_at) VALUES (?, ?, ?) ON CONFLICT (device_id) DO UPDATE SET server_id = excluded.server_id, assigned_at = excluded.assigned_at'
  )
  const remove = database.prepare('DELETE FROM assignments WHERE server_id = ?')
  const at = (serverId: string) => Array.from(assigned).flatMap(([deviceId, each]) => (each.serverId === serverId ? [deviceId] : []))
  return {
    at,
    release(serverId) {
      for (const deviceId of at(serverId)) assigned.delete(deviceId)
      try {
        remove.run(serverId)
      } catch (error) {
        log.error({ err: error }, 'assignments were not forgotten')
      }
    },
    get: (deviceId) => assigned.get(deviceId)?.serverId,
    set(deviceId, serverId, atMs) {
      const before = assigned.get(deviceId)
      if (before?.serverId === serverId && atMs - before.atMs < REFRESHED_MS) return
      assigned.set(deviceId, { serverId, atMs })
      try {
        write.run(deviceId, serverId, atMs)
      } catch (error) {
        // A full disk costs stickiness over a restart, not the member's words.
        log.error({ err: error }, 'an assignment was not kept')
      }
    }
  }
}
