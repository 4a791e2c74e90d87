import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../../bot/core/clock.ts'
import { parseFrame } from './frames.ts'
import type { Frame, Identify, Resume } from './frames.ts'
import { CloseCode, Op } from './opcodes.ts'
import type { VoiceSession } from './session.ts'

const IDENTIFY_LIMIT_MS = 10_000
const MODE = 'aead_aes256_gcm_rtpsize'
/** Messages of one socket in one window; Discord closes with 4021 above a similar number. */
const MESSAGES_MAX = 600
const WINDOW_MS = 60_000

/** What the gateway asks the server that it stands in. A number is the code to close with. */
export interface Desk {
  clock: Clock
  heartbeatIntervalMs: number
  udpPort: number
  identify(data: Identify, socket: WebSocket): VoiceSession | number
  resume(data: Resume, socket: WebSocket): VoiceSession | number
  /** The client chose its protocol: it is in the call. */
  selected(session: VoiceSession): void
  speaking(session: VoiceSession, isSpeaking: boolean): void
  lost(session: VoiceSession, socket: WebSocket, code: number): void
  badFrame(code: number): void
}

/**
 * Speaks the voice gateway, version 8, over one socket: hello, identify or resume, select protocol, then heartbeats, speaking and the
 * messages of end-to-end encryption. Whatever a client sends wrongly costs it its own socket, with Discord's code for it.
 */
export function serveSocket(socket: WebSocket, desk: Desk): void {
  let session: VoiceSession | null = null
  let messages = 0
  let windowEndMs = 0
  const silenceLimitMs = 3 * desk.heartbeatIntervalMs
  let cancelLimit = desk.clock.after(IDENTIFY_LIMIT_MS, () => socket.close(CloseCode.sessionTimeout))

  const refuse = (code: number) => {
    desk.badFrame(code)
    socket.close(code)
  }
  const isAlive = () => {
    cancelLimit()
    cancelLimit = desk.clock.after(silenceLimitMs, () => socket.close(CloseCode.sessionTimeout))
  }
  const isTooMuch = (): boolean => {
    const nowMs = desk.clock.monotonic()
    if (nowMs >= windowEndMs) {
      windowEndMs = nowMs + WINDOW_MS
      messages = 0
    }
    return ++messages > MESSAGES_MAX
  }

  const authenticate = (frame: Extract<Frame, { op: 0 | 7 }>) => {
    const answer = frame.op === Op.identify ? desk.identify(frame.d, socket) : desk.resume(frame.d, socket)
    if (typeof answer === 'number') {
      refuse(answer)
      return
    }
    session = answer
    isAlive()
    if (frame.op === Op.identify) greet(session, desk.udpPort)
  }
  const receive = (frame: Frame) => {
    if (frame.op === Op.heartbeat) {
      socket.send(JSON.stringify({ op: Op.heartbeatAck, d: { t: frame.d.t } }))
      if (session) isAlive()
    } else if (frame.op === Op.identify || frame.op === Op.resume) {
      if (session) refuse(CloseCode.alreadyAuthenticated)
      else authenticate(frame)
    } else {
      const code = session ? converse(session, frame, desk) : CloseCode.notAuthenticated
      if (code !== null) refuse(code)
    }
  }

  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return
    if (isTooMuch()) refuse(CloseCode.rateLimited)
    else if (isBinary) {
      const code = session ? receiveBinary(session, toBuffer(data)) : CloseCode.notAuthenticated
      if (code !== null) refuse(code)
    } else {
      const frame = parseFrame(toBuffer(data).toString())
      if (typeof frame === 'number') refuse(frame)
      else receive(frame)
    }
  })
  // A broken frame (RFC 6455) or one above the size limit: the library closes the socket with its own code.
  socket.on('error', () => desk.badFrame(CloseCode.failedToDecode))
  socket.on('close', (code) => {
    cancelLimit()
    if (session) desk.lost(session, socket, code)
  })
  socket.send(JSON.stringify({ op: Op.hello, d: { v: 8, heartbeat_interval: desk.heartbeatIntervalMs } }))
}

function greet(session: VoiceSession, udpPort: number): void {
  session.send({ op: Op.ready, data: { ssrc: session.ssrc, ip: '127.0.0.1', port: udpPort, modes: [MODE] } })
  session.channel.enter(session)
}

/** What a client that is let in says in JSON; the answer is the code to close with, or `null`. */
function converse(session: VoiceSession, frame: Exclude<Frame, { op: 0 | 3 | 7 }>, desk: Desk): number | null {
  const { group } = session.channel
  switch (frame.op) {
    case Op.selectProtocol:
      if (frame.d.protocol !== 'udp') return CloseCode.unknownProtocol
      if (frame.d.data.mode !== MODE) return CloseCode.unknownEncryptionMode
      if (session.state === 'identified') desk.selected(session)
      return null
    case Op.speaking:
      if (frame.d.ssrc !== session.ssrc) return CloseCode.badRequest
      desk.speaking(session, frame.d.speaking !== 0)
      return null
    case Op.daveTransitionReady:
      group.transitionReady(session, frame.d.transition_id)
      return null
    case Op.daveInvalidCommitWelcome:
      group.invalid(session)
      return null
  }
}

function receiveBinary(session: VoiceSession, message: Buffer): number | null {
  const { group } = session.channel
  const payload = message.subarray(1)
  switch (message.at(0)) {
    case undefined:
      return CloseCode.failedToDecode
    case Op.daveKeyPackage:
      return group.keyPackage(session, payload) ? null : CloseCode.badRequest
    case Op.daveCommitWelcome:
      return group.commit(session, payload) ? null : CloseCode.badRequest
    default:
      return CloseCode.unknownOpcode
  }
}

const toBuffer = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
