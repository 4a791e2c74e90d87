import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { manualClock } from '../../core/manual-clock.ts'
import { createMetrics } from '../../core/metrics.ts'
import { createMeasures } from '../measure.ts'
import { startEntry } from '../server.ts'
import { poolNodeOf } from '../status/test-pool-node.ts'
import { Manifest } from './manifest.ts'
import { createServices } from './serve-services.ts'

it('the services know how many requests wait for a place at a node', async () => {
  const held: ServerResponse[] = []
  const upstream = createServer((request, response) => {
    request.resume()
    held.push(response)
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  const node = poolNodeOf('a', { apiUrl: `http://127.0.0.1:${String((upstream.address() as AddressInfo).port)}`, paths: ['/work'] })
  const clock = manualClock()
  const measures = createMeasures(clock)
  const { services: listed } = Manifest.parse({ services: [{ path: '/work', smoke: [{ path: '/work' }], access: 'anyone', limits: { concurrency: 2 } }] })
  const services = createServices({
    services: listed, pool: { nodes: () => [node], usable: () => node }, hosts: ['127.0.0.1'], admit: () => ({ ok: false, reason: 'no_key' }), measures, clock, log: silentLog
  })
  const entry = await startEntry({ host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), clock, measures, services, ready: () => ({ ok: true }) })
  const asked = Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${String(entry.port)}/work`).then(({ status }) => status))
  await expect.poll(() => [measures.upstreams()[0]?.inFlight, services.waiting()]).toEqual([5, 3])
  for (let answered = 0; answered < 5; answered++) {
    await expect.poll(() => held.length).toBeGreaterThan(answered)
    held[answered]?.end('ok')
  }
  expect([await Promise.all(asked), services.waiting()]).toEqual([[200, 200, 200, 200, 200], 0])
  await entry.close()
  upstream.close()
  upstream.closeAllConnections()
})
