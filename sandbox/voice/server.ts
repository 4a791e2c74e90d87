import { randomInt } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import { systemClock } from '../../bot/core/clock.ts'
import type { Clock } from '../../bot/core/clock.ts'
import { makeCertificate } from './certificate.ts'
import { Channel } from './channel.ts'
import { serveSocket } from './gateway.ts'
import type { Desk } from './gateway.ts'
import type { Listener } from './listener.ts'
import { makeExternalSender } from './mls.ts'
import { CloseCode, Op } from './opcodes.ts'
import type { Outgoing } from './opcodes.ts'
import { VoiceSession } from './session.ts'
import type { Admission } from './session.ts'
import type { Counters, Faults, SessionEvent, VoiceEvents } from './status.ts'
import { openVoiceUdp } from './udp.ts'

const MESSAGE_MAX_BYTES = 256 * 1024

export interface VoiceOptions {
  clock?: Clock
  heartbeatIntervalMs?: number
  /** How long a session waits for its client after the socket was lost. */
  resumeWindowMs?: number
  /** Sockets at once; 256 when absent. */
  socketsMax?: number
}

export interface VoiceServer {
  /** `127.0.0.1:PORT`, for VOICE_SERVER_UPDATE. */
  endpoint: string
  /** PEM; to be trusted with `tls.setDefaultCACertificates([...tls.getCACertificates(), caCertificate])`. */
  caCertificate: string
  events: EventEmitter<VoiceEvents>
  counters: Readonly<Counters>
  faults: Faults
  /** Sockets of sessions that are open now. */
  readonly openSessions: number
  admit(admission: Admission): void
  dismiss(guildId: string, userId: string, closeCode?: number): void
  setPeople(guildId: string, channelId: string, userIds: readonly string[]): void
  /** Nobody hears who is muted, or in the audience of a stage, whatever they send. */
  setSilenced(guildId: string, userId: string, isSilenced: boolean): void
  listen(guildId: string, channelId: string): Listener
  /** Closes a session's socket with any code: below 4000 and 4015 the client may resume, the others end the session. 1006 cuts the wire. */
  closeWith(guildId: string, userId: string, code: number): void
  /** Tells a client something, whatever it is. */
  tell(guildId: string, userId: string, message: Outgoing): void
  /** Sends a datagram to where a client's packets come from, as anybody could. */
  sendDatagram(guildId: string, userId: string, datagram: Uint8Array): void
  close(): Promise<void>
}

/** A client may come back after these; every other code ends its session. */
const isResumable = (code: number): boolean => code < 4000 || code === CloseCode.voiceServerCrashed

/** The voice half of the stand-in for Discord: gateway version 8 over TLS, voice over UDP, end-to-end encryption. 127.0.0.1 only. */
export async function startVoiceServer(options: VoiceOptions = {}): Promise<VoiceServer> {
  const { clock = systemClock, heartbeatIntervalMs = 13_750, resumeWindowMs = 30_000, socketsMax = 256 } = options
  const faults: Faults = {
    delayDaveMs: 0, udpSilent: false, mute: false, withholdDescription: false, refuseIdentify: null, committer: 'client'
  }
  const counters: Counters = { packets: 0, decryptFailures: 0, unheardPackets: 0, strayPackets: 0, badFrames: 0 }
  const events = new EventEmitter<VoiceEvents>()
  const sender = makeExternalSender()
  const admissions = new Map<string, Admission>()
  const sessions = new Map<string, VoiceSession>()
  /** The same by the ssrc that each of their packets carries. */
  const speakers = new Map<number, VoiceSession>()
  const channels = new Map<string, Channel>()
  const silenced = new Set<string>()
  /** Lost sessions, and what cancels their end. */
  const waits = new Map<VoiceSession, () => void>()
  const keyOf = (guildId: string, id: string) => `${guildId}:${id}`

  const channelOf = (guildId: string, channelId: string): Channel => {
    const key = keyOf(guildId, channelId)
    const known = channels.get(key)
    if (known) return known
    const channel = new Channel({
      channelId, sender, clock,
      committer: () => faults.committer,
      changed: (group) => events.emit('group', { guildId, channelId, ...group })
    })
    channels.set(key, channel)
    return channel
  }
  const tell = (session: VoiceSession, what: SessionEvent['what'], code?: number) => {
    const { guildId, channelId, userId } = session.admission
    events.emit('session', { guildId, channelId, userId, what, ...(code === undefined ? {} : { code }) })
  }
  const end = (session: VoiceSession, code: number) => {
    if (session.state === 'ended') return
    waits.get(session)?.()
    waits.delete(session)
    const key = keyOf(session.admission.guildId, session.userId)
    if (sessions.get(key) === session) sessions.delete(key)
    speakers.delete(session.ssrc)
    session.end(code)
    tell(session, 'ended', code)
  }
  const newSsrc = (): number => {
    let ssrc = randomInt(1, 0x7fff_ffff)
    while (speakers.has(ssrc)) ssrc = randomInt(1, 0x7fff_ffff)
    return ssrc
  }

  const udp = await openVoiceUdp({
    sessionOf: (ssrc) => speakers.get(ssrc),
    isSilenced: ({ admission }) => silenced.has(keyOf(admission.guildId, admission.userId)),
    isKnownPeer: (peer) => [...sessions.values()].some((session) => session.udpPeer === peer),
    counters,
    faults
  })

  const desk: Desk = {
    clock,
    heartbeatIntervalMs,
    udpPort: udp.port,
    identify(data, socket) {
      if (faults.refuseIdentify !== null) return faults.refuseIdentify
      const key = keyOf(data.server_id, data.user_id)
      const admission = admissions.get(key)
      if (admission?.sessionId !== data.session_id) return CloseCode.sessionNoLongerValid
      if (admission.token !== data.token) return CloseCode.authenticationFailed
      if (data.max_dave_protocol_version < 1) return CloseCode.daveRequired
      const before = sessions.get(key)
      if (before) end(before, CloseCode.sessionNoLongerValid)
      const session = new VoiceSession(admission, channelOf(admission.guildId, admission.channelId), newSsrc(), socket)
      sessions.set(key, session)
      speakers.set(session.ssrc, session)
      tell(session, 'identified')
      return session
    },
    resume(data, socket) {
      const session = [...sessions.values()].find(({ admission }) =>
        admission.guildId === data.server_id && admission.sessionId === data.session_id)
      if (!session) return CloseCode.sessionNoLongerValid
      if (session.admission.token !== data.token) return CloseCode.authenticationFailed
      if (!session.resume(socket, data.seq_ack)) return CloseCode.sessionNoLongerValid
      waits.get(session)?.()
      waits.delete(session)
      tell(session, 'resumed')
      return session
    },
    selected(session) {
      if (faults.withholdDescription) return
      session.state = 'ready'
      session.send({
        op: Op.sessionDescription,
        data: { mode: 'aead_aes256_gcm_rtpsize', secret_key: [...session.secretKey], dave_protocol_version: 1 }
      })
      const join = () => {
        if (session.state === 'ready') session.channel.group.join(session)
      }
      if (faults.delayDaveMs > 0) clock.after(faults.delayDaveMs, join)
      else join()
      tell(session, 'ready')
    },
    speaking(session, isSpeaking) {
      const { guildId, channelId, userId } = session.admission
      events.emit('speaking', { guildId, channelId, userId, isSpeaking })
    },
    lost(session, socket, code) {
      if (!session.detach(socket)) return
      tell(session, 'lost', code)
      if (!isResumable(code)) {
        end(session, code)
        return
      }
      waits.set(session, clock.after(resumeWindowMs, () => end(session, CloseCode.sessionTimeout)))
    },
    badFrame: () => { counters.badFrames++ }
  }

  const { key, certificate } = makeCertificate()
  const https = createServer({ key, cert: certificate }, (_request, response) => response.writeHead(426).end())
  const sockets = new WebSocketServer({ server: https, maxPayload: MESSAGE_MAX_BYTES })
  sockets.on('connection', (socket, request) => {
    if (sockets.clients.size > socketsMax) socket.close(CloseCode.rateLimited)
    else if (new URL(request.url ?? '/', 'wss://localhost').searchParams.get('v') !== '8') socket.close(CloseCode.badRequest)
    else if (faults.mute) socket.on('error', () => undefined)
    else serveSocket(socket, desk)
  })
  https.on('tlsClientError', () => { counters.badFrames++ })
  https.listen(0, '127.0.0.1')
  await once(https, 'listening')

  return {
    endpoint: `127.0.0.1:${(https.address() as AddressInfo).port}`,
    caCertificate: certificate,
    events,
    counters,
    faults,
    get openSessions() {
      return [...sessions.values()].filter((session) => session.isConnected).length
    },
    admit(admission) {
      const key = keyOf(admission.guildId, admission.userId)
      const before = sessions.get(key)
      admissions.set(key, admission)
      if (before && before.admission.channelId !== admission.channelId) end(before, CloseCode.disconnected)
    },
    dismiss(guildId, userId, closeCode = CloseCode.disconnected) {
      const key = keyOf(guildId, userId)
      admissions.delete(key)
      const session = sessions.get(key)
      if (session) end(session, closeCode)
    },
    setPeople: (guildId, channelId, userIds) => channelOf(guildId, channelId).setPeople(userIds),
    setSilenced(guildId, userId, isSilenced) {
      if (isSilenced) silenced.add(keyOf(guildId, userId))
      else silenced.delete(keyOf(guildId, userId))
    },
    listen: (guildId, channelId) => channelOf(guildId, channelId).listen(),
    closeWith(guildId, userId, code) {
      const session = sessions.get(keyOf(guildId, userId))
      if (!session) return
      if (isResumable(code)) session.drop(code)
      else end(session, code)
    },
    sendDatagram(guildId, userId, datagram) {
      const peer = sessions.get(keyOf(guildId, userId))?.udpPeer
      if (peer !== undefined && peer !== null) udp.send(peer, datagram)
    },
    tell: (guildId, userId, message) => sessions.get(keyOf(guildId, userId))?.send(message),
    async close() {
      for (const session of [...sessions.values()]) end(session, CloseCode.disconnected)
      for (const channel of channels.values()) channel.close()
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      https.closeAllConnections()
      await Promise.all([udp.close(), new Promise((resolve) => https.close(resolve))])
    }
  }
}
