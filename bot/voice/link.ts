import { VoiceConnectionDisconnectReason, VoiceConnectionStatus, joinVoiceChannel } from '@discordjs/voice'
import type { Networking, VoiceConnection } from '@discordjs/voice'
import type { Log } from '../core/log.ts'
import type { GatewayLine } from './gateway-line.ts'
import { guardNetwork } from './guard.ts'

/** One voice connection of the library, from joining to its end; whatever comes after is another link. It says nothing once it is closed. */
export interface Link {
  /** Sends one packet now; false when it could not, and then the packet is as good as before. */
  send(packet: Buffer): boolean
  /** Discord no longer shows the bot as speaking. */
  stopSpeaking(): void
  /** Packets sent since the connection to this voice server was made. */
  sent(): number
  /**
   * Whether what is sent now reaches the people in the channel. Calls are end-to-end encrypted (DAVE): frames sent before the group is set up,
   * or while it is set up anew after a reconnect, reach nobody.
   * @param hasPeople whether there are people: the voice socket names them a moment later than the gateway
   */
  isHeard(hasPeople: () => boolean): boolean
  close(): void
}

export interface LinkOptions {
  guildId: string
  channelId: string
  line: GatewayLine
  log: Log
  onReady: () => void
  /** It was ready, or told of a new server, and connects. */
  onConnecting: () => void
  /** Discord has taken its voice server away and will name another one. */
  onServerGone: () => void
  /** The socket has closed and the library can't mend it; undefined: the gateway did not take the wish to join. */
  onClosed: (code: number | undefined) => void
  /** What Discord said could not be read: the encryption may be out of step with the others'. */
  onBroken: () => void
}

export function openLink(options: LinkOptions): Link {
  const { guildId, channelId, line, log, onReady, onConnecting, onServerGone, onClosed, onBroken } = options
  const connection = joinVoiceChannel({ guildId, channelId, adapterCreator: line.adapterCreator, selfDeaf: true, selfMute: false })
  let closed = false
  let watched: Networking | undefined

  /** The library tells the code of a close to nobody but its own part that rejoins. */
  function watch(networking: Networking) {
    if (networking === watched) return
    watched = networking
    guardNetwork(networking, (error) => {
      log.warn({ err: error }, 'the voice socket brought what could not be read')
      if (!closed && networking === watched) onBroken()
    })
    networking.once('close', (code: number) => {
      if (!closed && networking === watched) onClosed(code)
    })
  }

  // Without a listener an error of the voice socket would end the process, also when it comes late.
  connection.on('error', (error) => log.warn({ err: error }, 'voice connection error'))
  connection.on('stateChange', (_, state) => {
    if (closed) return
    if ('networking' in state) watch(state.networking)
    if (state.status === VoiceConnectionStatus.Ready) onReady()
    else if (state.status === VoiceConnectionStatus.Connecting) onConnecting()
    else if (state.status === VoiceConnectionStatus.Disconnected && state.reason === VoiceConnectionDisconnectReason.EndpointRemoved) onServerGone()
  })
  if (connection.state.status === VoiceConnectionStatus.Disconnected) {
    queueMicrotask(() => {
      if (!closed) onClosed(undefined)
    })
  }

  return {
    send(packet) {
      try {
        return connection.playOpusPacket(packet) === true
      } catch (error) {
        log.warn({ err: error }, 'a packet could not be sent')
        return false
      }
    },
    stopSpeaking: () => void connection.setSpeaking(false),
    sent: () => sentOf(connection),
    isHeard: (hasPeople) => isHeard(connection, hasPeople),
    close() {
      if (closed) return
      closed = true
      if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy(false)
    }
  }
}

function sentOf({ state }: VoiceConnection): number {
  if (state.status !== VoiceConnectionStatus.Ready) return 0
  const networking = state.networking.state
  return 'dave' in networking ? networking.connectionData.packetsPlayed : 0
}

function isHeard({ state }: VoiceConnection, hasPeople: () => boolean): boolean {
  if (state.status !== VoiceConnectionStatus.Ready) return false
  const networking = state.networking.state
  if (!('dave' in networking) || networking.dave === undefined || networking.dave.protocolVersion === 0) return true
  return networking.dave.session?.ready === true || !hasPeople()
}
