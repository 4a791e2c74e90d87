import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRawCaller } from '../../sandbox/entry/raw-caller.ts'
import { systemClock } from '../core/clock.ts'
import { createLog } from '../core/log.ts'
import { createMetrics } from '../core/metrics.ts'
import type { EntryEnvironment } from './environment.ts'
import { listen } from './listen.ts'
import { startEntry } from './server.ts'
import type { Entry } from './server.ts'

/** More than the system holds on the way. */
const LARGE_BYTES = 64 * 1024 * 1024

let entry: Entry
let ready: { ok: true } | { ok: false; reason: string }
let logged: string
let reading: boolean

beforeEach(async () => {
  ready = { ok: true }
  logged = ''
  reading = false
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      logged += String(chunk)
      done()
    }
  })
  const part = new Hono<EntryEnvironment>()
  part.get('/large', (context) => context.body(Buffer.alloc(LARGE_BYTES)))
  part.get('/page', (context) => context.html('<p>hello', 200, { 'content-security-policy': 'none of it', 'x-request-id': 'mine' }))
  part.post('/text', (context) => {
    reading = true
    return context.req.text().then((text) => context.text(text))
  })
  part.get('/broken', () => {
    throw new Error('secret words')
  })
  const metrics = createMetrics()
  entry = await startEntry({ host: '127.0.0.1', port: 0, log: createLog('error', [], destination), metrics, ready: () => ready, parts: [part], stallMs: 2_000 })
})

afterEach(() => entry.close())

const get = (path: string, headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${entry.port}${path}`, { headers })

describe('the entry', () => {
  it('is alive, and says whether it can serve', async () => {
    expect([(await get('/health')).status, (await get('/ready')).status]).toEqual([200, 200])
    ready = { ok: false, reason: 'No node can speak right now.' }
    const answer = await get('/ready', { 'x-request-id': 'r1' })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await answer.json()).toEqual({ ok: false, error: { code: 'unavailable', message: 'No node can speak right now.', requestId: 'r1' } })
    expect((await get('/health')).status).toBe(200)
  })

  it.each(['/health', '/ready', '/metrics', '/page', '/broken', '/missing'])('sets its own headers last: %s', async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`http://127.0.0.1:${entry.port}${path}`, { method, headers: { 'x-request-id': 'r1' } })
      expect(answer.headers.get('x-request-id')).toBe('r1')
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'self'/)
      expect([answer.headers.get('x-content-type-options'), answer.headers.get('x-frame-options')]).toEqual(['nosniff', 'DENY'])
    }
  })

  it('tells nobody what broke, and its log under the request’s id', async () => {
    const answer = await get('/broken', { 'x-request-id': 'r1' })
    expect(answer.status).toBe(500)
    const text = await answer.text()
    expect(text).toContain('"code":"internal"')
    expect(text).not.toMatch(/secret|\.ts/)
    expect(logged).toContain('"requestId":"r1"')
    expect(logged).toContain('secret words')
  })

  it('shows its measures to this machine alone, where no key is asked for', async () => {
    await get('/missing')
    const text = await (await get('/metrics')).text()
    expect(text).toContain('voxpool_entry_path_requests_total{path="page",status="4xx"} 1')
    for (const headers of [{ forwarded: 'for=1.2.3.4' }, { via: '1.1 proxy' }, { origin: 'https://evil.example' }]) expect((await get('/metrics', headers)).status).toBe(401)
  })

  it('gives an answer up whose caller takes nothing of it any more, and none that is slowly read', async () => {
    const ask = () => {
      const socket = connect({ port: entry.port, host: '127.0.0.1' })
      socket.on('error', () => {})
      socket.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
      return socket
    }
    const gone = ask()
    gone.pause()
    await expect.poll(async () => /path_in_flight\{path="page"\} (\d)/.exec(await (await get('/metrics')).text())?.[1], { timeout: 30_000 }).toBe('0')
    gone.destroy()
    const slow = ask()
    let bytes = 0
    // A piece at a time, with a turn of the loop between.
    for await (const chunk of slow as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes >= LARGE_BYTES) break
      await new Promise(setImmediate)
    }
    expect(bytes).toBeGreaterThanOrEqual(LARGE_BYTES)
    slow.destroy()
  })

  it('counts a request that names a whole address under its path', async () => {
    const caller = await openRawCaller(entry.port)
    caller.send('GET http://localhost/health?x HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect((await caller.answer()).status).toBe(200)
    expect(await (await get('/metrics')).text()).toContain('voxpool_entry_path_requests_total{path="/health",status="2xx"} 1')
    caller.leave()
  })

  it('answers what is no request in its one shape of errors, and ends that connection', async () => {
    const caller = await openRawCaller(entry.port)
    caller.send('GET / HTTP/1.1\r\nno header\r\n\r\n')
    const answer = await caller.answer()
    expect([answer.status, answer.header('connection'), answer.header('x-frame-options')]).toEqual([400, 'close', 'DENY'])
    expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'bad_request', requestId: answer.header('x-request-id') } })
    await caller.ended()
  })

  it('refuses a request with two Hosts, whatever it asks for', async () => {
    for (const path of ['/page', '/health', '/missing']) {
      const caller = await openRawCaller(entry.port)
      caller.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nHost: other.example\r\nConnection: close\r\n\r\n`)
      const answer = await caller.answer()
      expect([path, answer.status]).toEqual([path, 400])
      expect(JSON.parse(answer.body)).toMatchObject({ ok: false, error: { code: 'bad_request', message: 'A request has one Host.' } })
      await caller.ended()
    }
  })

  it('answers sixteen requests that come at once on one connection, and ends one on which more wait', async () => {
    const [honest, other] = [await openRawCaller(entry.port), await openRawCaller(entry.port)]
    honest.send('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16))
    for (let answer = 0; answer < 16; answer++) expect((await honest.answer()).status).toBe(200)
    honest.send('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16))
    for (let answer = 0; answer < 16; answer++) expect((await honest.answer()).status).toBe(200)
    honest.leave()
    other.send('GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(17))
    expect(await other.ended()).toBe('')
  })

  it('writes no error for who breaks off in the middle of a body', async () => {
    const caller = await openRawCaller(entry.port)
    caller.send('POST /text HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n')
    await expect.poll(() => reading).toBe(true)
    caller.leave()
    await expect.poll(async () => (await get('/metrics')).text()).toContain('voxpool_entry_path_requests_total{path="page",status="4xx"} 1')
    expect(logged).toBe('')
  })

  it('gives a request as long as the longest service takes, and five minutes otherwise', async () => {
    const of = async (longestMs?: number) => {
      const server = await listen({ host: '127.0.0.1', port: 0, clock: systemClock, listener: () => {}, upgrade: undefined, longestMs })
      server.close()
      return server.requestTimeout
    }
    expect([await of(), await of(1_000), await of(3_600_000)]).toEqual([300_000, 300_000, 3_600_000])
  })

  it('refuses to start on an address that is taken', async () => {
    const again = startEntry({ host: '127.0.0.1', port: entry.port, log: createLog('silent'), metrics: createMetrics(), ready: () => ready })
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
