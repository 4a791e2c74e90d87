import type { Server } from 'node:http'
import { WebSocketServer } from 'ws'
import type { Clock } from '../../bot/core/clock.ts'
import { applicationFlags } from '../payload/application.ts'
import { guildCreatePayload } from '../payload/guild.ts'
import type { Links } from '../payload/message.ts'
import { userPayloadById } from '../payload/people.ts'
import type { Switches } from '../switches.ts'
import type { World } from '../world.ts'
import { createBotVoice, VoiceStateBody } from './bot-voice.ts'
import type { BotVoice, VoiceDoor } from './bot-voice.ts'
import { CLOSE, OP, openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { dispatchEvents } from './dispatch.ts'
import { readIdentify, readResume } from './identify.ts'
import { MembersRequest, sendMembers } from './members.ts'
import { createSession, INTENT } from './session.ts'
import type { Session } from './session.ts'

/** How long a session without a connection may be resumed. */
const RESUME_LIMIT_MS = 120_000
const CONNECTIONS_MAX = 64

export interface GatewayDeps {
  world: World
  voice: VoiceDoor
  links: Links
  switches: Switches
  /** The time that clients live in: heartbeats, and how long a session may be resumed. */
  clock: Clock
  /** `ws://` address, for READY. */
  url: () => string
}

export interface Gateway {
  readonly botVoice: BotVoice
  /** Sessions that exist, with or without a connection. */
  readonly sessionCount: () => number
  /** Takes over requests to upgrade on `/gateway`. */
  attach(server: Server): void
  /** Closes every connection with a code; without one the sockets are cut as a broken line does. */
  drop(code?: number): void
  /** Op 7: asks every client to connect again and resume. */
  askToReconnect(): void
  /** Op 9: says that the sessions are over (`false`) or may be resumed (`true`). */
  invalidateSessions(resumable: boolean): void
  close(): void
}

export function createGateway({ world, voice, links, switches, clock, url }: GatewayDeps): Gateway {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 })
  const sessions = new Map<string, Session>()
  /** Which session a connection speaks for. */
  const bound = new Map<Connection, Session | undefined>()
  const expiries = new Map<string, () => void>()
  const botVoice = createBotVoice(world, voice, () => sessions.values(), switches)
  const stopDispatch = dispatchEvents(world, links, () => sessions.values())

  function end(session: Session): void {
    expiries.get(session.id)?.()
    expiries.delete(session.id)
    if (!sessions.delete(session.id)) return
    session.detach()
    botVoice.leaveAll(session.id)
  }

  function identify(connection: Connection, data: unknown): void {
    const read = readIdentify(data, { token: world.application.token, disallowedIntents: switches.disallowedIntents })
    if (!read.ok) {
      connection.close(read.code, read.reason)
      return
    }
    const { intents, compress, shard } = read.body
    if (compress) connection.compressEach()
    const session = createSession(intents)
    sessions.set(session.id, session)
    bind(connection, session, 0)
    const isOfShard = (guildId: string) => Number((BigInt(guildId) >> 22n) % BigInt(shard[1])) === shard[0]
    const guilds = [...world.guilds.values()].filter(({ id, members }) => members.has(world.application.id) && isOfShard(id))
    session.dispatch('READY', {
      v: 10,
      user: { ...userPayloadById(world, world.application.id), verified: true, mfa_enabled: true, email: null },
      guilds: guilds.map(({ id }) => ({ id, unavailable: true })),
      session_id: session.id,
      resume_gateway_url: url(),
      shard,
      application: { id: world.application.id, flags: applicationFlags(switches.disallowedIntents) }
    })
    if (!(intents & INTENT.guilds)) return
    const sight = { everyone: (intents & INTENT.guildPresences) !== 0, voiceStates: (intents & INTENT.guildVoiceStates) !== 0 }
    for (const guild of guilds) session.dispatch('GUILD_CREATE', guildCreatePayload(world, guild, sight))
  }

  function bind(connection: Connection, session: Session, seq: number): boolean {
    if (!session.attach((json) => connection.sendJson(json), seq)) return false
    for (const [other, its] of bound) if (its === session && other !== connection) unbind(other)
    expiries.get(session.id)?.()
    expiries.delete(session.id)
    bound.set(connection, session)
    connection.identified()
    return true
  }

  /** A session has one connection: the newest. */
  function unbind(connection: Connection): void {
    bound.set(connection, undefined)
    connection.close(CLOSE.unknownError)
  }

  function resume(connection: Connection, data: unknown): void {
    const read = readResume(data, world.application.token)
    if (!read.ok) {
      connection.close(read.code, read.reason)
      return
    }
    const session = sessions.get(read.body.session_id)
    if (session && switches.resumable && bind(connection, session, read.body.seq ?? 0)) {
      session.dispatch('RESUMED', { _trace: [] })
      return
    }
    if (session) end(session)
    connection.send(OP.invalidSession, false)
  }

  /** What a client that has identified asks for; the close code when it is nothing that Discord knows. */
  function ask(session: Session, op: number, data: unknown): number | undefined {
    if (op === OP.presence || op === OP.requestSoundboard) return undefined
    if (op === OP.voiceState) {
      const body = VoiceStateBody.safeParse(data)
      if (!body.success) return CLOSE.decodeError
      botVoice.update(session, body.data)
      return undefined
    }
    if (op !== OP.requestMembers) return CLOSE.unknownOpcode
    const body = MembersRequest.safeParse(data)
    if (!body.success) return CLOSE.decodeError
    sendMembers(world, session, body.data)
    return undefined
  }

  function onPayload(connection: Connection, op: number, data: unknown): void {
    const session = bound.get(connection)
    const isHandshake = op === OP.identify || op === OP.resume
    if (session) {
      const closeCode = isHandshake ? CLOSE.alreadyAuthenticated : ask(session, op, data)
      if (closeCode !== undefined) connection.close(closeCode)
    } else if (op === OP.identify) identify(connection, data)
    else if (op === OP.resume) resume(connection, data)
    else connection.close(CLOSE.notAuthenticated, 'Not authenticated.')
  }

  function onClosed(connection: Connection, code: number): void {
    const session = bound.get(connection)
    bound.delete(connection)
    if (!session) return
    session.detach()
    // 1000 and 1001 are a goodbye; everything else may come back.
    if (code === 1000 || code === 1001) end(session)
    else expiries.set(session.id, clock.after(RESUME_LIMIT_MS, () => end(session)))
  }

  return {
    botVoice,
    sessionCount: () => sessions.size,
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
        if (!/^\/gateway\/?$/.test(pathname) || sockets.clients.size >= CONNECTIONS_MAX) {
          socket.destroy()
          return
        }
        sockets.handleUpgrade(request, socket, head, (webSocket) => {
          if (searchParams.get('v') !== '10') {
            webSocket.close(CLOSE.invalidVersion, 'Invalid API version.')
            return
          }
          const connection = openConnection(webSocket, searchParams, clock, switches, { payload: onPayload, closed: onClosed })
          bound.set(connection, undefined)
        })
      })
    },
    drop(code) {
      if (code === undefined) for (const socket of sockets.clients) socket.terminate()
      else for (const connection of bound.keys()) connection.close(code)
    },
    askToReconnect() {
      for (const connection of bound.keys()) connection.send(OP.reconnect)
    },
    invalidateSessions(resumable) {
      for (const [connection, session] of [...bound]) {
        connection.send(OP.invalidSession, resumable)
        bound.set(connection, undefined)
        if (!session) continue
        session.detach()
        if (!resumable) end(session)
      }
    },
    close() {
      stopDispatch()
      bound.clear()
      for (const cancel of expiries.values()) cancel()
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      sessions.clear()
    }
  }
}
