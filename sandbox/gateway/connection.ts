import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { Clock } from '../../bot/core/clock.ts'
import type { Switches } from '../switches.ts'
import { createEncoder } from './encode.ts'

/** A client may send this much in one payload, and so many payloads in a minute. */
const PAYLOAD_BYTES_MAX = 4096
const PAYLOADS_PER_MINUTE = 120

/** A client that connects and says nothing is not kept. */
const IDENTIFY_LIMIT_MS = 30_000
/** Frames that wait for a client that does not read; above it the connection is given up. */
const UNSENT_BYTES_MAX = 16 * 1024 * 1024

export const OP = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voiceState: 4,
  resume: 6,
  reconnect: 7,
  requestMembers: 8,
  invalidSession: 9,
  hello: 10,
  heartbeatAck: 11,
  requestSoundboard: 31
} as const

export const CLOSE = {
  unknownError: 4000,
  unknownOpcode: 4001,
  decodeError: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  invalidSeq: 4007,
  rateLimited: 4008,
  timedOut: 4009,
  invalidShard: 4010,
  invalidVersion: 4012,
  invalidIntents: 4013,
  disallowedIntents: 4014
} as const

const Payload = z.object({ op: z.int(), d: z.unknown().optional() })

/** One socket of the gateway: framing, heartbeats and their limits. What payloads mean stands in `server.ts`. */
export interface Connection {
  send(op: number, data?: unknown): void
  sendJson(json: string): void
  compressEach(): void
  /** The client has identified or resumed: the limit for that is off. */
  identified(): void
  close(code: number, reason?: string): void
}

export interface ConnectionHandlers {
  payload(connection: Connection, op: number, data: unknown): void
  closed(connection: Connection, code: number): void
}

export function openConnection(socket: WebSocket, query: URLSearchParams, clock: Clock, switches: Switches, handlers: ConnectionHandlers): Connection {
  const encoder = createEncoder(query.get('compress'), (frame) => {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > UNSENT_BYTES_MAX) socket.terminate()
    else socket.send(frame)
  })
  const intervalMs = switches.heartbeatIntervalMs
  let cancelIdentifyLimit = clock.after(IDENTIFY_LIMIT_MS, () => connection.close(CLOSE.timedOut, 'Session timed out.'))
  let cancelBeatLimit: () => void = () => undefined
  const received = { count: 0, sinceMs: clock.monotonic() }

  const connection: Connection = {
    send: (op, data = null) => encoder.write(JSON.stringify({ op, d: data, s: null, t: null })),
    sendJson: (json) => encoder.write(json),
    compressEach: () => encoder.compressEach(),
    identified: () => cancelIdentifyLimit(),
    close: (code, reason = '') => socket.close(code, reason)
  }

  /** Two intervals without a beat, as a lost one is no death yet. */
  function expectBeat(): void {
    cancelBeatLimit()
    cancelBeatLimit = clock.after(intervalMs * 2, () => connection.close(CLOSE.timedOut, 'Session timed out.'))
  }

  function isTooFast(): boolean {
    const nowMs = clock.monotonic()
    if (nowMs - received.sinceMs > 60_000) Object.assign(received, { count: 0, sinceMs: nowMs })
    return ++received.count > PAYLOADS_PER_MINUTE
  }

  function onMessage(raw: RawData): void {
    const bytes = Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as Buffer)
    if (bytes.byteLength > PAYLOAD_BYTES_MAX) { connection.close(CLOSE.decodeError, 'Payload too large.'); return; }
    if (isTooFast()) { connection.close(CLOSE.rateLimited, 'You are being rate limited.'); return; }
    let parsed: ReturnType<typeof Payload.safeParse>
    try {
      parsed = Payload.safeParse(JSON.parse(bytes.toString('utf8')))
    } catch {
      connection.close(CLOSE.decodeError, 'Error while decoding payload.'); return;
    }
    if (!parsed.success) { connection.close(CLOSE.decodeError, 'Error while decoding payload.'); return; }
    const { op, d } = parsed.data
    if (op !== OP.heartbeat) { handlers.payload(connection, op, d); return; }
    expectBeat()
    if (switches.acknowledgesHeartbeats) connection.send(OP.heartbeatAck)
  }

  socket.on('message', onMessage)
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    cancelIdentifyLimit()
    cancelIdentifyLimit = () => undefined
    cancelBeatLimit()
    encoder.close()
    handlers.closed(connection, code)
  })
  expectBeat()
  connection.send(OP.hello, { heartbeat_interval: intervalMs, _trace: [] })
  return connection
}
