import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

it('a service of every path takes none of the bot’s own, and no admin’s session with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
  const upstream = await startRawUpstream()
  upstream.answer = ({ socket }) => void socket.write(http(200, 'ok'))
  const entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url, paths: ['/*'] }], path: '/*' })
  const caller = await entry.call()
  const ask = async (method: string, path: string) => {
    caller.send(head(`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Cookie: voxpool_admin=secret'))
    return (await caller.answer()).status
  }
  for (const path of ['/api', '/api/anything', '/api/session/', '/registry', '/registry?action=list', '/docs/x', '/vendor/x', '/v1/models/x']) {
    expect([path, await ask('GET', path), await ask('POST', path)]).toEqual([path, 404, 404])
  }
  expect([upstream.seen.length, await ask('GET', '/anything'), upstream.seen.length]).toEqual([0, 200, 1])
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})
