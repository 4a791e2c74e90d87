import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import WebSocket from 'ws'
import { manualClock } from '../../bot/core/manual-clock.ts'
import type { ManualClock } from '../../bot/core/manual-clock.ts'
import { startVoiceServer } from './server.ts'
import type { VoiceServer } from './server.ts'

const ADMISSION = { guildId: '1000', channelId: '2000', userId: '900', sessionId: 'session', token: 'token' }
const IDENTIFY = { op: 0, d: { server_id: '1000', user_id: '900', session_id: 'session', token: 'token', max_dave_protocol_version: 1 } }
const LIMIT = { signal: AbortSignal.timeout(120_000) }
let server: VoiceServer
let clock: ManualClock
let sockets: WebSocket[]

beforeEach(async () => {
  clock = manualClock()
  server = await startVoiceServer({ clock, heartbeatIntervalMs: 1_000, resumeWindowMs: 5_000 })
  server.admit(ADMISSION)
  sockets = []
})
afterEach(async () => {
  for (const socket of sockets) socket.terminate()
  await server.close()
})

interface Message { op: number; seq?: number; d: Record<string, unknown> }

/** A client by hand; `next(op)` is the next JSON message with that op. */
async function connect(query = '?v=8') {
  const socket = new WebSocket(`wss://${server.endpoint}${query}`, { ca: server.caCertificate })
  sockets.push(socket)
  const inbox: Message[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) inbox.push(JSON.parse(data.toString()) as Message)
    socket.emit('inbox')
  })
  const closed = once(socket, 'close', LIMIT).then(([code]) => code as number)
  await once(socket, 'open', LIMIT)
  const send = (message: unknown) => socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
  const next = async (op: number): Promise<Message> => {
    for (;;) {
      const at = inbox.findIndex((message) => message.op === op)
      const [found] = at === -1 ? [] : inbox.splice(at, 1)
      if (found) return found
      await once(socket, 'inbox', LIMIT)
    }
  }
  return { socket, send, next, closed }
}
async function identified() {
  const client = await connect()
  client.send(IDENTIFY)
  const ready = await client.next(2)
  return { ...client, ready: ready.d as { ssrc: number; port: number; modes: string[] } }
}
const select = (data: object = {}, protocol = 'udp') =>
  ({ op: 1, d: { protocol, data: { address: '127.0.0.1', port: 1, mode: 'aead_aes256_gcm_rtpsize', ...data } } })

test('hello, identify, select: the client gets what version 8 promises, numbered', async () => {
  const client = await connect()
  expect(await client.next(8)).toEqual({ op: 8, d: { v: 8, heartbeat_interval: 1_000 } })
  client.send({ op: 3, d: { t: 42, seq_ack: -1 } })
  expect(await client.next(6)).toEqual({ op: 6, d: { t: 42 } })
  client.send(IDENTIFY)
  expect(await client.next(2)).toMatchObject({ seq: 1, d: { ip: '127.0.0.1', modes: ['aead_aes256_gcm_rtpsize'] } })
  client.send(select())
  const description = await client.next(4)
  expect(description).toMatchObject({ seq: 2, d: { mode: 'aead_aes256_gcm_rtpsize', dave_protocol_version: 1 } })
  expect(description.d.secret_key).toHaveLength(32)
})

for (const [what, message, code] of [
  ['text that is not JSON', '{', 4002],
  ['JSON that is no message', '[]', 4002],
  ['an identify without a token', { op: 0, d: { server_id: '1' } }, 4002],
  ['an op that nobody sends', { op: 99, d: {} }, 4001],
  ['speaking before identify', { op: 5, d: { speaking: 1, ssrc: 1 } }, 4003],
  ['a binary message before identify', Buffer.from([26, 1, 2]), 4003],
  ['a guild that nobody admitted it to', { op: 0, d: { ...IDENTIFY.d, server_id: '7' } }, 4006],
  ['a client without end-to-end encryption', { op: 0, d: { ...IDENTIFY.d, max_dave_protocol_version: 0 } }, 4017],
  ['a resume of no session', { op: 7, d: { server_id: '1000', session_id: 'session', token: 'token', seq_ack: 1 } }, 4006]
] as const) {
  test(`${what} is closed with ${code}`, async () => {
    const client = await connect()
    client.send(message)
    expect(await client.closed).toBe(code)
    expect(server.counters.badFrames).toBe(1)
  })
}

for (const [what, message, code] of [
  ['a second identify', IDENTIFY, 4005],
  ['another protocol', select({}, 'webrtc'), 4012],
  ['another encryption mode', select({ mode: 'xsalsa20_poly1305' }), 4016],
  ['speaking with a foreign ssrc', { op: 5, d: { speaking: 1, ssrc: 0 } }, 4020],
  ['an empty binary message', Buffer.alloc(0), 4002],
  ['an unknown binary op', Buffer.from([99, 1]), 4001]
] as const) {
  test(`${what} from an identified client is closed with ${code}; the next client is served`, async () => {
    const client = await identified()
    client.send(message)
    expect(await client.closed).toBe(code)
    await identified()
  })
}

test('a key package or commit of nonsense from a client in the call is closed with 4020', async () => {
  for (const op of [26, 28]) {
    const client = await identified()
    client.send(select())
    await client.next(4)
    client.send(Buffer.from([op, 0, 1, 2, 3]))
    expect(await client.closed).toBe(4020)
  }
})

test('another version is closed with 4020, a message above the size limit with 1009', async () => {
  expect(await (await connect('?v=4')).closed).toBe(4020)
  const client = await connect()
  client.send(Buffer.alloc(300 * 1024))
  expect(await client.closed).toBe(1009)
  await identified()
})

test('a client that floods is closed with 4021', async () => {
  const client = await identified()
  for (let count = 0; count < 700; count++) client.send({ op: 3, d: { t: count, seq_ack: 0 } })
  expect(await client.closed).toBe(4021)
})

test('who does not identify within ten seconds, or sends no heartbeat for three intervals, is closed with 4009', async () => {
  const idle = await connect()
  await idle.next(8)
  await clock.advance(10_000)
  expect(await idle.closed).toBe(4009)

  const silent = await identified()
  await clock.advance(2_999)
  silent.send({ op: 3, d: { t: 1, seq_ack: 0 } })
  await silent.next(6)
  await clock.advance(2_999)
  expect(silent.socket.readyState).toBe(WebSocket.OPEN)
  await clock.advance(1)
  expect(await silent.closed).toBe(4009)
})

test('a lost session tells what was missed when it resumes, and is gone after its window', async () => {
  const resume = { op: 7, d: { server_id: '1000', session_id: 'session', token: 'token', seq_ack: 1 } }
  const first = await identified()
  const lost = once(server.events, 'session', LIMIT)
  first.socket.terminate()
  expect(await lost).toMatchObject([{ what: 'lost' }])
  server.setPeople('1000', '2000', ['11'])
  const second = await connect()
  second.send(resume)
  await second.next(9)
  expect(await second.next(11)).toMatchObject({ seq: 2, d: { user_ids: ['11'] } })
  expect(server.openSessions).toBe(1)

  const lostAgain = once(server.events, 'session', LIMIT)
  second.socket.terminate()
  expect(await lostAgain).toMatchObject([{ what: 'lost' }])
  await clock.advance(5_000)
  const third = await connect()
  third.send(resume)
  expect(await third.closed).toBe(4006)
})

test('IP discovery answers with the address it sees, keep-alives come back, and foreign datagrams are counted and dropped', async () => {
  const { ready, send, next } = await identified()
  const [own, foreign] = [createSocket('udp4'), createSocket('udp4')]
  const ask = async (socket: typeof own, packet: Buffer) => {
    const answer = once(socket, 'message', LIMIT)
    socket.send(packet, ready.port, '127.0.0.1')
    return (await answer)[0] as Buffer
  }
  const discovery = Buffer.alloc(74)
  discovery.writeUInt16BE(1, 0)
  discovery.writeUInt16BE(70, 2)
  discovery.writeUInt32BE(ready.ssrc, 4)
  const answer = await ask(own, discovery)
  expect(answer).toHaveLength(74)
  expect([answer.readUInt16BE(0), answer.readUInt16BE(2), answer.readUInt32BE(4)]).toEqual([2, 70, ready.ssrc])
  expect(answer.subarray(8, answer.indexOf(0, 8)).toString()).toBe('127.0.0.1')
  expect(answer.readUInt16BE(72)).toBe(own.address().port)
  send(select())
  await next(4)

  const rtp = Buffer.alloc(60)
  rtp.writeUInt8(0x80, 0)
  rtp.writeUInt8(120, 1)
  rtp.writeUInt32BE(ready.ssrc, 8)
  for (const packet of [rtp, Buffer.from('x'), Buffer.alloc(0), Buffer.alloc(8)]) foreign.send(packet, ready.port, '127.0.0.1')
  own.send(rtp, ready.port, '127.0.0.1')
  expect(await ask(own, Buffer.from([7, 0, 0, 0, 0, 0, 0, 0]))).toEqual(Buffer.from([7, 0, 0, 0, 0, 0, 0, 0]))
  await expect.poll(() => server.counters).toMatchObject({ packets: 1, decryptFailures: 1, strayPackets: 3 })
  own.close()
  foreign.close()
})
