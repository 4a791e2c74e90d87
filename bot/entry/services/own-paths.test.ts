import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import { mayBeOwn } from '../own-paths.ts'

it('a path in which escapes hide escapes without end is taken for one of the bot’s own, and is no work', () => {
  const deep = (levels: number) => `/v1/x${'%'.repeat(levels)}${'3'.repeat(levels)}`
  expect([mayBeOwn(deep(1)), mayBeOwn(deep(3)), mayBeOwn(deep(5_000)), mayBeOwn(`/v1/x%${'25'.repeat(7_000)}41`)]).toEqual([false, false, true, false])
})

it('a service that covers some of the bot’s own paths takes none of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
  const upstream = await startRawUpstream()
  upstream.answer = ({ socket }) => void socket.write(http(200, 'ok'))
  const entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url, paths: ['/v1/*'] }], path: '/v1/*' })
  const caller = await entry.call()
  const ask = async (method: string, path: string) => {
    caller.send(head(`${method} ${path} HTTP/1.1`, 'Host: localhost'))
    return (await caller.answer()).status
  }
  for (const path of ['/v1/models', '/v1/models/x', '/v1/audio/anything', '/v1/audio/speech', '/v1/requests/x', '/v1/requests?x', '/v1/audio%2Fspeech', '/v1/%61udio%2fvoices', '/v1/%2561udio/speech', '/v1%2525252Fmodels', '/v1/audio%252%66speech', '/v1/audio%25%32%66speech', '/v1/audio%%32%66speech', '/v1%5caudio/speech', '/v1//audio/speech', '/v1/audio;x=1/speech']) {
    expect([path, await ask('GET', path), await ask('POST', path)]).toEqual([path, 404, 404])
  }
  expect([upstream.seen.length, await ask('GET', '/v1/anything'), await ask('GET', '/v1/any%2Fthing'), upstream.seen.length]).toEqual([0, 200, 200, 2])
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})
