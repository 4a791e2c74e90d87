import { VoiceConnectionStatus, joinVoiceChannel } from '@discordjs/voice'
import type { DiscordGatewayAdapterCreator, VoiceConnection } from '@discordjs/voice'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'

/** Longer than Discord ever takes when it answers at all: UDP discovery has no limit of its own, and the library can hang before it. */
const READY_LIMIT_MS = 15_000

/**
 * The library rejoins at once and for ever on most close codes, and begins to count anew whenever it was ready for a moment. After this many
 * rejoins within a minute the session is given up.
 */
const REJOINS_MAX = 5
const REJOINS_WITHIN_MS = 60_000

/** A move closes the voice socket with 4014, and so does a kick; after a move the new state comes within this time. */
const MOVED_WITHIN_MS = 5_000

/** Joins a voice channel. `onLost` is called once when the connection is over for good: kicked, the channel deleted, or too many rejoins. */
export function joinChannel(options: {
  guildId: string
  channelId: string
  adapterCreator: DiscordGatewayAdapterCreator
  clock: Clock
  log: Log
  onLost: (reason: string) => void
}): VoiceConnection {
  const { guildId, channelId, adapterCreator, clock, log, onLost } = options
  const connection = joinVoiceChannel({ guildId, channelId, adapterCreator, selfDeaf: true, selfMute: false })
  const rejoinedMs: number[] = []
  let lost = false
  const lose = (reason: string) => {
    if (lost) return
    lost = true
    if (!isOver(connection)) connection.destroy()
    onLost(reason)
  }
  // Without a listener an error of the voice socket would end the process.
  connection.on('error', (error) => log.warn({ err: error }, 'voice connection error'))
  connection.on('stateChange', (_, state) => {
    // By us, or by discord.js when the bot was removed from the server: the adapter is gone then.
    if (state.status === VoiceConnectionStatus.Destroyed) lose('destroyed')
    if (state.status === VoiceConnectionStatus.Signalling) {
      const nowMs = clock.monotonic()
      while (rejoinedMs[0] !== undefined && nowMs - rejoinedMs[0] > REJOINS_WITHIN_MS) rejoinedMs.shift()
      // The library is in the middle of rejoining: it must not find its connection gone under its feet.
      if (rejoinedMs.push(nowMs) > REJOINS_MAX) queueMicrotask(() => lose('rejoined too often'))
    }
    if (state.status === VoiceConnectionStatus.Disconnected) {
      clock.after(MOVED_WITHIN_MS, () => {
        if (connection.state.status === VoiceConnectionStatus.Disconnected) lose('disconnected')
      })
    }
  })
  return connection
}

export function isOver({ state }: VoiceConnection): boolean {
  return state.status === VoiceConnectionStatus.Destroyed
}

/** Resolves when audio can be sent. Throws `VOICE_CONNECTION` when it can't within 15 s or the connection is over, and the signal's reason. */
export function untilReady(connection: VoiceConnection, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void) => {
      cancel()
      connection.off('stateChange', look)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const fail = () => finish(() => reject(new VoxError('VOICE_CONNECTION', { state: connection.state.status, limitMs: READY_LIMIT_MS })))
    const onAbort = () => finish(() => reject(signal?.reason instanceof Error ? signal.reason : new VoxError('CANCELLED')))
    const look = () => {
      if (connection.state.status === VoiceConnectionStatus.Ready) finish(resolve)
      else if (isOver(connection)) fail()
    }
    const cancel = clock.after(READY_LIMIT_MS, fail)
    connection.on('stateChange', look)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    else look()
  })
}

/**
 * Whether what is sent now reaches the people in the channel. Calls are end-to-end encrypted (DAVE): frames sent before the group is set up, or
 * while it is set up anew after a reconnect, reach nobody.
 * @param hasPeople whether the server's voice states have people there: the voice socket names them a moment later
 */
export function isHeard({ state }: VoiceConnection, hasPeople: boolean): boolean {
  if (state.status !== VoiceConnectionStatus.Ready) return false
  const networking = state.networking.state
  if (!('dave' in networking) || networking.dave === undefined || networking.dave.protocolVersion === 0) return true
  return !hasPeople || networking.dave.session?.ready === true
}
