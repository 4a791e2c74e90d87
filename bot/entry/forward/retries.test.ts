import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry, TestNode } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { Answer, RawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream, Seen } from '../../../sandbox/entry/raw-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
let upstreams: RawUpstream[]
let entry: TestEntry

/** So many nodes; each is asked first at some time, since they take turns. */
async function open(count: number, limits: Record<string, number> = {}) {
  upstreams = await Promise.all(Array.from({ length: count }, () => startRawUpstream()))
  entry = await openEntry({ folder, nodes: upstreams.map(({ url }, index) => ({ serverId: `n${index}`, url })), limits })
}

/** One more node of the list, where nobody listens. */
async function closedNode(serverId: string): Promise<TestNode> {
  const gone = await startRawUpstream()
  await gone.close()
  return { serverId, url: gone.url, isDead: true }
}

const living = (): TestNode[] => upstreams.map(({ url }, index) => ({ serverId: `n${index}`, url }))
const seen = () => upstreams.flatMap((each) => each.seen)
const asked = () => upstreams.map((each) => each.seen.length)

beforeEach(() => {
  upstreams = []
})

afterEach(async () => {
  await entry.close()
  await Promise.all(upstreams.map((each) => each.close()))
})

afterAll(() => rmSync(folder, { recursive: true }))

async function ask(method: string, body = '', caller?: RawCaller): Promise<Answer> {
  const by = caller ?? (await entry.call())
  by.send(head(`${method} /work/x HTTP/1.1`, 'Host: localhost', 'X-Request-Id: r1', ...(body === '' ? [] : [`Content-Length: ${body.length}`])) + body)
  return by.answer({ isBodiless: method === 'HEAD' })
}

const reset = ({ socket }: Seen) => void socket.resetAndDestroy()

describe('where nothing was sent', () => {
  it.each([['GET', ''], ['POST', 'small'], ['POST', 'x'.repeat(100_000)], ['DELETE', '']])('%s goes to another node, body and all', async (method, body) => {
    await open(1)
    await entry.list([...living(), await closedNode('gone')])
    for (let time = 0; time < 4; time++) {
      await entry.clock.advance(6_000)
      expect((await ask(method, body)).status).toBe(200)
    }
    expect(seen().map((each) => each.body)).toEqual([body, body, body, body])
    // It was asked in its turn, and each time the other one answered.
    expect(entry.measures.upstreams().find(({ name }) => name === 'gone')?.failures['connect']).toBeGreaterThan(0)
  })

  it('is 502 when the other one refuses too, and a third is not asked', async () => {
    await open(0)
    await entry.list([await closedNode('a'), await closedNode('b'), await closedNode('c')])
    const answer = await ask('GET')
    expect(answer.status).toBe(502)
    expect(answer.raw).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/)
    const failures = entry.measures.upstreams().map((each) => each.failures['connect'] ?? 0)
    expect(failures.reduce((sum, times) => sum + times, 0)).toBe(2)
  })
})

describe('where something was sent', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('%s is asked of another node, once', async (method) => {
    await open(2)
    for (const upstream of upstreams) {
      upstream.answer = (request) => {
        if (seen().length === 1) reset(request)
        else request.socket.write(http(200, method === 'HEAD' ? '' : 'ok'))
      }
    }
    expect((await ask(method)).status).toBe(200)
    expect(asked()).toEqual([1, 1])
    expect(seen().map(({ headers }) => headers.find(([name]) => name === 'x-request-id')?.[1])).toEqual(['r1', 'r1'])
  })

  it.each([['POST', 'body'], ['POST', ''], ['PUT', 'body'], ['PATCH', 'body'], ['DELETE', '']])('%s is not asked twice: it may have been done', async (method, body) => {
    await open(2)
    for (const upstream of upstreams) upstream.answer = reset
    expect((await ask(method, body)).status).toBe(502)
    expect(seen()).toHaveLength(1)
  })

  it.each([['breaks off', reset], ['answers 503', ({ socket }: Seen) => void socket.write(http(503, ''))]])('GET is not asked twice of the same node, the only one, which %s', async (_, answer) => {
    await open(1)
    for (const upstream of upstreams) upstream.answer = answer
    expect((await ask('GET')).status).toBe(502)
    expect(seen()).toHaveLength(1)
  })

  it('GET is 502 when both fail, and a third is not asked', async () => {
    await open(3)
    for (const upstream of upstreams) upstream.answer = reset
    expect((await ask('GET')).status).toBe(502)
    expect(asked().toSorted()).toEqual([0, 1, 1])
  })

  it('GET that gets a 503 is asked of another node, once, and gets its answer', async () => {
    await open(3)
    for (const upstream of upstreams) upstream.answer = ({ socket }) => void socket.write(seen().length === 1 ? http(503, 'busy') : http(200, 'ok'))
    expect((await ask('GET')).body).toBe('ok')
    for (const upstream of upstreams) upstream.answer = ({ socket }) => void socket.write(http(503, 'busy'))
    expect((await ask('GET')).status).toBe(502)
    expect(seen()).toHaveLength(4)
  })

  it.each([404, 500, 405, 429])('GET that gets a %i is not asked again: another would say the same', async (status) => {
    await open(2)
    for (const upstream of upstreams) upstream.answer = ({ socket }) => void socket.write(http(status, 'no'))
    await ask('GET')
    expect(seen()).toHaveLength(1)
  })

  it('and the time that was waited for the first is no time waited for the second', async () => {
    await open(1, { concurrency: 1 })
    upstreams[0] = upstreams[0] as RawUpstream
    upstreams[0].answer = () => {}
    const first = ask('GET')
    await expect.poll(() => upstreams[0]?.seen.length).toBe(1)
    const second = ask('GET')
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(2)
    await entry.clock.advance(4_000)
    const quick = await startRawUpstream()
    quick.answer = ({ socket }) => void socket.write(http(200, 'quick'))
    upstreams.push(quick)
    await entry.list(living())
    upstreams[0].answer = ({ socket }) => void socket.write(http(503, ''))
    upstreams[0].seen[0]?.socket.write(http(200, 'slow'))
    expect([(await first).body, (await second).body]).toEqual(['slow', 'quick'])
    const [slow, other] = entry.measures.upstreams()
    expect(slow?.queued().p99Ms).toBeGreaterThan(3_900)
    expect([other?.name, other?.requests, other?.queued().p99Ms]).toEqual(['n1', { ok: 1 }, 0.001])
    const [path] = entry.measures.paths()
    expect(path?.queued().p99Ms).toBeGreaterThan(3_900)
  })

  it('never after the answer has begun', async () => {
    await open(2)
    for (const upstream of upstreams) upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.resetAndDestroy())
    await expect(ask('GET')).rejects.toThrow(/half|HTTP/)
    expect(seen()).toHaveLength(1)
  })

  it('never when the limit to the first byte is used up', async () => {
    await open(2)
    for (const upstream of upstreams) upstream.answer = () => {}
    const answer = ask('GET')
    await expect.poll(() => seen().length).toBe(1)
    await entry.clock.advance(15_000)
    expect((await answer).status).toBe(504)
    expect(seen()).toHaveLength(1)
  })

  it('never for a body that has begun to flow', async () => {
    await open(2)
    const caller = await entry.call()
    caller.send(`${head('GET /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}4\r\npart\r\n`)
    await expect.poll(() => upstreams.flatMap(({ bytes }) => bytes).join('')).toMatch(/part/)
    for (const upstream of upstreams) upstream.dropAll()
    expect((await caller.answer()).status).toBe(502)
    expect(upstreams.flatMap(({ bytes }) => bytes)).toHaveLength(1)
  })
})

describe('a connection that is kept open', () => {
  it('serves one request after the other', async () => {
    await open(1)
    const caller = await entry.call()
    for (let time = 0; time < 5; time++) expect((await ask('POST', `body ${time}`, caller)).body).toBe('ok')
    expect(seen().map(({ connection, body }) => [connection, body])).toEqual([[0, 'body 0'], [0, 'body 1'], [0, 'body 2'], [0, 'body 3'], [0, 'body 4']])
  })

  it.each(['FIN', 'RST'])('and was closed by the upstream while it was idle (%s) is replaced, for POST too', async (how) => {
    await open(1)
    const caller = await entry.call()
    expect((await ask('POST', 'one', caller)).status).toBe(200)
    const socket = seen()[0]?.socket
    if (how === 'FIN') socket?.end()
    else socket?.resetAndDestroy()
    await new Promise((resolve) => socket?.once('close', resolve))
    expect((await ask('POST', 'two', caller)).status).toBe(200)
    expect(seen().map(({ connection }) => connection)).toEqual([0, 1])
  })

  it('and gets bytes that nobody asked for is given up: they are no answer to the next request', async () => {
    await open(1)
    const upstream = upstreams[0]
    if (upstream === undefined) throw new Error('no upstream')
    upstream.answer = ({ socket, body }) => void socket.write(http(200, body) + (body === 'one' ? http(200, 'planted') : ''))
    expect((await ask('POST', 'one')).body).toBe('one')
    expect((await ask('POST', 'two')).body).toBe('two')
    expect(seen().map(({ connection }) => connection)).toEqual([0, 1])
  })
})

describe('among nodes', () => {
  it('equals are asked in turn', async () => {
    await open(3)
    for (let time = 0; time < 9; time++) await ask('GET')
    expect(asked()).toEqual([3, 3, 3])
  })

  it('equals are asked in turn, whatever stands between them in the list', async () => {
    await open(2)
    const [first, second] = upstreams.map(({ url }, at) => ({ serverId: `n${at}`, url }))
    const disabled = (serverId: string) => ({ serverId, url: 'http://127.0.0.1:1', enabled: false })
    await entry.list([first!, disabled('a'), disabled('b'), disabled('c'), second!])
    for (let time = 0; time < 20; time++) await ask('GET')
    expect(asked()).toEqual([10, 10])
  })

  it('the one with the least to do is asked', async () => {
    await open(2)
    for (const upstream of upstreams) upstream.answer = () => {}
    const [first, second] = [await entry.call(), await entry.call()]
    first.send(head('GET /work/slow HTTP/1.1', 'Host: localhost'))
    await expect.poll(() => seen().length).toBe(1)
    second.send(head('GET /work/slow HTTP/1.1', 'Host: localhost'))
    await expect.poll(() => seen().length).toBe(2)
    expect(asked()).toEqual([1, 1])
    const idle = upstreams[0]
    if (idle === undefined) throw new Error('no upstream')
    idle.seen[0]?.socket.write(http(200, 'ok'))
    idle.answer = ({ socket }) => void socket.write(http(200, 'ok'))
    for (let time = 0; time < 6; time++) expect((await ask('GET')).status).toBe(200)
    expect(asked()).toEqual([7, 1])
  })

  it('one that failed is asked last for a moment, and then again', async () => {
    await open(2)
    const [bad] = upstreams
    if (bad === undefined) throw new Error('no upstream')
    bad.answer = ({ socket }) => void socket.write(http(503, ''))
    for (let time = 0; time < 6; time++) await ask('GET')
    expect(bad.seen).toHaveLength(1)
    await entry.clock.advance(5_000)
    for (let time = 0; time < 2; time++) await ask('GET')
    expect(bad.seen).toHaveLength(2)
  })

  it('one that failed at speech is asked last, and still where no other serves the path', async () => {
    await open(2)
    const [mute, other] = upstreams
    if (mute === undefined || other === undefined) throw new Error('no upstream')
    mute.answer = ({ socket, startLine }) => {
      if (startLine.includes('speech')) socket.resetAndDestroy()
      else socket.write(http(200, 'ok'))
    }
    const node = entry.pool.nodes().find(({ serverId }) => serverId === 'n0')
    if (node === undefined) throw new Error('no node')
    const speech = { model: 'voxpool', input: 'Hello.', voice: 'auto', response_format: 'opus', speed: 1 } as const
    await expect(entry.pool.speak(node, speech, { requestId: 'r' })).rejects.toMatchObject({ code: 'NODE_RESET' })
    expect(node.health.state).toBe('resting')
    const before = mute.seen.length
    for (let time = 0; time < 4; time++) expect((await ask('GET')).status).toBe(200)
    expect([mute.seen.length - before, other.seen.length]).toEqual([0, 4])
    await entry.list([{ serverId: 'n0', url: mute.url, isDead: true }])
    expect((await ask('GET')).status).toBe(200)
  })

  it('one that does not serve the path, or is disabled, or has no address is not asked', async () => {
    await open(2)
    await entry.list([{ serverId: 'n0', url: upstreams[0]?.url ?? '', paths: ['/work', '/other/*'] }, { serverId: 'n1', url: upstreams[1]?.url ?? '', paths: ['/work/x'] }])
    for (let time = 0; time < 4; time++) await ask('GET')
    expect(asked()).toEqual([0, 4])
  })

  it('one that has moved is asked at its new address, and its old connections end', async () => {
    await open(2)
    const [old, fresh] = upstreams
    if (old === undefined || fresh === undefined) throw new Error('no upstream')
    await entry.list([{ serverId: 'n0', url: old.url }])
    expect((await ask('GET')).status).toBe(200)
    expect(old.open()).toBe(1)
    await entry.list([{ serverId: 'n0', url: fresh.url }])
    await expect.poll(() => old.open()).toBe(0)
    expect((await ask('GET')).status).toBe(200)
    expect(asked()).toEqual([1, 1])
  })

  it('one that has moved is not asked last for what fails at its old address', async () => {
    await open(3)
    const [old, other, fresh] = upstreams
    if (old === undefined || other === undefined || fresh === undefined) throw new Error('no upstream')
    await entry.list([{ serverId: 'n0', url: old.url }])
    old.answer = () => {}
    const held = ask('POST', 'x')
    await expect.poll(() => old.seen.length).toBe(1)
    await entry.list([{ serverId: 'n0', url: fresh.url }, { serverId: 'n1', url: other.url }])
    old.dropAll()
    expect((await held).status).toBe(502)
    for (let time = 0; time < 10; time++) await ask('GET')
    expect(asked()).toEqual([1, 5, 5])
  })

  it('one that has gone lets what is under way end there', async () => {
    await open(1)
    const [upstream] = upstreams
    if (upstream === undefined) throw new Error('no upstream')
    upstream.answer = () => {}
    const answer = ask('GET')
    await expect.poll(() => upstream.seen.length).toBe(1)
    await entry.list([])
    expect((await ask('GET')).status).toBe(503)
    upstream.seen[0]?.socket.write(http(200, 'late, but there'))
    expect((await answer).body).toBe('late, but there')
    await expect.poll(() => upstream.open()).toBe(0)
  })
})
