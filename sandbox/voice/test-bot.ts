import { randomBytes, randomInt } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { Readable } from 'node:stream'
import tls from 'node:tls'
import { createAudioPlayer, createAudioResource, entersState, joinVoiceChannel, StreamType, AudioPlayerStatus, VoiceConnectionStatus } from '@discordjs/voice'
import type { DiscordGatewayAdapterLibraryMethods, VoiceConnection } from '@discordjs/voice'
import type { Listener } from './listener.ts'
import type { VoiceServer } from './server.ts'

/** The real voice library, joined to a voice server by a main gateway of a few lines. For tests. */
export interface TestBot {
  connection: VoiceConnection
  userId: string
  /** Errors that the library reported. */
  errors: Error[]
  /** What the library asked the main gateway, in number. */
  requests: () => number
  ready: (limitMs?: number) => Promise<unknown>
  /** Resolves once the library encrypts for a group: what it sends before that reaches nobody. */
  encrypts: (limitMs?: number) => Promise<void>
  /** Plays Opus packets as they are and resolves when the player is done. */
  play: (packets: readonly Buffer[]) => Promise<void>
  leave: () => void
}

interface Place {
  guildId: string
  channelId: string
  userId?: string
  /** What VOICE_SERVER_UPDATE carries, where it differs from what the voice server was told. */
  token?: string
  sessionId?: string
  /** Answer only the first request, so that a refused client does not ask for ever. */
  answers?: number
}

const trusted = new Set<string>()

function trust(pem: string): void {
  if (trusted.has(pem)) return
  trusted.add(pem)
  tls.setDefaultCACertificates([...tls.getCACertificates(), pem])
}

export function joinAsBot(server: VoiceServer, { guildId, channelId, userId = '900', token, sessionId, answers = 3 }: Place): TestBot {
  trust(server.caCertificate)
  let requests = 0
  let methods: DiscordGatewayAdapterLibraryMethods | undefined
  const answer = (wanted: string | null) => {
    if (wanted === null) {
      server.dismiss(guildId, userId)
      return
    }
    const admission = { guildId, channelId: wanted, userId, sessionId: `session-${userId}`, token: `token-${guildId}-${requests}` }
    server.admit(admission)
    const state = { guild_id: guildId, channel_id: wanted, user_id: userId, session_id: sessionId ?? admission.sessionId }
    methods?.onVoiceStateUpdate(state as Parameters<DiscordGatewayAdapterLibraryMethods['onVoiceStateUpdate']>[0])
    methods?.onVoiceServerUpdate({ guild_id: guildId, token: token ?? admission.token, endpoint: server.endpoint })
  }
  const connection = joinVoiceChannel({
    guildId, channelId, group: userId,
    adapterCreator: (given) => {
      methods = given
      return {
        sendPayload: (payload: { d: { channel_id: string | null } }) => {
          requests++
          if (requests <= answers || payload.d.channel_id === null) setImmediate(answer, payload.d.channel_id)
          return true
        },
        destroy: () => undefined
      }
    }
  })
  const errors: Error[] = []
  connection.on('error', (error) => errors.push(error))
  const player = createAudioPlayer()
  player.on('error', (error) => errors.push(error))
  connection.subscribe(player)
  return {
    connection,
    userId,
    errors,
    requests: () => requests,
    ready: (limitMs = 10_000) => entersState(connection, VoiceConnectionStatus.Ready, limitMs),
    async encrypts(limitMs = 10_000) {
      const signal = AbortSignal.timeout(limitMs)
      while (!connection.voicePrivacyCode) await once(connection, 'transitioned', { signal })
    },
    async play(packets) {
      player.play(createAudioResource(Readable.from(packets, { objectMode: true }), { inputType: StreamType.Opus }))
      await entersState(player, AudioPlayerStatus.Playing, 10_000)
      await entersState(player, AudioPlayerStatus.Idle, 10_000 + packets.length * 40)
    },
    leave() {
      player.stop(true)
      if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy()
    }
  }
}

/** Packets that look like Opus: one 20 ms CELT frame at full band each, of bytes that no decoder would like. */
export const opusPackets = (count: number): Buffer[] =>
  Array.from({ length: count }, () => Buffer.concat([Buffer.from([0xfc]), randomBytes(randomInt(20, 160))]))

/** What a listener heard, as comparable text. */
export const soundOf = (listener: Listener): string[] => listener.speech.map(({ opus }) => Buffer.from(opus).toString('hex'))

export const hex = (packets: readonly Buffer[]): string[] => packets.map((packet) => packet.toString('hex'))

/** Resolves with the first event that fits; rejects after `limitMs`. */
export async function eventually<Events extends Record<keyof Events, unknown[]>, Name extends keyof Events & string>(
  emitter: EventEmitter<Events>, name: Name, fits: (...values: Events[Name]) => boolean, limitMs = 10_000
): Promise<Events[Name]> {
  const signal = AbortSignal.timeout(limitMs)
  for await (const values of EventEmitter.on(emitter as EventEmitter, name, { signal })) {
    if (fits(...(values as Events[Name]))) return values as Events[Name]
  }
  throw new Error(`no such ${name}`)
}
