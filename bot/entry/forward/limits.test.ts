import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { Answer, RawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

const A_TEXT: unknown = expect.any(String)
const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
const LIMITS = { connectMs: 3_000, firstByteMs: 15_000, silenceMs: 30_000, totalMs: 60_000, bodyMaxBytes: 1_000_000, concurrency: 2, waitingMax: 2, waitMs: 5_000 }
let upstream: RawUpstream
let there: RawUpstream
let entry: TestEntry

beforeEach(async () => {
  upstream = await startRawUpstream()
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }], limits: LIMITS })
  upstream.answer = () => {}
})

afterEach(async () => {
  await entry.close()
  await upstream.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

const GET = head('GET /work/x HTTP/1.1', 'Host: localhost', 'X-Request-Id: r1')

async function asking(bytes = GET): Promise<RawCaller> {
  const caller = await entry.call()
  caller.send(bytes)
  return caller
}

const reached = (requests: number) => expect.poll(() => upstream.seen.length).toBe(requests)

/** A place that gets free goes to who is still there. */
async function expectPlace() {
  const [next] = [await asking(GET.replace('r1', 'next')), upstream.seen[0]?.socket.write(http(200, 'ok'))]
  await reached(3)
  upstream.seen[2]?.socket.write(http(200, 'in turn'))
  expect((await next.answer()).body).toBe('in turn')
}

function expectLimit({ status, body }: Answer, expected = 504, code = 'upstream_timeout') {
  expect(status).toBe(expected)
  expect(JSON.parse(body)).toEqual({ ok: false, error: { code, message: A_TEXT, requestId: A_TEXT } })
}

describe('a limit', () => {
  it('to connect: 504, and the half-open connection is given up', async () => {
    await entry.list([{ serverId: 'tls', url: upstream.url.replace('http:', 'https:'), isDead: true }])
    const caller = await asking()
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(1)
    await entry.clock.advance(LIMITS.connectMs)
    expectLimit(await caller.answer())
    // The pool's own attempts have ended by then too.
    await expect.poll(() => upstream.open()).toBe(0)
  })

  it('to the first byte: 504 after 15 s and no sooner, and the upstream’s connection is closed', async () => {
    const caller = await asking()
    await reached(1)
    await entry.clock.advance(LIMITS.firstByteMs - 1)
    expect(caller.held()).toBe('')
    await entry.clock.advance(1)
    expectLimit(await caller.answer())
    await upstream.closed(0)
  })

  it('is 15 s by default', async () => {
    const plain = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }] })
    const caller = await plain.call()
    caller.send(GET)
    await reached(1)
    await plain.clock.advance(14_999)
    expect(caller.held()).toBe('')
    await plain.clock.advance(1)
    expectLimit(await caller.answer())
    await plain.close()
  })

  it('to the first byte does not start anew with 1xx', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 102 Processing\r\n\r\n')
    const caller = await asking()
    await reached(1)
    for (let time = 0; time < 3; time++) {
      await entry.clock.advance(5_000)
      upstream.seen[0]?.socket.write('HTTP/1.1 102 Processing\r\n\r\n')
    }
    expectLimit(await caller.answer())
  })

  it('of silence in the answer: it is cut, and both connections end', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')
    const caller = await asking()
    await expect.poll(() => caller.held()).toMatch(/abc$/)
    await entry.clock.advance(LIMITS.silenceMs - 1)
    upstream.seen[0]?.socket.write('d')
    await expect.poll(() => caller.held()).toMatch(/abcd$/)
    await entry.clock.advance(LIMITS.silenceMs - 1)
    expect(upstream.open()).toBe(1)
    await entry.clock.advance(1)
    expect(await caller.ended()).toMatch(/abcd$/)
    await upstream.closed(0)
  })

  it('of the whole: an answer that drips is cut', async () => {
    upstream.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    const caller = await asking()
    await expect.poll(() => caller.held()).toMatch(/\r\n\r\n$/)
    for (let atMs = 10_000; atMs <= LIMITS.totalMs; atMs += 10_000) {
      upstream.seen[0]?.socket.write('1\r\n.\r\n')
      await expect.poll(() => caller.held().match(/\n\.\r/g)?.length).toBe(atMs / 10_000)
      await entry.clock.advance(10_000)
    }
    await caller.ended()
    await upstream.closed(0)
  })

  it('of silence in a small body: 408, and no upstream was asked', async () => {
    const caller = await asking(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Content-Length: 100') + 'only a part')
    await expect.poll(() => entry.clock.pending()).toBeGreaterThan(1)
    await entry.clock.advance(LIMITS.silenceMs)
    expectLimit(await caller.answer(), 408, 'request_timeout')
    expect(upstream.bytes).toEqual([])
  })

  it('of silence in a body that flows: 408 where the caller stopped, and the upstream’s connection is closed', async () => {
    const caller = await asking(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked') + '4\r\npart\r\n')
    await expect.poll(() => upstream.bytes[0]).toMatch(/part\r?\n?$/)
    await entry.clock.advance(LIMITS.silenceMs)
    expectLimit(await caller.answer(), 408, 'request_timeout')
    await upstream.closed(0)
  })

  it('of silence in a body that flows: 504 where the upstream takes no more of it', async () => {
    const bytes = 900_000
    const caller = await asking(`${head('POST /work/x HTTP/1.1', 'Host: localhost', `Content-Length: ${bytes}`)}first`)
    await expect.poll(() => upstream.bytes[0]).toMatch(/first$/)
    upstream.stopReading()
    caller.send('x'.repeat(bytes - 'first'.length))
    let answer: Answer | undefined
    void caller.answer().then((whole) => (answer = whole))
    await expect.poll(async () => {
      await entry.clock.advance(LIMITS.silenceMs / 2)
      return answer?.status
    }).toBe(504)
    expectLimit(answer ?? (await caller.answer()))
  })

  it('of silence for a caller that does not read: it is cut, and what waits for it is bounded', async () => {
    const piece = 'x'.repeat(65_536)
    let sentBytes = 0
    upstream.answer = ({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed) {
          sentBytes += piece.length
          if (!socket.write(piece)) break
        }
      }
      socket.on('drain', more)
      more()
    }
    const patient = await openEntry({ folder: join(folder, 'patient'), nodes: [{ serverId: 'n1', url: upstream.url }], limits: { ...LIMITS, totalMs: 3_600_000 } })
    const caller = await patient.call()
    caller.send(GET)
    await expect.poll(() => caller.held()).toMatch(/^HTTP/)
    caller.pause()
    let before = -1
    await expect.poll(() => {
      const stands = sentBytes === before
      before = sentBytes
      return stands
    }, { interval: 300 }).toBe(true)
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024)
    let isCut = false
    void upstream.closed(0).then(() => (isCut = true))
    // On a busy machine it only seemed to stand: then what moved since has started the limit anew.
    await expect.poll(async () => {
      await patient.clock.advance(LIMITS.silenceMs)
      return isCut
    }, { interval: 300 }).toBe(true)
    // The caller's doing, which is not held against the upstream.
    await expect.poll(() => patient.measures.upstreams()[0]).toMatchObject({ inFlight: 0, failures: { slow: 1 } })
    await patient.close()
  })
})

describe('places', () => {
  it('beyond those an upstream has, requests wait in their order, and beyond those that may wait they are 503 at once', async () => {
    const callers = []
    for (let index = 0; index < 4; index++) {
      callers.push(await asking(GET.replace('r1', `r${index}`)))
      if (index < 2) await reached(index + 1)
      else await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(index + 1)
    }
    const refused = await (await asking()).answer()
    expectLimit(refused, 503, 'busy')
    expect(refused.header('retry-after')).toBe('1')
    expect(upstream.seen).toHaveLength(2)
    upstream.seen[0]?.socket.write(http(200, 'first'))
    expect((await callers[0]?.answer())?.body).toBe('first')
    await reached(3)
    expect(upstream.seen[2]?.headers).toContainEqual(['x-request-id', 'r2'])
  })

  it('are waited for only so long', async () => {
    for (let index = 0; index < 2; index++) {
      await asking()
      await reached(index + 1)
    }
    const waiting = await asking()
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(3)
    await entry.clock.advance(LIMITS.waitMs - 1)
    expect(waiting.held()).toBe('')
    await entry.clock.advance(1)
    expectLimit(await waiting.answer(), 503, 'busy')
    expect(upstream.seen).toHaveLength(2)
    await expectPlace()
  })

  it('are no places any more where the node was taken out meanwhile: who waited is told so, and it is not asked', async () => {
    for (let index = 0; index < 2; index++) {
      await asking()
      await reached(index + 1)
    }
    const waiting = await asking()
    await expect.poll(() => entry.waiting()).toBe(1)
    entry.pool.setDraining('n1', true)
    upstream.seen[0]?.socket.write(http(200, 'ok'))
    expectLimit(await waiting.answer(), 503, 'unavailable')
    expect(upstream.seen).toHaveLength(2)
  })

  it.each([
    ['moves', () => [{ serverId: 'n1', url: there.url }]],
    ['leaves', () => [{ serverId: 'n2', url: there.url }]],
    ['is disabled', () => [{ serverId: 'n1', url: upstream.url, enabled: false }, { serverId: 'n2', url: there.url }]]
  ])('are waited for no more when the node %s: who waits goes where there are some, at once', async (_, list) => {
    there = await startRawUpstream()
    there.answer = ({ socket }) => void socket.write(http(200, 'from there'))
    for (let index = 0; index < 2; index++) {
      await asking()
      await reached(index + 1)
    }
    const waiting = [await asking(), await asking()]
    await expect.poll(() => entry.waiting()).toBe(2)
    await entry.list(list())
    for (const each of waiting) expect((await each.answer()).body).toBe('from there')
    expect(upstream.seen).toHaveLength(2)
    await there.close()
  })

  it('of one upstream that hangs take nothing from another', async () => {
    const other = await startRawUpstream()
    await entry.list([{ serverId: 'n1', url: upstream.url }, { serverId: 'n2', url: other.url }])
    for (let index = 0; index < 6; index++) await asking()
    await expect.poll(() => upstream.seen.length + other.seen.length).toBeGreaterThan(3)
    for (let time = 0; time < 20; time++) expect((await (await asking()).answer()).body).toBe('ok')
    await other.close()
  })
})

describe('a caller that leaves', () => {
  it('while it waits for a place gives its turn up', async () => {
    for (let index = 0; index < 2; index++) {
      await asking()
      await reached(index + 1)
    }
    const waiting = await asking()
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(3)
    expect(entry.waiting()).toBe(1)
    waiting.leave()
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(2)
    expect(entry.waiting()).toBe(0)
    upstream.seen[0]?.socket.write(http(200, 'ok'))
    await expect.poll(() => entry.measures.upstreams()[0]?.inFlight).toBe(1)
    expect(upstream.seen).toHaveLength(2)
    await expectPlace()
  })

  it('while its small body comes is no upstream’s business', async () => {
    const caller = await asking(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Content-Length: 100') + 'part')
    await expect.poll(() => entry.measures.paths()[0]?.inFlight).toBe(1)
    caller.leave()
    await expect.poll(() => entry.measures.paths()[0]?.failures).toEqual({ gone: 1 })
    expect(upstream.bytes).toEqual([])
  })

  it('while the entry connects ends that at once', async () => {
    await entry.list([{ serverId: 'tls', url: upstream.url.replace('http:', 'https:'), isDead: true }])
    // The pool's own attempts end by themselves.
    await expect.poll(() => upstream.bytes.length).toBeGreaterThan(0)
    await expect.poll(() => upstream.open()).toBe(0)
    const caller = await asking()
    await expect.poll(() => upstream.open()).toBe(1)
    caller.leave()
    await expect.poll(() => upstream.open()).toBe(0)
    await expect.poll(() => entry.measures.upstreams()[0]?.failures).toEqual({ gone: 1 })
  })

  it.each([
    ['before the first byte', () => {}],
    ['in the middle of the answer', () => void upstream.seen[0]?.socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
  ])('%s closes the upstream’s connection at once', async (_, begin) => {
    const caller = await asking()
    await reached(1)
    begin()
    if (_.startsWith('in')) await expect.poll(() => caller.held()).toMatch(/half$/)
    caller.leave()
    await upstream.closed(0)
    await expect.poll(() => entry.measures.upstreams()[0]).toMatchObject({ inFlight: 0, failures: { gone: 1 } })
  })

  it('while its body flows closes the upstream’s connection at once', async () => {
    const caller = await asking(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked') + '4\r\npart\r\n')
    await expect.poll(() => upstream.bytes[0]).toMatch(/part/)
    caller.leave()
    await upstream.closed(0)
  })

  it('with several requests on its connection ends all of them', async () => {
    const caller = await asking(GET + GET)
    await reached(2)
    caller.leave()
    await Promise.all([upstream.closed(0), upstream.closed(1)])
  })
})
