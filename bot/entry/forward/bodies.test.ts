import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { RawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream } from '../../../sandbox/entry/raw-upstream.ts'

const A_TEXT: unknown = expect.any(String)
const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
const LIMIT_BYTES = 200_000
let upstream: RawUpstream
let entry: TestEntry
/** Some bodies are held before they go on, others flow. */
const SIZES = [1, 1_000, 65_536, 65_537, LIMIT_BYTES]

beforeAll(async () => {
  upstream = await startRawUpstream()
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }], limits: { bodyMaxBytes: LIMIT_BYTES } })
})

beforeEach(() => {
  upstream.seen = []
  upstream.answer = ({ socket }) => void socket.write(http(200, 'ok'))
})

afterAll(async () => {
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})

const text = (bytes: number) => randomBytes(Math.ceil(bytes / 2)).toString('hex').slice(0, bytes)
const hash = (body: string) => createHash('sha256').update(body).digest('hex')

function chunked(body: string, pieceBytes = 10_000): string {
  let bytes = ''
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.slice(at, at + pieceBytes)
    bytes += `${piece.length.toString(16)}\r\n${piece}\r\n`
  }
  return `${bytes}0\r\n\r\n`
}

/** The connection is still good for the next request. */
async function expectUsable(caller: RawCaller) {
  upstream.answer = ({ socket }) => void socket.write(http(200, 'next'))
  caller.send(head('GET /work/next HTTP/1.1', 'Host: localhost'))
  expect((await caller.answer()).body).toBe('next')
  expect(upstream.seen.at(-1)?.startLine).toBe('GET /work/next HTTP/1.1')
}

describe('a body', () => {
  it.each(SIZES)('of a declared length of %i comes whole, with that length', async (bytes) => {
    const [caller, body] = [await entry.call(), text(bytes)]
    caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', `Content-Length: ${bytes}`) + body)
    expect((await caller.answer()).status).toBe(200)
    const [seen] = upstream.seen
    expect(hash(seen?.body ?? '')).toBe(hash(body))
    expect(seen?.headers.filter(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))).toEqual([['content-length', String(bytes)]])
    await expectUsable(caller)
  })

  it.each(SIZES)('of %i bytes in chunks comes whole, in chunks', async (bytes) => {
    const [caller, body] = [await entry.call(), text(bytes)]
    caller.send(head('PUT /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked') + chunked(body))
    expect((await caller.answer()).status).toBe(200)
    const [seen] = upstream.seen
    expect(hash(seen?.body ?? '')).toBe(hash(body))
    expect(seen?.headers.filter(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))).toEqual([['transfer-encoding', 'chunked']])
    await expectUsable(caller)
  })

  it('in chunks goes on as it comes', async () => {
    const caller = await entry.call()
    caller.send(`${head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}3\r\none\r\n`)
    await expect.poll(() => upstream.bytes.at(-1)).toMatch(/one\r?\n?$/)
    caller.send('3\r\ntwo\r\n')
    await expect.poll(() => upstream.bytes.at(-1)).toMatch(/two\r?\n?$/)
    caller.send('0\r\n\r\n')
    expect((await caller.answer()).status).toBe(200)
  })

  it('with trailers and chunk extensions comes without them', async () => {
    const caller = await entry.call()
    caller.send(`${head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked', 'Trailer: X-Admin')}4;a=b\r\nbody\r\n0\r\nX-Admin: 1\r\n\r\n`)
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen[0]?.body).toBe('body')
    expect(upstream.seen[0]?.raw).not.toMatch(/x-admin|a=b/i)
    await expectUsable(caller)
  })

  it.each([
    ['POST', 'Content-Length: 0', [['content-length', '0']]],
    // RFC 9110, 8.6: a method that can have one says that it has none.
    ['POST', '', [['content-length', '0']]],
    ['GET', '', []],
    ['GET', 'Content-Length: 0', []],
    ['DELETE', '', []]
  ])('that is not there is not there: %s %s', async (method, line, expected) => {
    const caller = await entry.call()
    caller.send(head(`${method} /work/x HTTP/1.1`, 'Host: localhost', ...(line === '' ? [] : [line])))
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen[0]?.body).toBe('')
    expect(upstream.seen[0]?.headers.filter(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))).toEqual(expected)
    await expectUsable(caller)
  })

  it.each(['GET', 'DELETE', 'OPTIONS'])('of a %s comes too', async (method) => {
    const caller = await entry.call()
    caller.send(`${head(`${method} /work/x HTTP/1.1`, 'Host: localhost', 'Content-Length: 4')}body`)
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen[0]?.body).toBe('body')
    await expectUsable(caller)
  })

  it('of no bytes in chunks is an empty one', async () => {
    const caller = await entry.call()
    caller.send(`${head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked')}0\r\n\r\n`)
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen[0]?.body).toBe('')
  })

  it('whose caller waits to be told to go on comes too', async () => {
    const caller = await entry.call()
    caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Content-Length: 4', 'Expect: 100-continue'))
    expect((await caller.answer()).status).toBe(100)
    caller.send('body')
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen[0]?.body).toBe('body')
  })
})

it('what a caller expects beside that is passed over', async () => {
  const caller = await entry.call()
  caller.send(`${head('POST /work/x HTTP/1.1', 'Host: localhost', 'Content-Length: 4', 'Expect: tea')}body`)
  expect((await caller.answer()).status).toBe(200)
  expect(upstream.seen[0]?.headers.map(([name]) => name.toLowerCase())).not.toContain('expect')
})

describe('a body that is too large', () => {
  it('is 413 by its declared length alone, and no upstream hears of it', async () => {
    const opened = upstream.bytes.length
    const caller = await entry.call()
    caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', `Content-Length: ${LIMIT_BYTES + 1}`))
    const answer = await caller.answer()
    expect([answer.status, JSON.parse(answer.body)]).toEqual([413, { ok: false, error: { code: 'too_large', message: A_TEXT, requestId: A_TEXT } }])
    expect([upstream.seen.length, upstream.bytes.length]).toEqual([0, opened])
  })

  it('is 413 for a caller that sends it all before it reads', async () => {
    const caller = await entry.call()
    caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Content-Length: 5000000') + text(5_000_000))
    expect((await caller.answer()).status).toBe(413)
  })

  it.each([['by one byte', LIMIT_BYTES + 1], ['by far', 3_000_000]])('in chunks (%s) is 413, and the upstream’s connection is closed before it is whole', async (_, bytes) => {
    const caller = await entry.call()
    caller.send(head('POST /work/x HTTP/1.1', 'Host: localhost', 'Transfer-Encoding: chunked') + chunked(text(bytes)))
    expect((await caller.answer()).status).toBe(413)
    await upstream.closed(upstream.bytes.length - 1)
    expect(upstream.seen).toHaveLength(0)
    expect(upstream.bytes.at(-1)?.length).toBeLessThan(LIMIT_BYTES + 20_000)
  })
})

describe('an upstream that answers before it has the whole body', () => {
  it.each([['and keeps its connection', ''], ['and closes it', 'connection: close']])('%s: its answer comes, and nothing of the body becomes a request', async (_, line) => {
    upstream.onHead = (socket) => void socket.write(http(413, 'too much for me', line === '' ? [] : [line]))
    const caller = await entry.call()
    caller.send(`${head('POST /work/x HTTP/1.1', 'Host: localhost', `Content-Length: ${LIMIT_BYTES}`)}${text(100_000)}`)
    const answer = await caller.answer()
    expect([answer.status, answer.body]).toEqual([413, 'too much for me'])
    caller.send('GET /work/planted HTTP/1.1\r\nHost: localhost\r\n\r\n'.padEnd(100_000, 'x'))
    await upstream.closed(upstream.bytes.length - 1)
    upstream.onHead = undefined
    await expectUsable(await entry.call())
    expect(upstream.seen.map(({ startLine }) => startLine)).toEqual(['GET /work/next HTTP/1.1'])
  })
})
