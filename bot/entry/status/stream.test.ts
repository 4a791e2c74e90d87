import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openRawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { silentLog } from '../../core/log.ts'
import { manualClock } from '../../core/manual-clock.ts'
import type { ManualClock } from '../../core/manual-clock.ts'
import { createMetrics } from '../../core/metrics.ts'
import type { EntryEnvironment } from '../environment.ts'
import { startEntry } from '../server.ts'
import type { Entry } from '../server.ts'
import type { Snapshot } from './snapshot.ts'
import { createStream } from './stream.ts'
import type { Stream } from './stream.ts'

let clock: ManualClock
let stream: Stream
let entry: Entry
let snapshot: Snapshot
let made: number
let isBroken: boolean
const leaves: (() => void)[] = []

beforeEach(async () => {
  clock = manualClock()
  made = 0
  isBroken = false
  snapshot = {
    version: '1', now: 0, startedAt: 0, state: 'ok', registry: { ageMs: 5, isStale: false }, reading: 0, speaking: 0, waiting: 0, inFlight: 0, nodes: [], paths: [],
    history: { stepMs: 30_000, points: [] }, events: []
  }
  const read = async () => {
    made += 1
    if (isBroken) throw new Error('broken')
    return { ...snapshot, now: clock.now() }
  }
  stream = createStream({ read, clock, log: silentLog })
  const part = new Hono<EntryEnvironment>()
  part.get('/api/events', async (context) => {
    await stream.open(context.env.outgoing, context.get('requestId'), context.env.incoming.method === 'HEAD')
    return RESPONSE_ALREADY_SENT
  })
  entry = await startEntry({ host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), clock, ready: () => ({ ok: true }), parts: [part] })
})

afterEach(async () => {
  for (const leave of leaves.splice(0)) leave()
  stream.close()
  await entry.close()
})

interface Reader {
  answer: IncomingMessage
  /** What has come, each event as its name and its data. */
  events(): { name: string; data: unknown }[]
  /** Resolves when so many have come. */
  until(count: number): Promise<{ name: string; data: unknown }[]>
  text(): string
  ended: Promise<unknown>
  leave: () => void
}

async function read(): Promise<Reader> {
  const sent = request({ host: '127.0.0.1', port: entry.port, path: '/api/events' })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  let text = ''
  answer.setEncoding('utf8')
  answer.on('data', (chunk: string) => (text += chunk))
  const ended = new Promise((resolve) => answer.once('close', resolve).on('error', () => undefined))
  const events = () =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name = '', data = '']) => ({ name, data: JSON.parse(data) as unknown }))
  const more = (count: number) =>
    new Promise<void>((resolve, reject) => {
      answer.once('data', () => resolve())
      void ended.then(() => reject(new Error(`ended after ${String(count)}`)))
    })
  const reader: Reader = {
    answer,
    events,
    async until(count) {
      while (events().length < count) await more(events().length)
      return events()
    },
    text: () => text,
    ended,
    leave: () => sent.destroy()
  }
  leaves.push(reader.leave)
  return reader
}

const names = (events: { name: string }[]) => events.map(({ name }) => name)

describe('the stream of the status', () => {
  it('begins with when to come back, and a whole snapshot', async () => {
    const reader = await read()
    expect(await reader.until(1)).toEqual([{ name: 'snapshot', data: { ...snapshot, now: clock.now() } }])
    expect(reader.text()).toMatch(/^retry: 2000\n\nevent: snapshot\n/)
    expect([reader.answer.headers['content-type'], reader.answer.headers['cache-control'], reader.answer.headers['x-frame-options']]).toEqual(['text/event-stream; charset=utf-8', 'no-store', 'DENY'])
    expect(reader.answer.headers['x-request-id']).toMatch(/\S/)
  })

  it('tells of a change within a second, and of nothing but ages only every 15 s', async () => {
    const reader = await read()
    await reader.until(1)
    await clock.advance(9_000)
    snapshot = { ...snapshot, registry: { ageMs: 9_000, isStale: false } }
    await clock.advance(500)
    expect(names(reader.events())).toEqual(['snapshot'])
    snapshot = { ...snapshot, waiting: 4 }
    await clock.advance(500)
    expect((await reader.until(3)).map(({ name, data }) => (name === 'beat' ? data : (data as Snapshot).waiting))).toEqual(expect.arrayContaining([0, 4, clock.now()]))
    await clock.advance(14_000)
    expect(reader.events().filter(({ name }) => name === 'snapshot')).toHaveLength(2)
    await clock.advance(1_000)
    await reader.until(5)
    expect(reader.events().filter(({ name }) => name === 'snapshot')).toHaveLength(3)
  })

  it('beats every 10 s, with the time', async () => {
    const reader = await read()
    await reader.until(1)
    const startMs = clock.now()
    await clock.advance(30_000)
    await expect.poll(() => reader.events().filter(({ name }) => name === 'beat').map(({ data }) => (data as number) - startMs)).toEqual([10_000, 20_000, 30_000])
  })

  it('makes one snapshot for all who read, and none where nobody does', async () => {
    await clock.advance(60_000)
    expect(made).toBe(0)
    const readers = await Promise.all(Array.from({ length: 20 }, () => read()))
    await Promise.all(readers.map((reader) => reader.until(1)))
    expect(made).toBe(1)
    await clock.advance(3_000)
    expect(made).toBe(4)
    for (const reader of readers) reader.leave()
    await expect.poll(() => stream.readers()).toBe(0)
    await clock.advance(60_000)
    expect(made).toBe(4)
  })

  it('tells those who read already what somebody who came later has seen first', async () => {
    const first = await read()
    await first.until(1)
    await clock.advance(1_000)
    snapshot = { ...snapshot, waiting: 9 }
    await clock.advance(500)
    const second = await read()
    await second.until(1)
    await clock.advance(500)
    await expect.poll(() => first.events().map(({ data }) => (data as Snapshot).waiting)).toEqual([0, 9])
  })

  it('lets go of a reader that takes nothing, and of no other', async () => {
    const slow = await openRawCaller(entry.port)
    leaves.push(() => slow.leave())
    slow.pause()
    slow.send('GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => stream.readers()).toBe(1)
    const reader = await read()
    await reader.until(1)
    let told = 1
    for (; told < 100 && stream.readers() === 2; told++) {
      snapshot = { ...snapshot, version: String(told).padEnd(400_000, '.') }
      await clock.advance(1_000)
      // The other one keeps up.
      await expect.poll(() => reader.events().filter(({ name }) => name === 'snapshot').length).toBe(told + 1)
    }
    expect([stream.readers(), told > 3]).toEqual([1, true])
    expect(reader.answer.destroyed).toBe(false)
  })

  it('takes 500 readers, and tells the next one to come again', async () => {
    const callers = await Promise.all(Array.from({ length: 500 }, () => openRawCaller(entry.port)))
    leaves.push(() => callers.forEach((caller) => caller.leave()))
    for (const caller of callers) caller.send('GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => stream.readers()).toBe(500)
    const ask = () => fetch(`http://127.0.0.1:${String(entry.port)}/api/events`)
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await refused.json()).toMatchObject({ ok: false, error: { code: 'busy' } })
    callers[0]!.leave()
    await expect.poll(() => stream.readers()).toBe(499)
    const reader = await read()
    await reader.until(1)
  })

  it('gives no place to one that waits behind another on the same connection', async () => {
    const caller = await openRawCaller(entry.port)
    leaves.push(() => caller.leave())
    caller.send('GET /api/events HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(10))
    await expect.poll(() => stream.readers()).toBe(1)
    const reader = await read()
    await reader.until(1)
    expect(stream.readers()).toBe(2)
  })

  it('ends for all when the bot does', async () => {
    const readers = await Promise.all([read(), read()])
    await Promise.all(readers.map((reader) => reader.until(1)))
    stream.close()
    await Promise.all(readers.map(({ ended }) => ended))
    expect(readers.every(({ answer }) => answer.complete)).toBe(true)
    await expect.poll(() => stream.readers()).toBe(0)
    expect((await fetch(`http://127.0.0.1:${String(entry.port)}/api/events`)).status).toBe(503)
    await clock.advance(20_000)
  })

  it('answers a HEAD without staying', async () => {
    const answer = await fetch(`http://127.0.0.1:${String(entry.port)}/api/events`, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-type'), stream.readers()]).toEqual([200, 'text/event-stream; charset=utf-8', 0])
  })

  it('lives on where a snapshot fails', async () => {
    const reader = await read()
    await reader.until(1)
    isBroken = true
    await clock.advance(3_000)
    isBroken = false
    snapshot = { ...snapshot, waiting: 2 }
    await clock.advance(1_000)
    await expect.poll(() => reader.events().map(({ data }) => (data as Snapshot).waiting)).toEqual([0, 2])
  })
})
