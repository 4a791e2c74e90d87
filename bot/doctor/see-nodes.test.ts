import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { readConfig } from '../core/config.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { ServerRow } from '../wire/registry.ts'
import { seeNodes } from './see-nodes.ts'

it('leaves no timer behind when all nodes have been looked at', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const apiUrl = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`
  gone.close()
  await once(gone, 'close')
  const read = readConfig({ NODE_HOSTS: '127.0.0.1' })
  if (!read.ok) throw new Error(read.faults.join())
  const clock = manualClock()
  const row: ServerRow = { serverId: 'a', color: '', label: '', apiUrl, enabled: true, capacity: 1, concurrency: 1, lastSeen: 1 }
  const seen = await seeNodes([row, { ...row, serverId: 'b', enabled: false }], 1, read.config, clock)
  expect(seen.map(({ look }) => (look.at === 'health' ? look.error.code : look.at))).toEqual(['NODE_UNREACHABLE', 'disabled'])
  expect(clock.pending()).toBe(0)
})
