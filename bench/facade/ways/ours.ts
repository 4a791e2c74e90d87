import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdmission } from '../../../bot/entry/keys/admission.ts'
import { createAdmit } from '../../../bot/entry/keys/admit.ts'
import { createApiKeys } from '../../../bot/entry/keys/api-keys.ts'
import { createMeasures } from '../../../bot/entry/measure.ts'
import { startEntry } from '../../../bot/entry/server.ts'
import { Manifest } from '../../../bot/entry/services/manifest.ts'
import { createServices } from '../../../bot/entry/services/serve-services.ts'
import { systemClock } from '../../../bot/core/clock.ts'
import { openDatabase } from '../../../bot/core/database.ts'
import { silentLog } from '../../../bot/core/log.ts'
import { createMetrics } from '../../../bot/core/metrics.ts'
import { createNodeClient } from '../../../bot/nodes/client.ts'
import { createPool } from '../../../bot/nodes/pool.ts'
import { row } from '../../bot-parts.ts'
import type { Way } from '../way.ts'

/** The entry as the bot has it: each path a service of the manifest, each upstream a node of the pool. The first may be flooded; the others have the usual places. */
export const ours: Way = async (paths) => {
  const clock = systemClock
  const metrics = createMetrics()
  const hosts = ['127.0.0.1']
  const client = createNodeClient({ clock, hosts })
  const pool = createPool({ client, clock, log: silentLog, metrics })
  pool.update(paths.map(({ path, port }) => ({ ...row(path.slice(1), `http://127.0.0.1:${port}`, 64), paths: [path] })))
  const { services: listed } = Manifest.parse({
    services: paths.map(({ path }, index) => ({ path, smoke: [{ path }], limits: index === 0 ? { concurrency: 64, waitingMax: 64 } : {} }))
  })
  const measures = createMeasures(clock)
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-bench-'))
  const admit = createAdmit(createApiKeys(openDatabase(folder), clock), createAdmission(clock))
  // Whoever ends this process kills it; Linux keeps an open file until then.
  rmSync(folder, { recursive: true })
  const services = createServices({ services: listed, pool, hosts, nodeKey: 'secret', admit, measures, clock, log: silentLog })
  const { port } = await startEntry({ host: '127.0.0.1', port: 0, log: silentLog, metrics, clock, measures, services, ready: () => ({ ok: true }) })
  return port
}
