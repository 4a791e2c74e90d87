import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { RawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream, Seen } from '../../../sandbox/entry/raw-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
const LIMITS = { firstByteMs: 1_000, silenceMs: 2_000, totalMs: 10_000, bodyMaxBytes: 100_000, concurrency: 1, waitingMax: 0, webSockets: 1 }
let upstream: RawUpstream
let entry: TestEntry

beforeEach(async () => {
  upstream = await startRawUpstream()
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }], limits: LIMITS })
})

afterEach(async () => {
  await entry.close()
  await upstream.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

const GET = head('GET /work/x HTTP/1.1', 'Host: localhost')
const FLOWING = `${head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}4\r\npart\r\n`
const SOCKET = head('GET /work/x HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'

const write = (bytes: string) => ({ socket }: Seen) => void socket.write(bytes)
const come = (pattern: RegExp) => (caller: RawCaller) => expect.poll(() => caller.held()).toMatch(pattern)
const reach = () => expect.poll(() => upstream.bytes.length).toBe(1)
const leave = (before: (caller: RawCaller) => unknown) => async (caller: RawCaller) => {
  await before(caller)
  caller.leave()
}
const late = (ms: number, before: (caller: RawCaller) => unknown) => async (caller: RawCaller) => {
  await before(caller)
  await entry.clock.advance(ms)
}

type Way = [how: string, bytes: string, answer: (seen: Seen) => void, then?: (caller: RawCaller) => unknown]
const WAYS: Way[] = [
  ['an answer', GET, write(http(200, 'ok'))],
  ['an answer without a body', GET, write('HTTP/1.1 204 Nothing\r\n\r\n')],
  ['an answer to HEAD', GET.replace('GET', 'HEAD'), write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')],
  ['an answer that is kept', GET, write(http(404, 'no'))],
  ['an answer that is none', GET, write(http(503, 'no'))],
  ['an answer that ends with its connection', GET, ({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\nok')],
  ['an answer before the body is whole', FLOWING, () => {}, () => upstream.seen],
  ['what is no HTTP', GET, write('SSH-2.0\r\n\r\n')],
  ['a lost connection', GET, ({ socket }) => void socket.resetAndDestroy()],
  ['a connection that is lost in the answer', GET, ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', () => socket.destroy())],
  ['no first byte in time', GET, () => {}, late(LIMITS.firstByteMs, reach)],
  ['silence in the answer', GET, write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'), late(LIMITS.silenceMs, come(/half$/))],
  ['silence in the body', FLOWING, () => {}, late(LIMITS.silenceMs, () => expect.poll(() => upstream.bytes[0]).toMatch(/part\r?\n?$/))],
  ['a body that is too large', `${FLOWING}1ffff\r\n${'x'.repeat(0x1ffff)}\r\n0\r\n\r\n`, () => {}],
  ['a caller that leaves before the head', GET, () => {}, leave(reach)],
  ['a caller that leaves in the answer', GET, write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'), leave(come(/half$/))],
  ['a caller that leaves in the body', FLOWING, () => {}, leave(reach)],
  ['a WebSocket that is refused', SOCKET, write(http(403, 'no'))],
  ['a WebSocket that is not answered', SOCKET, () => {}, late(LIMITS.firstByteMs, reach)],
  ['a WebSocket whose caller leaves before it is open', SOCKET, () => {}, leave(reach)],
  ['a WebSocket whose caller leaves', SOCKET, write(SWITCHED), leave(come(/101 /))],
  ['a WebSocket whose upstream is lost', SOCKET, write(SWITCHED), async (caller) => {
    await come(/101 /)(caller)
    upstream.dropAll()
  }],
  ['a WebSocket that is silent', SOCKET, write(SWITCHED), late(120_000, come(/101 /))]
]

describe('the only place at an upstream is given back after', () => {
  it.each(WAYS)('%s', async (how, bytes, answer, then = () => {}) => {
    upstream.answer = answer
    if (how.startsWith('an answer before')) upstream.onHead = (socket) => void socket.write(http(413, 'enough'))
    const caller = await entry.call()
    caller.send(bytes)
    await then(caller)
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(0)
    await expect.poll(() => entry.measures.paths()[0]?.inFlight).toBe(0)
    upstream.onHead = undefined
    upstream.answer = write(bytes === SOCKET ? SWITCHED : http(200, 'next'))
    const next = await entry.call()
    next.send(bytes === SOCKET ? SOCKET : GET)
    await expect.poll(() => next.held()).toMatch(bytes === SOCKET ? /^HTTP\/1\.1 101 / : /^HTTP\/1\.1 200 [^]*next$/)
    next.leave()
  })
})
