import { VoiceConnectionStatus, entersState, joinVoiceChannel } from '@discordjs/voice'
import type { DiscordGatewayAdapterCreator, VoiceConnection } from '@discordjs/voice'
import { sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'

const READY_LIMIT_MS = 15_000

/** How long speech waits for the encryption group: a little longer than Discord takes, and then it is played anyway. */
const ENCRYPTED_LIMIT_MS = 3_000

/** The library rejoins at once and for ever on most close codes; after this many in a row the session is given up. */
const REJOINS_MAX = 5

/** A move closes the voice socket with 4014, and so does a kick; after a move the new state comes within this time. */
const MOVED_WITHIN_MS = 5_000

/** Joins a voice channel. `onLost` is called once when the connection is over for good: kicked, the channel deleted, or too many rejoins. */
export function joinChannel(options: {
  guildId: string
  channelId: string
  adapterCreator: DiscordGatewayAdapterCreator
  log: Log
  onLost: (reason: string) => void
}): VoiceConnection {
  const { guildId, channelId, adapterCreator, log, onLost } = options
  const connection = joinVoiceChannel({ guildId, channelId, adapterCreator, selfDeaf: true, selfMute: false })
  const lose = (reason: string) => {
    if (connection.state.status === VoiceConnectionStatus.Destroyed) return
    connection.destroy()
    onLost(reason)
  }
  // Without a listener an error of the voice socket would end the process.
  connection.on('error', (error) => log.warn({ guild: guildId, err: error }, 'voice connection error'))
  connection.on('stateChange', (_, state) => {
    if (state.status === VoiceConnectionStatus.Signalling && connection.rejoinAttempts > REJOINS_MAX) lose('rejoined too often')
    if (state.status !== VoiceConnectionStatus.Disconnected) return
    const moved = [VoiceConnectionStatus.Signalling, VoiceConnectionStatus.Connecting].map((next) => entersState(connection, next, MOVED_WITHIN_MS))
    Promise.any(moved).catch(() => lose('disconnected'))
  })
  return connection
}

/** Resolves when audio can be sent; throws `VOICE_CONNECTION` when it can't in time. */
export async function untilReady(connection: VoiceConnection): Promise<void> {
  try {
    await entersState(connection, VoiceConnectionStatus.Ready, READY_LIMIT_MS)
  } catch (error) {
    throw new VoxError('VOICE_CONNECTION', { state: connection.state.status, limitMs: READY_LIMIT_MS }, error)
  }
}

/**
 * Resolves when people in the channel can hear: calls are end-to-end encrypted (DAVE), and what is sent before the group is set up reaches
 * nobody. With nobody there, or after the limit, it resolves all the same; `false` then says that it did not wait to the end.
 */
export async function untilEncrypted(connection: VoiceConnection, clock: Clock): Promise<boolean> {
  const deadlineMs = clock.monotonic() + ENCRYPTED_LIMIT_MS
  while (!isEncrypted(connection)) {
    if (clock.monotonic() >= deadlineMs) return false
    await sleep(clock, 10)
  }
  return true
}

function isEncrypted({ state }: VoiceConnection): boolean {
  if (state.status !== VoiceConnectionStatus.Ready) return false
  const networking = state.networking.state
  if (!('dave' in networking) || networking.dave === undefined || networking.dave.protocolVersion === 0) return true
  return networking.connectionData.connectedClients.size === 0 || networking.dave.session?.ready === true
}
