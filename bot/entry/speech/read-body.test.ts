import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openRawCaller } from '../../../sandbox/entry/raw-caller.ts'
import { manualClock } from '../../core/manual-clock.ts'
import { readBody } from './read-body.ts'
import type { ReadBody } from './read-body.ts'

const clock = manualClock()
let server: Server
let results: ReadBody[]
let begun: number

beforeEach(async () => {
  results = []
  begun = 0
  server = createServer((incoming, outgoing) => {
    begun += 1
    void readBody(incoming, { maxBytes: 10, limitMs: 10_000, clock }).then((read) => {
      results.push(read)
      outgoing.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const call = async (bytes: string) => {
  const caller = await openRawCaller((server.address() as AddressInfo).port)
  caller.send(bytes)
  return caller
}

it.each<[string, string, ReadBody]>([
  ['of the greatest size', `${HEAD}Content-Length: 10\r\n\r\n0123456789`, { ok: true, text: '0123456789' }],
  ['in chunks', `${CHUNKED}3\r\n012\r\n2\r\n34\r\n0\r\n\r\n`, { ok: true, text: '01234' }],
  ['that is none', `${HEAD}\r\n`, { ok: true, text: '' }],
  ['that says that it is too large', `${HEAD}Content-Length: 11\r\n\r\n`, { ok: false, reason: 'too_large' }],
  ['that turns out to be too large', `${CHUNKED}b\r\n0123456789a\r\n`, { ok: false, reason: 'too_large' }]
])('reads a body %s', async (_, bytes, expected) => {
  const caller = await call(bytes)
  await expect.poll(() => results).toEqual([expected])
  caller.leave()
})

it.each([`${HEAD}Content-Length: 10\r\n\r\n0123`, `${CHUNKED}4\r\n0123\r\n`])('gives up one that stops, and one whose caller leaves', async (bytes) => {
  const caller = await call(bytes)
  await expect.poll(() => begun).toBe(1)
  await clock.advance(9_999)
  expect(results).toEqual([])
  await clock.advance(1)
  expect(results).toEqual([{ ok: false, reason: 'slow' }])
  caller.leave()
  const other = await call(bytes)
  await expect.poll(() => begun).toBe(2)
  other.leave()
  await expect.poll(() => results[1]).toEqual({ ok: false, reason: 'gone' })
})
