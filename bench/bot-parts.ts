import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../bot/core/clock.ts'
import { openDatabase } from '../bot/core/database.ts'
import { silentLog } from '../bot/core/log.ts'
import { createMetrics } from '../bot/core/metrics.ts'
import { createAssignments } from '../bot/members/assignments.ts'
import { createPresences } from '../bot/members/presence.ts'
import { createNodeClient } from '../bot/nodes/client.ts'
import { createPool } from '../bot/nodes/pool.ts'
import { createChoose } from '../bot/speech/choose.ts'
import { DEFAULT_RULES, TEXT_MAX } from '../bot/speech/reading/read.ts'
import type { ReadingContext } from '../bot/speech/reading/read.ts'
import { createRelay } from '../bot/speech/relay.ts'
import type { Received } from '../sandbox/fault-node.ts'

/** How a server reads that chose nothing, in full; nobody is known by name. */
export const PLAIN_READING: ReadingContext = {
  names: { user: () => undefined, role: () => undefined, channel: () => undefined },
  rules: { ...DEFAULT_RULES, maxLength: TEXT_MAX },
  replace: (text) => text,
  nowMs: 0
}

/** The bot's own parts from the relay down, as `compose.ts` puts them together, without Discord. */
export function botParts() {
  const clock = systemClock
  const metrics = createMetrics()
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-bench-'))
  const database = openDatabase(folder)
  const client = createNodeClient({ clock, hosts: ['127.0.0.1'] })
  const pool = createPool({ client, clock, log: silentLog, metrics })
  const assignments = createAssignments(database, clock.now(), silentLog)
  const choose = createChoose({ pool, assignments, presences: createPresences(clock), clock, log: silentLog })
  const relay = createRelay({ pool, choose, clock, log: silentLog, metrics })
  const close = async () => {
    pool.close()
    await client.close()
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { pool, relay, assignments, metrics, close }
}

/** A fault node on another thread. */
export async function workerNode(serverId: string, latencyMs: number) {
  const worker = new Worker(new URL('./node-worker.ts', import.meta.url), { workerData: { serverId, latencyMs } })
  const [url] = (await once(worker, 'message')) as [string]
  return {
    serverId,
    url,
    /** What it has received since this was last asked. */
    async received(): Promise<Received[]> {
      worker.postMessage({ ask: 'received' })
      const [received] = (await once(worker, 'message')) as [Received[]]
      return received
    },
    close: () => worker.terminate()
  }
}

export const row = (serverId: string, apiUrl: string, concurrency = 1) => ({
  serverId, color: '', label: '', apiUrl, enabled: true, capacity: 10, concurrency, activeCount: 0, lastSeen: 0, ageMs: 0
})
