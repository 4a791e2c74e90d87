import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { manualClock } from '../../core/manual-clock.ts'
import { openOutlet } from './outlet.ts'

const closing: (() => unknown)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A real answer, and the caller that gets it and reads nothing of it yet. */
async function openAnswer(): Promise<{ outgoing: ServerResponse; caller: Promise<IncomingMessage>; leave: () => void }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = request({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  asked.on('error', () => {})
  asked.end()
  closing.push(() => asked.destroy(), () => server.close())
  const caller = once(asked, 'response').then(([answer]) => answer as IncomingMessage)
  const [, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { outgoing, caller, leave: () => asked.destroy() }
}

const MORE_THAN_FITS = new Uint8Array(32 * 1024 * 1024)

it('a caller that takes nothing for a minute is given up, and one that takes it is not', async () => {
  const clock = manualClock()
  const { outgoing, caller } = await openAnswer()
  const outlet = openOutlet({ outgoing, clock, requestId: 'r', mediaType: 'audio/pcm', isEvents: false })
  const answer = await caller
  const taken = outlet.write(MORE_THAN_FITS)
  answer.resume()
  await taken
  answer.pause()
  const stalled = expect(outlet.write(MORE_THAN_FITS)).rejects.toMatchObject({ code: 'CANCELLED' })
  await clock.advance(60_000)
  await stalled
})

it('a caller that leaves ends the wait', async () => {
  const { outgoing, caller, leave } = await openAnswer()
  const outlet = openOutlet({ outgoing, clock: manualClock(), requestId: 'r', mediaType: 'audio/pcm', isEvents: false })
  await caller
  const stalled = expect(outlet.write(MORE_THAN_FITS)).rejects.toMatchObject({ code: 'CANCELLED' })
  leave()
  await stalled
  await expect(outlet.write(Uint8Array.of(1))).rejects.toMatchObject({ code: 'CANCELLED' })
})

it('an answer broken off is seen as one by a caller that knows no chunks', async () => {
  const server = createServer((_, outgoing) => {
    const outlet = openOutlet({ outgoing, clock: manualClock(), requestId: 'r', mediaType: 'audio/pcm', isEvents: false })
    void outlet.write(Uint8Array.of(1)).then(() => outlet.cut({ status: 503, code: 'voices_failed', message: 'Failed.' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const caller = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  caller.resume().write('GET / HTTP/1.0\r\n\r\n')
  await expect(once(caller, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
})

it('events that tell of a fault reach a caller that is behind, and knows no chunks', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const caller = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  caller.write('GET / HTTP/1.0\r\n\r\n')
  const [, outgoing] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const outlet = openOutlet({ outgoing, clock: manualClock(), requestId: 'r', mediaType: 'audio/pcm', isEvents: true })
  await outlet.write(new Uint8Array(16 * 1024))
  const closed = once(outgoing, 'close')
  outlet.cut({ status: 503, code: 'voices_failed', message: 'Failed.' })
  await closed
  let said = ''
  for await (const chunk of caller as AsyncIterable<Buffer>) said += chunk.toString('latin1')
  expect(said).toContain('"code":"voices_failed"')
})

it('an answer broken off is not left open for a caller that reads no more', async () => {
  const clock = manualClock()
  const { outgoing, caller } = await openAnswer()
  const outlet = openOutlet({ outgoing, clock, requestId: 'r', mediaType: 'audio/pcm', isEvents: true })
  await caller
  const closed = once(outgoing, 'close')
  const taken = outlet.write(MORE_THAN_FITS).catch(() => undefined)
  outlet.cut({ status: 503, code: 'voices_failed', message: 'Failed.' })
  await clock.advance(4_999)
  expect(outgoing.destroyed).toBe(false)
  await clock.advance(1)
  await closed
  await taken
})
