import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

const A_TEXT: unknown = expect.any(String)
const FORWARDED: unknown = expect.stringMatching(/^for=127\.0\.0\.1/)
const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
let far: { server: Server; sockets: WebSocketServer; requests: IncomingMessage[] }
let entry: TestEntry

beforeEach(async () => {
  const server = createServer((_, answer) => answer.end('{"voices":[]}'))
  const sockets = new WebSocketServer({ server, handleProtocols: (offered) => (offered.has('v2') ? 'v2' : false) })
  const requests: IncomingMessage[] = []
  sockets.on('connection', (socket, request) => {
    requests.push(request)
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  far = { server, sockets, requests }
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: addressOf(server) }], limits: { webSockets: 2, webSocketSilenceMs: 60_000 } })
})

afterEach(async () => {
  await entry.close()
  for (const socket of far.sockets.clients) socket.terminate()
  far.server.closeAllConnections()
  await new Promise((resolve) => far.server.close(resolve))
})

afterAll(() => rmSync(folder, { recursive: true }))

function addressOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

async function open(path = '/work/socket', protocols: string[] = []): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${entry.port}${path}`, protocols)
  socket.on('error', () => {})
  await once(socket, 'open')
  return socket
}

/** The status that a handshake was refused with, and the body. */
async function refused(path = '/work/socket', headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const socket = new WebSocket(`ws://127.0.0.1:${entry.port}${path}`, { headers })
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage]
  let body = ''
  for await (const chunk of answer) body += String(chunk)
  return { status: answer.statusCode ?? 0, body }
}

async function echo(socket: WebSocket, message: string | Buffer): Promise<Buffer> {
  socket.send(message)
  const [data] = (await once(socket, 'message')) as [Buffer]
  return data
}

describe('a WebSocket', () => {
  it('is one of what its key may have at once, for as long as it lasts', async () => {
    const { secret } = entry.keys.make('one at once', { concurrency: 1 }) ?? { secret: '' }
    const headers = { authorization: `Bearer ${secret}` }
    const socket = new WebSocket(`ws://127.0.0.1:${entry.port}/work/socket`, { headers })
    await once(socket, 'open')
    expect((await refused('/work/socket', headers)).status).toBe(429)
    socket.close()
    await once(socket, 'close')
    await expect.poll(async () => {
      const again = new WebSocket(`ws://127.0.0.1:${entry.port}/work/socket`, { headers })
      again.on('error', () => {})
      return Promise.race([once(again, 'open').then(() => 'open'), once(again, 'unexpected-response').then(() => 'refused')])
    }).toBe('open')
  })

  it('ends when its key is revoked, and that of another does not', async () => {
    const [gone, kept] = [entry.keys.make('gone'), entry.keys.make('kept')].map((made) => made ?? { key: { id: '' }, secret: '' })
    const [first, second] = await Promise.all([gone, kept].map(async (made) => {
      const socket = new WebSocket(`ws://127.0.0.1:${entry.port}/work/socket`, { headers: { authorization: `Bearer ${made?.secret ?? ''}` } })
      await once(socket, 'open')
      return socket
    }))
    if (first === undefined || second === undefined) throw new Error('two sockets were opened')
    entry.dismiss(gone?.key.id ?? '')
    await once(first, 'close')
    expect(String(await echo(second, 'still here'))).toBe('still here')
    second.close()
  })

  it('asked for behind a request that is not answered yet is an ordinary request, and takes nobody’s connection', async () => {
    const slow = await startRawUpstream()
    slow.answer = ({ socket, startLine }) => {
      if (!startLine.includes('/first')) socket.write(http(200, 'second'))
    }
    await entry.list([{ serverId: 'n2', url: slow.url, isDead: true }])
    const caller = await entry.call()
    const upgrade = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']
    caller.send(head('GET /work/first HTTP/1.1', 'Host: localhost') + head('GET /work/second HTTP/1.1', ...upgrade))
    await expect.poll(() => slow.seen.length).toBe(2)
    slow.seen.find(({ startLine }) => startLine.includes('/first'))?.socket.write(http(200, 'first'))
    expect([(await caller.answer()).body, (await caller.answer()).body]).toEqual(['first', 'second'])
    const proxied = await entry.call()
    proxied.send(head('GET /work/first HTTP/1.1', 'Host: localhost'))
    await expect.poll(() => slow.seen.length).toBe(3)
    proxied.send(head('CONNECT elsewhere:1 HTTP/1.1', 'Host: elsewhere:1'))
    expect(await proxied.ended()).toBe('')
    await slow.close()
  })

  it('that is not open yet ends when its key is revoked, and its node hears of it', async () => {
    const slow = await startRawUpstream()
    slow.answer = () => {}
    await entry.list([{ serverId: 'n2', url: slow.url, isDead: true }])
    const { key, secret } = entry.keys.make('gone') ?? { key: { id: '' }, secret: '' }
    const socket = new WebSocket(`ws://127.0.0.1:${entry.port}/work/socket`, { headers: { authorization: `Bearer ${secret}` } })
    socket.on('error', () => {})
    await expect.poll(() => slow.seen.length).toBe(1)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    entry.dismiss(key.id)
    await closed
    await slow.closed(slow.seen[0]?.connection ?? -1)
    await slow.close()
  })

  it.each(['/work/socket', '/elsewhere'])('that was refused leaves nothing behind, whatever its caller does: %s', async (path) => {
    await entry.list([])
    const socket = connect({ port: entry.port, host: '127.0.0.1', allowHalfOpen: true })
    let error: string | undefined
    socket.on('error', (broken: Error & { code?: string }) => (error = broken.code))
    socket.write(head(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='))
    socket.resume()
    await once(socket, 'end')
    await entry.clock.advance(1_000)
    // Its own end is open, and it goes on sending: an entry that still held the other end would take it.
    await expect.poll(() => {
      socket.write('x')
      return error
    }).toMatch(/^(?:ECONNRESET|EPIPE)$/)
  })

  it('carries texts and bytes both ways, small and large', async () => {
    const socket = await open()
    expect(String(await echo(socket, 'hello'))).toBe('hello')
    const large = Buffer.alloc(3_000_000, 'x')
    expect((await echo(socket, large)).equals(large)).toBe(true)
    socket.close()
  })

  it('is opened with the same rules for headers as any request', async () => {
    const socket = await open('/work/socket?a=1', ['v1', 'v2'])
    const [request] = far.requests
    expect([request?.url, socket.protocol]).toEqual(['/work/socket?a=1', 'v2'])
    expect(request?.headers).toMatchObject({ authorization: 'Bearer node-secret', forwarded: FORWARDED, 'x-request-id': A_TEXT })
    socket.close()
  })

  it.each([[1000, 'done'], [1011, 'broken'], [4999, 'ours']])('ends with the code that the upstream gave: %i', async (code, reason) => {
    const socket = await open()
    for (const each of far.sockets.clients) each.close(code, reason)
    const [got, why] = (await once(socket, 'close')) as [number, Buffer]
    expect([got, String(why)]).toEqual([code, reason])
  })

  it('ends with the code that the caller gave', async () => {
    const socket = await open()
    const [theirs] = far.sockets.clients
    socket.close(4001, 'enough')
    const [code, reason] = (await once(theirs ?? socket, 'close')) as [number, Buffer]
    expect([code, String(reason)]).toEqual([4001, 'enough'])
  })

  it('ends at once for the upstream when the caller is lost', async () => {
    const socket = await open()
    const [theirs] = far.sockets.clients
    socket.terminate()
    const [code] = (await once(theirs ?? socket, 'close')) as [number]
    expect(code).toBe(1006)
  })

  it('ends at once for the caller when the upstream is lost', async () => {
    const socket = await open()
    for (const theirs of far.sockets.clients) theirs.terminate()
    expect((await once(socket, 'close'))[0]).toBe(1006)
  })

  it('is asked for no more at once when its caller leaves before it is open', async () => {
    const upstream = await startRawUpstream()
    upstream.answer = () => {}
    await entry.list([{ serverId: 'n2', url: upstream.url }])
    const socket = new WebSocket(`ws://127.0.0.1:${entry.port}/work/socket`)
    socket.on('error', () => {})
    await expect.poll(() => upstream.seen.length).toBe(1)
    socket.terminate()
    await upstream.closed(0)
    await expect.poll(() => entry.measures.upstreams()[0]).toMatchObject({ inFlight: 0, failures: { gone: 1 } })
    // As an ordinary request whose caller has left.
    await expect.poll(() => entry.measures.paths()).toMatchObject([{ requests: { '4xx': 1 }, failures: { gone: 1 } }])
    await upstream.close()
  })

  it('has what its caller sent before it was open, in order and bounded', async () => {
    const upstream = await startRawUpstream()
    upstream.answer = () => {}
    await entry.list([{ serverId: 'n2', url: upstream.url }])
    const handshake = head('GET /work/socket HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==')
    const [early, flood] = [await entry.call(), await entry.call()]
    early.send(`${handshake}one`)
    await expect.poll(() => upstream.seen.length).toBe(1)
    early.send('two')
    await new Promise(setImmediate)
    upstream.seen[0]?.socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
    await expect.poll(() => early.held()).toMatch(/101 /)
    early.send('three')
    await expect.poll(() => upstream.bytes[0]).toMatch(/\r\n\r\nonetwothree$/)
    flood.send(handshake)
    await expect.poll(() => upstream.seen.length).toBe(2)
    flood.send('x'.repeat(100_000))
    await flood.ended()
    await upstream.closed(1)
    await upstream.close()
  })

  it('ends when the entry does', async () => {
    const socket = await open()
    const closed = once(socket, 'close')
    await entry.close()
    expect((await closed)[0]).toBe(1006)
    entry = await openEntry({ folder, nodes: [] })
  })

  it('ends when nothing has come over it for long, and not while something does', async () => {
    const socket = await open()
    await entry.clock.advance(59_000)
    expect(String(await echo(socket, 'still here'))).toBe('still here')
    await entry.clock.advance(59_000)
    expect(socket.readyState).toBe(WebSocket.OPEN)
    const closed = once(socket, 'close')
    await entry.clock.advance(1_000)
    await closed
  })

  it('has places of its own: beyond them 503, and requests go on', async () => {
    const [one, two] = [await open(), await open()]
    expect((await refused()).status).toBe(503)
    expect((await fetch(`http://127.0.0.1:${entry.port}/work/x`)).status).toBe(200)
    one.terminate()
    two.terminate()
    await expect.poll(() => far.sockets.clients.size).toBe(0)
    ;(await open()).terminate()
  })

  it('that the upstream refuses is refused with its status where that is kept, else with 502', async () => {
    far.sockets.close()
    for (const [theirs, expected] of [[401, 401], [403, 403], [404, 404], [429, 429], [500, 500], [503, 502], [426, 502]] as const) {
      far.server.removeAllListeners('upgrade').on('upgrade', (_, socket) => socket.end(`HTTP/1.1 ${theirs} No\r\ncontent-length: 5\r\n\r\nno no`))
      const answer = await refused()
      expect(answer.status).toBe(expected)
      if (theirs === expected) expect(answer.body).toBe('no no')
      else expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'upstream_failed' } })
    }
  })

  it('that the upstream never answers is 504', async () => {
    far.sockets.close()
    const asked: Duplex[] = []
    far.server.removeAllListeners('upgrade').on('upgrade', (_, socket) => asked.push(socket.resume()))
    const answer = refused()
    await expect.poll(() => asked.length).toBe(1)
    await entry.clock.advance(15_000)
    expect((await answer).status).toBe(504)
    // The upstream's connection has been closed.
    for (const socket of asked) if (!socket.readableEnded) await once(socket, 'end')
    for (const socket of asked) socket.destroy()
  })

  it('that an ordinary answer meets is an ordinary answer', async () => {
    far.sockets.close()
    far.server.removeAllListeners('upgrade')
    expect(await refused()).toEqual({ status: 200, body: '{"voices":[]}' })
  })

  it('that is refused with more than the sockets between hold is refused in full', async () => {
    far.sockets.close()
    const body = 'no'.repeat(2_000_000)
    far.server.removeAllListeners('upgrade').on('upgrade', (_, socket) => socket.end(`HTTP/1.1 403 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`))
    const answer = await refused()
    expect([answer.status, answer.body.length]).toEqual([403, body.length])
    await expect.poll(() => entry.measures.upstreams()).toMatchObject([{ inFlight: 0, failures: {} }])
  })

  it('asks another node when one refuses the connection', async () => {
    const gone = await startRawUpstream()
    await gone.close()
    await entry.list([{ serverId: 'gone', url: gone.url, isDead: true }, { serverId: 'n1', url: addressOf(far.server) }])
    for (let time = 0; time < 2; time++) (await open()).terminate()
    expect(entry.measures.upstreams().find(({ name }) => name === 'gone')?.failures).toEqual({ connect: 1 })
  })

  it.each([
    ['of no service', '/elsewhere', {}, 404],
    ['of a stranger', '/work/socket', { forwarded: 'for=1.2.3.4' }, 401],
    ['of a page of another site', '/work/socket', { origin: 'https://evil.example' }, 401]
  ])('%s is refused', async (_, path, headers, status) => {
    const answer = await refused(path, headers)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { requestId: A_TEXT } })
    expect(far.requests).toHaveLength(0)
    await expect.poll(() => entry.measures.paths()).toMatchObject([{ name: path === '/elsewhere' ? 'page' : '/work/*', inFlight: 0, requests: { '4xx': 1 } }])
  })

  it('is counted', async () => {
    const socket = await open()
    expect(entry.measures.paths()).toMatchObject([{ name: '/work/*', inFlight: 1 }])
    socket.close()
    await expect.poll(() => entry.measures.paths()).toMatchObject([{ name: '/work/*', inFlight: 0, requests: { '1xx': 1 } }])
  })
})

describe('an event stream', () => {
  it('comes piece by piece, as the upstream sends it, and is not compressed', async () => {
    const upstream = await startRawUpstream()
    await entry.list([{ serverId: 'n2', url: upstream.url }])
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n')
    const caller = await entry.call()
    caller.send(head('GET /work/events HTTP/1.1', 'Host: localhost', 'Accept: text/event-stream', 'Accept-Encoding: gzip, br'))
    await expect.poll(() => caller.held()).toMatch(/^HTTP\/1\.1 200[^]*text\/event-stream[^]*\r\n\r\n$/)
    for (let event = 0; event < 5; event++) {
      const data = `data: ${event}\n\n`
      upstream.seen[0]?.socket.write(`${data.length.toString(16)}\r\n${data}\r\n`)
      await expect.poll(() => caller.held()).toMatch(new RegExp(`\r\n${data}\r\n$`))
      await entry.clock.advance(20_000)
    }
    upstream.seen[0]?.socket.write('0\r\n\r\n')
    const answer = await caller.answer()
    expect(answer.body).toBe('data: 0\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\ndata: 4\n\n')
    expect(answer.header('content-encoding')).toBeUndefined()
    await upstream.close()
  })
})

it('an offer of another protocol is passed over: the request is an ordinary one', async () => {
  const upstream = await startRawUpstream()
  await entry.list([{ serverId: 'n2', url: upstream.url }])
  const caller = await entry.call()
  caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'))
  expect((await caller.answer()).body).toBe('ok')
  expect(upstream.seen[0]?.raw).not.toMatch(/upgrade|http2/i)
  await upstream.close()
})
