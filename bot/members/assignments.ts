import type { Database } from '../core/database.ts'

export interface Assignments {
  /** The node that a device was given, or undefined. */
  get(deviceId: string): string | undefined
  /** Gives the device a node; it stays there until it is given another. */
  set(deviceId: string, serverId: string, atMs: number): void
  /** Devices per node, of this bot. */
  counts(): Map<string, number>
}

/** A member who has not spoken for this long is given a node anew. */
const KEPT_MS = 30 * 24 * 3_600_000

/** Member -> node, sticky, on disk: a restart moves nobody. Read from memory, since every segment asks. */
export function createAssignments(database: Database, nowMs: number): Assignments {
  database.exec('CREATE TABLE IF NOT EXISTS assignments (device_id TEXT PRIMARY KEY, server_id TEXT NOT NULL, assigned_at INTEGER NOT NULL) STRICT')
  database.prepare('DELETE FROM assignments WHERE assigned_at < ?').run(nowMs - KEPT_MS)
  const rows = database.prepare('SELECT device_id, server_id FROM assignments').all()
  const assigned = new Map(rows.map((row) => [String(row['device_id']), String(row['server_id'])]))
  const write = database.prepare(
    'INSERT INTO assignments (device_id, server_id, assigned_at) VALUES (?, ?, ?) ON CONFLICT (device_id) DO UPDATE SET server_id = excluded.server_id, assigned_at = excluded.assigned_at'
  )
  return {
    get: (deviceId) => assigned.get(deviceId),
    set(deviceId, serverId, atMs) {
      if (assigned.get(deviceId) === serverId) return
      assigned.set(deviceId, serverId)
      write.run(deviceId, serverId, atMs)
    },
    counts() {
      const counts = new Map<string, number>()
      for (const serverId of assigned.values()) counts.set(serverId, (counts.get(serverId) ?? 0) + 1)
      return counts
    }
  }
}
