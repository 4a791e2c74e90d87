import type { Changes, Device, Event, Server, State } from '../../gas/registry.ts'
import type { Store } from '../../gas/serve.ts'
import { transaction } from '../core/database.ts'
import type { Database } from '../core/database.ts'

/** Rows of an older version tell no moment of registration, and no paths. */
type KeptServer = Omit<Server, 'registeredAt' | 'paths'> & Partial<Pick<Server, 'registeredAt' | 'paths'>>

/**
 * The registry's state in two tables, made when missing. Each call is one transaction; SQLite lets no other write come between.
 * @param onEvents gets what happened, once it is kept
 */
export function sqliteStore(database: Database, onEvents: (events: readonly Event[]) => void): Store {
  database.exec(`
    CREATE TABLE IF NOT EXISTS registry_servers (server_id TEXT PRIMARY KEY, server TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS registry_devices (device_id TEXT PRIMARY KEY, server_id TEXT NOT NULL, last_seen_ms INTEGER NOT NULL) STRICT;
  `)
  const allServers = database.prepare('SELECT server FROM registry_servers ORDER BY rowid')
  const allDevices = database.prepare('SELECT device_id AS deviceId, server_id AS serverId, last_seen_ms AS lastSeen FROM registry_devices')
  const putServer = database.prepare(
    'INSERT INTO registry_servers (server_id, server) VALUES (?, ?) ON CONFLICT (server_id) DO UPDATE SET server = excluded.server'
  )
  const removeServer = database.prepare('DELETE FROM registry_servers WHERE server_id = ?')
  const clearDevices = database.prepare('DELETE FROM registry_devices')
  const addDevice = database.prepare('INSERT INTO registry_devices (device_id, server_id, last_seen_ms) VALUES (?, ?, ?)')

  function read(withDevices: boolean): State {
    return {
      servers: allServers.all().map(({ server }) => ({ registeredAt: 0, paths: [], ...(JSON.parse(String(server)) as KeptServer) })),
      devices: withDevices ? (allDevices.all() as unknown as Device[]) : []
    }
  }

  function keep({ put, remove, devices }: Changes): void {
    for (const server of put) putServer.run(server.serverId, JSON.stringify(server))
    for (const serverId of remove) removeServer.run(serverId)
    if (devices === null) return
    clearDevices.run()
    for (const { deviceId, serverId, lastSeen } of devices) addDevice.run(deviceId, serverId, lastSeen)
  }

  return {
    read,
    write(withDevices, decide) {
      const { answer, changes } = transaction(database, () => {
        const outcome = decide(read(withDevices))
        keep(outcome.changes)
        return outcome
      })
      onEvents(changes.log)
      return answer
    }
  }
}
