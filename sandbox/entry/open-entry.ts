import { manualClock } from '../../bot/core/manual-clock.ts'
import type { ManualClock } from '../../bot/core/manual-clock.ts'
import { openDatabase } from '../../bot/core/database.ts'
import { silentLog } from '../../bot/core/log.ts'
import { createMetrics } from '../../bot/core/metrics.ts'
import { createNodeClient } from '../../bot/nodes/client.ts'
import { createPool } from '../../bot/nodes/pool.ts'
import type { Pool } from '../../bot/nodes/pool.ts'
import { createAdmission } from '../../bot/entry/keys/admission.ts'
import { createAdmit } from '../../bot/entry/keys/admit.ts'
import { createApiKeys } from '../../bot/entry/keys/api-keys.ts'
import type { ApiKeys } from '../../bot/entry/keys/api-keys.ts'
import { createMeasures } from '../../bot/entry/measure.ts'
import type { Measures } from '../../bot/entry/measure.ts'
import { startEntry } from '../../bot/entry/server.ts'
import { Manifest } from '../../bot/entry/services/manifest.ts'
import { createServices } from '../../bot/entry/services/serve-services.ts'
import { openRawCaller } from './raw-caller.ts'
import type { RawCaller } from './raw-caller.ts'

export interface TestNode {
  serverId: string
  url: string
  paths?: string[]
  enabled?: boolean
  /** It will not answer the pool’s probes: do not wait until it has. */
  isDead?: boolean
}

export interface TestEntry {
  port: number
  clock: ManualClock
  pool: Pool
  keys: ApiKeys
  measures: Measures
  /** The list that the pool is to have from now on. Resolves when the pool has heard from its nodes: after that it leaves them alone. */
  list(nodes: readonly TestNode[]): Promise<void>
  call(): Promise<RawCaller>
  /** Requests of the service that wait for a place. */
  waiting(): number
  /** As when a key is revoked. */
  dismiss(callerId: string): void
  close(): Promise<void>
}

/** The real entry in front of nodes: one service, `/work` and all below it unless another path is given, with any method. Time stands still until it is told to go on. */
export async function openEntry({ folder, nodes, limits = {}, nodeKey = 'node-secret', access = 'key', host = '127.0.0.1', path = '/work/*' }: {
  folder: string
  nodes: readonly TestNode[]
  limits?: Record<string, number>
  /** `null`: the nodes ask for none. */
  nodeKey?: string | null
  access?: 'key' | 'anyone'
  host?: string
  path?: string
}): Promise<TestEntry> {
  const clock = manualClock()
  const metrics = createMetrics()
  const hosts = ['127.0.0.1', '.nodes.example']
  const client = createNodeClient({ clock, hosts })
  const pool = createPool({ client, clock, log: silentLog, metrics })
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  const { services: listed } = Manifest.parse({ services: [{ path, methods, smoke: [{ path: path.replace('*', 'x') }], access, limits }] })
  const database = openDatabase(folder)
  const keys = createApiKeys(database, clock)
  const measures = createMeasures(clock)
  const services = createServices({ services: listed, pool, hosts, nodeKey: nodeKey ?? undefined, admit: createAdmit(keys, createAdmission(clock)), measures, clock, log: silentLog })
  const list = async (wanted: readonly TestNode[]) => {
    pool.update(
      wanted.map(({ serverId, url, paths = ['/work/*'], enabled = true }) => ({
        serverId, color: '', label: '', apiUrl: url, enabled, capacity: 10, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0, paths
      }))
    )
    services.follow()
    const awaited = wanted.filter(({ isDead, enabled }) => isDead !== true && enabled !== false)
    while (!awaited.every(({ serverId }) => pool.nodes().some((node) => node.serverId === serverId && node.health.state === 'ready'))) await new Promise(setImmediate)
  }
  await list(nodes)
  const entry = await startEntry({ host, port: 0, log: silentLog, metrics, clock, measures, services, ready: () => ({ ok: true }) })
  const callers: RawCaller[] = []
  return {
    port: entry.port,
    clock, pool, keys, measures, list,
    waiting: () => services.waiting(),
    dismiss: (callerId) => services.dismiss(callerId),
    async call() {
      const caller = await openRawCaller(entry.port, host)
      callers.push(caller)
      return caller
    },
    async close() {
      for (const caller of callers) caller.leave()
      await entry.close()
      pool.close()
      await client.close()
      database.close()
    }
  }
}
