import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
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
  upstream.answer = ({ socket, startLine }) => void socket.write(http(200, startLine))
})

afterAll(async () => {
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})

const GET = head('GET /work/good HTTP/1.1', 'Host: localhost')
const PLANTED = 'GET /work/planted HTTP/1.1\r\nHost: localhost\r\n\r\n'

/** On a fresh connection, and on one that has served a request already. */
const CONNECTIONS = [['a fresh connection', false], ['a connection that is in use', true]] as const

/** What comes back for some bytes, and what had reached the upstream by then. */
async function send(bytes: string, isUsed: boolean): Promise<{ statuses: number[]; reached: string[]; body: string }> {
  const caller = await entry.call()
  if (isUsed) {
    caller.send(GET)
    expect((await caller.answer()).status).toBe(200)
    upstream.seen = []
  }
  caller.send(bytes)
  const statuses: number[] = []
  const first = await caller.answer()
  statuses.push(first.status)
  // Whatever else those bytes could be taken for comes before the answer to this.
  caller.send(head('GET /work/last HTTP/1.1', 'Host: localhost', 'Connection: close'))
  const rest = await caller.ended()
  for (const [, status] of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(Number(status))
  return { statuses, reached: upstream.seen.map(({ startLine }) => startLine), body: first.body }
}

describe.each(CONNECTIONS)('on %s', (_, isUsed) => {
  it.each([
    ['a length and chunks', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${PLANTED}`],
    ['chunks and a length', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${PLANTED}`],
    ['two lengths', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: ${PLANTED.length}\r\n\r\n${PLANTED}`],
    ['the same length twice', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody`],
    ['lengths in one line', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4, 4\r\n\r\nbody'],
    ['a length with a sign', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: +4\r\n\r\nbody'],
    ['a length below nothing', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: -4\r\n\r\nbody'],
    ['a hexadecimal length', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x4\r\n\r\nbody'],
    ['a length too large to count', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\nbody'],
    ['the encoding identity', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nbody`],
    ['the encoding xchunked', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${PLANTED}`],
    ['chunked that is not last', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n${PLANTED}`],
    ['another encoding before chunked', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['another encoding in a line of its own', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`],
    ['a WebSocket by POST', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: 0\r\n\r\n'],
    ['chunked in quotes', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "chunked"\r\n\r\n0\r\n\r\n`],
    ['chunked after a vertical tab', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`],
    ['an empty encoding', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\nContent-Length: ${PLANTED.length}\r\n\r\n${PLANTED}`],
    ['an empty length', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length:\r\n\r\n${PLANTED}`],
    ['a length with a space in it', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1 2\r\n\r\nbody`],
    ['a WebSocket with a body', `GET /work/x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nContent-Length: ${PLANTED.length}\r\n\r\n${PLANTED}`],
    ['a space before the colon', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${PLANTED}`],
    ['a space before the name', 'GET /work/x HTTP/1.1\r\n Host: localhost\r\n\r\n'],
    ['a folded line', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`],
    ['a CR alone in a value', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nX-A: b\rTransfer-Encoding: chunked\r\n\r\n'],
    ['a NUL in a value', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nX-A: b\0c\r\n\r\n'],
    ['a NUL in a name', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nX\0A: b\r\n\r\n'],
    ['bare LF between headers', 'GET /work/x HTTP/1.1\nHost: localhost\nX-A: b\n\n'],
    ['a bare LF among CRLF', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nX-A: b\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a header without a name', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\n: b\r\n\r\n'],
    ['a header without a colon', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nX-A\r\n\r\n'],
    ['no Host', 'GET /work/x HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /work/x HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'],
    ['a Host with a path', 'GET /work/x HTTP/1.1\r\nHost: localhost/evil\r\n\r\n'],
    ['a Host with a user', 'GET /work/x HTTP/1.1\r\nHost: localhost@evil.example\r\n\r\n'],
    ['a head that is too large', `GET /work/x HTTP/1.1\r\nHost: localhost\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['too many headers', `GET /work/x HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(5_000)}\r\n`],
    ['chunks whose size is no number', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbody\r\n0\r\n\r\n`],
    ['a chunk that is longer than it says', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nbody\r\n0\r\n\r\n`],
    ['a chunk size too large to count', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nbody\r\n0\r\n\r\n`],
    ['a chunk that ends with bare LF', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\nbody\n0\n\n`],
    ['a chunk extension with a bare LF', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4;a\nb\r\nbody\r\n0\r\n\r\n`],
    ['an unknown method', 'BREW /work/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a method in lower case', 'get /work/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an unknown version', 'GET /work/x HTTP/3.0\r\nHost: localhost\r\n\r\n'],
    ['a preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a space in the target', 'GET /work/x y HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tab in the request line', 'GET\t/work/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['no target', 'GET HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['the form with an authority', 'GET localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['the form with an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['CONNECT', 'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost:22\r\n\r\n'],
    ['TRACE', 'TRACE /work/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['another host in the path', 'GET //evil.example/work/x HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an address of another scheme', 'GET file:///etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['dot segments', 'GET /work/../admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['dot segments, encoded', 'GET /work/%2e%2E/admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['dot segments, encoded twice', 'GET /work/%252e%252e%252fadmin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['an encoded slash after dots', 'GET /work/..%2fadmin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['backslashes', 'GET /work/..\\admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['dots with a parameter', 'GET /work/..;x/admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a fragment', 'GET /work/x#/../admin HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a NUL, encoded', 'GET /work/x%00.png HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['bytes beyond ASCII in the target', 'GET /work/\xc0\xae\xc0\xae/x HTTP/1.1\r\nHost: localhost\r\n\r\n']
  ])('%s is refused, and no upstream gets a request of it', async (__, bytes) => {
    const { statuses, reached, body } = await send(bytes, isUsed)
    expect(statuses[0]).toBeGreaterThanOrEqual(400)
    expect(statuses[0]).toBeLessThan(500)
    expect(JSON.parse(body)).toMatchObject({ ok: false, error: { requestId: A_TEXT } })
    // The request that comes after it may be answered, where the connection is still good.
    expect(reached.filter((line) => line !== 'GET /work/last HTTP/1.1')).toEqual([])
    expect(statuses.slice(1).length).toBeLessThanOrEqual(1)
  })

  it.each([
    ['with an address in the request line', 'GET http://LOCALHOST:81/work/x?y=1 HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/x?y=1 HTTP/1.1']],
    ['with two spaces in the request line', 'GET /work/x  HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/x HTTP/1.1']],
    ['with a query that looks like a path', 'GET /work/x?next=/../admin&u=//evil HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/x?next=/../admin&u=//evil HTTP/1.1']],
    ['with what is encoded', 'GET /work/%E3%81%82/a%2Fb%20c HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/%E3%81%82/a%2Fb%20c HTTP/1.1']],
    ['with dots in names', 'GET /work/..x/.y/z... HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/..x/.y/z... HTTP/1.1']],
    ['with a body that looks like a request', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${PLANTED.length}\r\n\r\n${PLANTED}`, ['POST /work/x HTTP/1.1']],
    ['with a chunk that looks like a request', `POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${PLANTED.length.toString(16)}\r\n${PLANTED}\r\n0\r\n\r\n`, ['POST /work/x HTTP/1.1']],
    ['with space around its encoding', 'POST /work/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:  Chunked \r\n\r\n0\r\n\r\n', ['POST /work/x HTTP/1.1']],
    ['after empty lines', '\r\n\r\nGET /work/x HTTP/1.1\r\nHost: localhost\r\n\r\n', ['GET /work/x HTTP/1.1']]
  ])('%s comes as one request, and as it was', async (__, bytes, expected) => {
    const { statuses, reached } = await send(bytes, isUsed)
    expect(statuses).toEqual([200, 200])
    expect(reached).toEqual([...expected, 'GET /work/last HTTP/1.1'])
  })
})

it('of hundreds of headers none is dropped: a length at their end counts', async () => {
  const caller = await entry.call()
  caller.send(`POST /work/x HTTP/1.1\r\nHost: localhost\r\n${'a:\r\n'.repeat(498)}Content-Length: 4\r\n\r\nbody`)
  expect((await caller.answer()).status).toBe(200)
  expect(upstream.seen.map(({ body }) => body)).toEqual(['body'])
})

it('HTTP/1.0 is answered, without chunks, and its connection ends', async () => {
  upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')
  const caller = await entry.call()
  // HTTP/1.0 is what proxies speak: it is nobody of this machine.
  caller.send(head('GET /work/x HTTP/1.0', 'Host: localhost', `Authorization: Bearer ${entry.keys.make('old')?.secret ?? ''}`))
  const answer = await caller.answer()
  expect([answer.status, answer.body, answer.header('transfer-encoding')]).toEqual([200, 'ok', undefined])
  await caller.ended()
  expect(upstream.seen[0]?.startLine).toBe('GET /work/x HTTP/1.1')
})

it('HTTP/1.0 has no chunks: a body of such is refused, from whoever has a key', async () => {
  const caller = await entry.call()
  caller.send(head('POST /work/x HTTP/1.0', 'Host: localhost', `Authorization: Bearer ${entry.keys.make('old')?.secret ?? ''}`, 'Connection: keep-alive', 'Transfer-Encoding: chunked') + '0\r\n\r\n')
  expect((await caller.answer()).status).toBe(400)
  expect(upstream.seen).toEqual([])
})

it('an answer to HTTP/1.0 that is cut ends with a reset: without a length there is no other sign', async () => {
  upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n')
  const caller = await entry.call()
  caller.send(head('GET /work/x HTTP/1.0', 'Host: localhost', `Authorization: Bearer ${entry.keys.make('old')?.secret ?? ''}`))
  await expect.poll(() => caller.held()).toMatch(/half$/)
  upstream.dropAll()
  await caller.ended()
  expect(caller.error()).toBe('ECONNRESET')
})

it('requests that come one behind the other are answered in their order, each with its own answer', async () => {
  const caller = await entry.call()
  // The first is answered when all others have been.
  let first = () => {}
  let left = 11
  upstream.answer = ({ socket, startLine }) => {
    const answer = () => void socket.write(http(200, startLine))
    if (startLine.includes('/0 ')) first = answer
    else {
      answer()
      if (--left === 0) first()
    }
  }
  caller.send(Array.from({ length: 12 }, (_, index) => head(`GET /work/${index} HTTP/1.1`, 'Host: localhost')).join(''))
  for (let index = 0; index < 12; index++) expect((await caller.answer()).body).toBe(`GET /work/${index} HTTP/1.1`)
})

it('each of many callers at once gets the answer to its own request', async () => {
  upstream.answer = ({ socket, body }) => setTimeout(() => socket.write(http(200, body)), Math.random() * 5)
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const caller = await entry.call()
      for (let time = 0; time < 10; time++) {
        const body = `caller ${number}, time ${time}`
        caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', `Content-Length: ${body.length}`) + body)
        expect((await caller.answer()).body).toBe(body)
      }
    })
  )
})
