import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { Answer, RawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

const A_TEXT: unknown = expect.any(String)
const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
let upstream: RawUpstream
let entry: TestEntry

beforeAll(async () => {
  upstream = await startRawUpstream()
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }] })
})

beforeEach(() => {
  upstream.seen = []
})

afterAll(async () => {
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})

/** Asks with and without a connection that is kept: the answer has to be the same. */
const CONNECTIONS = ['keep-alive', 'close'] as const

async function ask(caller: RawCaller, method: string, connection: string): Promise<Answer> {
  const body = method === 'POST' ? 'hello' : ''
  caller.send(head(`${method} /work/x HTTP/1.1`, 'Host: localhost', 'X-Request-Id: r1', `Connection: ${connection}`, ...(body === '' ? [] : ['Content-Length: 5'])) + body)
  return caller.answer({ isBodiless: method === 'HEAD' })
}

/** What is said of an error: everything but the message. */
function expectRefusal(answer: Answer, status: number, code: string) {
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.body)).toEqual({ ok: false, error: { code, message: A_TEXT, requestId: 'r1' } })
  expect(answer.all('x-request-id')).toEqual(['r1'])
  expect(answer.header('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.header('x-content-type-options')).toBe('nosniff')
  expect(answer.raw).not.toContain(new URL(upstream.url).port)
}

describe.each(CONNECTIONS)('over a connection that says %s', (connection) => {
  it.each([200, 201, 202, 206, 207, 226, 300, 301, 302, 303, 307, 308, 400, 401, 403, 404, 409, 413, 422, 429, 500])('%i comes as it is, with its body', async (status) => {
    upstream.answer = ({ socket }) => void socket.write(http(status, '{"theirs":1}', ['X-Theirs: 1', 'Retry-After: 7']))
    for (const method of ['GET', 'POST']) {
      const answer = await ask(await entry.call(), method, connection)
      expect([answer.status, answer.body, answer.header('x-theirs'), answer.header('retry-after')]).toEqual([status, '{"theirs":1}', '1', '7'])
      expect(answer.all('x-request-id')).toEqual(['r1'])
    }
  })

  it.each([402, 405, 406, 408, 410, 411, 412, 414, 415, 416, 417, 418, 421, 423, 425, 426, 428, 431, 451, 499, 501, 502, 503, 504, 507, 511, 520, 530, 599])('%i is the upstream’s failure: 502, without its body', async (status) => {
    upstream.answer = ({ socket }) => void socket.write(http(status, `connect ECONNREFUSED ${upstream.url}`, ['X-Theirs: 1']))
    for (const method of ['GET', 'POST']) {
      const answer = await ask(await entry.call(), method, connection)
      expectRefusal(answer, 502, 'upstream_failed')
      expect(answer.header('x-theirs')).toBeUndefined()
    }
    expect(upstream.seen).toHaveLength(2)
  })

  it.each([
    ['ngrok, of an endpoint that is offline', 404, 'ngrok-error-code: ERR_NGROK_3200'], ['ngrok, for browsers', 200, 'ngrok-error-code: ERR_NGROK_6024'],
    ['Cloudflare, of too many requests', 429, 'server: cloudflare\r\ncontent-type: text/html; charset=UTF-8']
  ])('a page of %s is no answer of the upstream’s: 502, without its body', async (_, status, headers) => {
    upstream.answer = ({ socket }) => void socket.write(http(status, `<p>The endpoint ${upstream.url} is offline`, [headers]))
    const answer = await ask(await entry.call(), 'GET', connection)
    expectRefusal(answer, 502, 'upstream_failed')
    expect(answer.header('ngrok-error-code')).toBeUndefined()
  })

  it.each([102, 103])('%i is no answer yet', async (status) => {
    upstream.answer = ({ socket }) => void socket.write(`HTTP/1.1 ${status} Soon\r\nLink: </x>\r\n\r\n${http(200, 'ok')}`)
    const answer = await ask(await entry.call(), 'GET', connection)
    expect([answer.status, answer.body, answer.header('link')]).toEqual([200, 'ok', undefined])
  })

  it.each([204, 304])('%i has no body', async (status) => {
    upstream.answer = ({ socket }) => void socket.write(`HTTP/1.1 ${status} Nothing\r\nETag: "e"\r\n\r\n`)
    const caller = await entry.call()
    for (let time = 0; time < (connection === 'close' ? 1 : 2); time++) {
      const answer = await ask(caller, 'GET', connection)
      expect([answer.status, answer.header('etag'), answer.header('transfer-encoding')]).toEqual([status, '"e"', undefined])
    }
    expect(caller.held()).toBe('')
  })

  it('204 has no length either, and what comes as its body is no answer to the next request', async () => {
    upstream.answer = ({ socket, body }) => void socket.write(body === '' ? `HTTP/1.1 204 Nothing\r\ncontent-length: 5\r\n\r\n${http(200, 'planted')}` : http(200, 'own'))
    const caller = await entry.call()
    const answer = await ask(caller, 'GET', connection)
    expect([answer.status, answer.header('content-length'), answer.header('transfer-encoding'), caller.held()]).toEqual([204, undefined, undefined, ''])
    expect((await ask(connection === 'close' ? await entry.call() : caller, 'POST', connection)).body).toBe('own')
  })

  it('has a header in any encoding, wherever the length stands', async () => {
    upstream.answer = ({ socket }) => void socket.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Disposition: attachment; filename="日本.png"\r\n\r\nok'))
    const answer = await ask(await entry.call(), 'GET', connection)
    expect([answer.status, answer.body, Buffer.from(answer.header('content-disposition') ?? '', 'latin1').toString()]).toEqual([200, 'ok', 'attachment; filename="日本.png"'])
  })

  it('that only its connection’s end ends is not whole where that was a break', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\n\r\nhello', () => socket.resetAndDestroy())
    const caller = await entry.call()
    await expect(ask(caller, 'GET', connection)).rejects.toThrow()
    await caller.ended()
    upstream.answer = ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\n\r\nhello')
    expect((await ask(await entry.call(), 'GET', connection)).body).toBe('hello')
  })

  it('304 says the length that a 200 would have', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 304 Same\r\ncontent-length: 5\r\n\r\n')
    const answer = await ask(await entry.call(), 'HEAD', connection)
    expect([answer.status, answer.header('content-length')]).toEqual([304, '5'])
  })

  it('HEAD has the length and no body', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1234\r\n\r\n')
    const caller = await entry.call()
    const answer = await ask(caller, 'HEAD', connection)
    expect([answer.status, answer.header('content-length')]).toEqual([200, '1234'])
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 1234\r\n\r\n')
    const failed = await ask(await entry.call(), 'HEAD', connection)
    expect(failed.status).toBe(502)
    expect(caller.held()).toBe('')
  })

  it.each([
    ['of no length, until the end', (body: string) => `HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`],
    ['in chunks', (body: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`],
    ['in chunks with trailers', (body: string) => `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntrailer: x-sum\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\nx-sum: 1\r\n\r\n`],
    ['by HTTP/1.0', (body: string) => `HTTP/1.0 200 OK\r\n\r\n${body}`]
  ])('a body %s comes whole', async (_, write) => {
    const body = 'a body of some length. '.repeat(10_000)
    upstream.answer = ({ socket }) => {
      socket.write(write(body))
      if (!write('').includes('chunked')) socket.end()
    }
    const answer = await ask(await entry.call(), 'GET', connection)
    expect(answer.status).toBe(200)
    expect(answer.body).toBe(body)
    expect(answer.header('x-sum')).toBeUndefined()
  })

  it.each([
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['has two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nokk'],
    ['has a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['comes in another encoding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['has a head that never ends', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}`],
    ['has a broken head', 'HTTP/1.1 200 OK\r\nnot a header\r\n\r\n'],
    ['folds a line', 'HTTP/1.1 200 OK\r\nx-a: b\r\n c\r\ncontent-length: 2\r\n\r\nok'],
    ['has bare LF', 'HTTP/1.1 200 OK\nx-a: b\ncontent-length: 2\n\nok'],
    ['has a CR alone in a value', 'HTTP/1.1 200 OK\r\nx-a: b\rset-cookie: c\r\ncontent-length: 2\r\n\r\nok'],
    ['says chunks twice', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
    ['has a status that is none', 'HTTP/1.1 099 What\r\ncontent-length: 0\r\n\r\n'],
    ['switches protocols unasked', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n']
  ])('what %s is 502', async (_, bytes) => {
    upstream.answer = ({ socket }) => void socket.write(bytes)
    expectRefusal(await ask(await entry.call(), 'POST', connection), 502, 'upstream_failed')
  })

  it('an answer that is cut short is cut for the caller too: a part never looks whole', async () => {
    upstream.answer = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.destroy())
    }
    await expect(ask(await entry.call(), 'GET', connection)).rejects.toThrow(/half$/)
    upstream.answer = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n', () => socket.destroy())
    }
    await expect(ask(await entry.call(), 'GET', connection)).rejects.toThrow(/half\r\n$/)
  })
})

describe('the entry’s own refusals', () => {
  it('405 names the methods', async () => {
    const answer = await ask(await entry.call(), 'TRACE', 'close')
    expectRefusal(answer, 405, 'method_not_allowed')
    expect(answer.header('allow')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS')
    expect(upstream.seen).toHaveLength(0)
  })

  it('a path of no service is 404', async () => {
    const caller = await entry.call()
    caller.send(head('GET /elsewhere HTTP/1.1', 'Host: localhost', 'X-Request-Id: r1'))
    expectRefusal(await caller.answer(), 404, 'not_found')
  })

  it('a stranger without a key is 401, one behind a proxy on this machine too, and a page of another site', async () => {
    for (const line of ['Host: voice.example', 'Host: localhost\r\nX-Forwarded-For: 1.2.3.4', 'Host: localhost\r\nForwarded: for=1.2.3.4', 'Host: localhost\r\nOrigin: https://evil.example', 'Host: localhost\r\nSec-Fetch-Site: cross-site']) {
      const caller = await entry.call()
      caller.send(head('GET /work/x HTTP/1.1', line, 'X-Request-Id: r1'))
      const answer = await caller.answer()
      expectRefusal(answer, 401, 'unauthorized')
      expect(answer.header('www-authenticate')).toBe('Bearer')
    }
    expect(upstream.seen).toHaveLength(0)
  })

  it('a stranger with a key may ask, as often as the key allows', async () => {
    const { secret } = entry.keys.make('test', { perMinute: 2 }) ?? { secret: '' }
    const statuses = []
    upstream.answer = ({ socket }) => void socket.write(http(200, 'ok'))
    for (let time = 0; time < 3; time++) {
      const caller = await entry.call()
      caller.send(head('GET /work/x HTTP/1.1', 'Host: voice.example', `Authorization: Bearer ${secret}`, 'X-Request-Id: r1'))
      const answer = await caller.answer()
      statuses.push(answer.status)
      if (answer.status === 429) expect(answer.header('retry-after')).toBe('30')
    }
    expect(statuses).toEqual([200, 200, 429])
  })

  it('a stranger with a key has as many requests at once as the key allows, and gets each place back', async () => {
    const { secret } = entry.keys.make('test', { concurrency: 1 }) ?? { secret: '' }
    const asKey = async () => {
      const caller = await entry.call()
      caller.send(head('GET /work/x HTTP/1.1', 'Host: voice.example', `Authorization: Bearer ${secret}`))
      return caller
    }
    upstream.answer = () => {}
    const first = await asKey()
    await expect.poll(() => upstream.seen.length).toBe(1)
    expect((await (await asKey()).answer()).status).toBe(429)
    upstream.seen[0]?.socket.write(http(200, 'ok'))
    expect((await first.answer()).status).toBe(200)
    for (const answer of [http(200, 'ok'), http(503, 'no'), http(404, 'no')]) {
      upstream.answer = ({ socket }) => void socket.write(answer)
      expect((await (await asKey()).answer()).status).not.toBe(429)
    }
  })

  it('is 503 while no node serves the path', async () => {
    await entry.list([{ serverId: 'n1', url: upstream.url, paths: ['/other'] }])
    const answer = await ask(await entry.call(), 'GET', 'close')
    expectRefusal(answer, 503, 'unavailable')
    expect(answer.header('retry-after')).toBe('1')
    await entry.list([{ serverId: 'n1', url: upstream.url }])
  })

  it('asks no node on a host that is not allowed', async () => {
    await entry.list([{ serverId: 'n2', url: upstream.url.replace('127.0.0.1', 'localhost'), isDead: true }])
    expectRefusal(await ask(await entry.call(), 'GET', 'close'), 503, 'unavailable')
    expect(upstream.seen).toHaveLength(0)
    await entry.list([{ serverId: 'n1', url: upstream.url }])
  })
})
