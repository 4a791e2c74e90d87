import { AudioPlayerStatus, StreamType, VoiceConnectionStatus, createAudioPlayer, createAudioResource } from '@discordjs/voice'
import type { AudioPlayer, DiscordGatewayAdapterCreator, VoiceConnection } from '@discordjs/voice'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Utterance } from '../speech/speak.ts'
import { joinChannel, untilEncrypted, untilReady } from './connection.ts'
import { PacketStream } from './packets.ts'

/** How an utterance ended; its author is told when it was not heard. */
export type Ending = { outcome: 'heard'; durationMs: number } | { outcome: 'skipped' } | { outcome: 'failed'; error: VoxError }

export interface Session {
  readonly guildId: string
  channelId(): string
  /** Takes a place in the queue: `ahead` utterances come before it. Undefined when the queue is full. */
  enqueue(utterance: Utterance, authorId: string): { ahead: number; ended: Promise<Ending> } | undefined
  /** Ends what is playing. False when nothing was. */
  skip(): boolean
  /** Who is being heard now. */
  speaker(): string | undefined
  /** Ends what is playing and empties the queue; returns how many utterances that were. */
  stop(): number
  queued(): number
  /** Ready to be heard; throws `VOICE_CONNECTION`. */
  ready(): Promise<void>
  leave(): void
}

interface Item {
  utterance: Utterance
  authorId: string
  settle(ending: Ending): void
  /** Stopped by somebody: nothing of it is a failure any more. */
  skipped: boolean
}

/** Utterances that may wait in one guild. */
const QUEUE_MAX = 50

/** Playing, and yet nothing goes out, for this long: the connection is no use. */
const STALLED_MS = 20_000

/** One guild's voice connection with its queue and its player. One utterance's trouble ends that utterance, never the loop. */
export function openSession(options: {
  guildId: string
  channelId: string
  adapterCreator: DiscordGatewayAdapterCreator
  clock: Clock
  log: Log
  metrics: Metrics
  onClosed: () => void
}): Session {
  const { guildId, clock, metrics } = options
  const log = options.log.child({ guild: guildId })
  const queue: Item[] = []
  let current: Item | undefined
  let closed = false

  const player = createAudioPlayer()
  player.on('error', (error) => log.error({ err: error }, 'player error'))
  const connection = joinChannel({ ...options, log, onLost: (reason) => close(reason) })
  connection.subscribe(player)

  function close(reason: string) {
    if (closed) return
    closed = true
    log.info({ reason }, 'session closed')
    endAll(new VoxError('VOICE_CONNECTION', { reason }))
    options.onClosed()
  }

  function endAll(error: VoxError | undefined): number {
    const items = [...(current ? [current] : []), ...queue.splice(0)]
    metrics.queued.dec(items.length - (current ? 1 : 0))
    for (const item of items) {
      item.skipped = error === undefined
      item.settle(error ? { outcome: 'failed', error } : { outcome: 'skipped' })
      item.utterance.cancel()
    }
    player.stop(true)
    return items.length
  }

  /** Plays while there is something to play; started by the first, ended by the last. */
  async function run(): Promise<void> {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      metrics.queued.dec()
      current = item
      // The next one's first words are made while this one plays.
      queue[0]?.utterance.audio.warm()
      item.settle(await play(item).catch((error: unknown) => failed(item, asVoxError(error))))
      current = undefined
    }
  }

  async function play(item: Item): Promise<Ending> {
    const isSkipped = () => item.skipped
    const segments = item.utterance.audio[Symbol.asyncIterator]()
    const [first] = await Promise.all([segments.next(), untilReady(connection)])
    if (first.done) throw new VoxError('BUG', { reason: 'an utterance without audio' })
    if (!(await untilEncrypted(connection, clock))) log.warn({ utterance: item.utterance.id }, 'played before the encryption group was set up')
    // A session that was closed meanwhile has settled the item already.
    if (isSkipped() || connection.state.status === VoiceConnectionStatus.Destroyed) return { outcome: 'skipped' }
    const stream = new PacketStream(first.value, segments)
    player.play(createAudioResource(stream, { inputType: StreamType.Opus }))
    await untilPlayed(player, connection, stream, clock)
    if (stream.fault !== undefined) throw asVoxError(stream.fault)
    return isSkipped() ? { outcome: 'skipped' } : { outcome: 'heard', durationMs: stream.spokenMs }
  }

  function failed(item: Item, error: VoxError): Ending {
    if (item.skipped) return { outcome: 'skipped' }
    item.utterance.cancel()
    player.stop(true)
    return { outcome: 'failed', error }
  }

  return {
    guildId,
    channelId: () => connection.joinConfig.channelId ?? options.channelId,
    enqueue(utterance, authorId) {
      if (closed || queue.length >= QUEUE_MAX) return undefined
      const ahead = queue.length + (current ? 1 : 0)
      const ended = new Promise<Ending>((resolve) => queue.push({ utterance, authorId, settle: resolve, skipped: false }))
      metrics.queued.inc()
      if (current === undefined && queue.length === 1) void run()
      else if (queue.length === 1) utterance.audio.warm()
      return { ahead, ended }
    },
    skip() {
      if (current === undefined) return false
      current.skipped = true
      current.utterance.cancel()
      player.stop(true)
      return true
    },
    speaker: () => current?.authorId,
    stop: () => endAll(undefined),
    queued: () => queue.length + (current ? 1 : 0),
    ready: () => untilReady(connection),
    leave() {
      if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy()
      close('left')
    }
  }
}

/** Resolves when the player is done with the utterance; throws `VOICE_CONNECTION` when it plays and nothing goes out. */
async function untilPlayed(player: AudioPlayer, connection: VoiceConnection, stream: PacketStream, clock: Clock): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let handedBefore = -1
    const finish = (settle: () => void) => {
      cancel()
      player.off(AudioPlayerStatus.Idle, onIdle)
      settle()
    }
    const onIdle = () => finish(resolve)
    const watch = () => {
      if (stream.handed === handedBefore) {
        finish(() => reject(new VoxError('VOICE_CONNECTION', { reason: 'nothing went out', state: connection.state.status })))
        return
      }
      handedBefore = stream.handed
      cancel = clock.after(STALLED_MS, watch)
    }
    let cancel = clock.after(STALLED_MS, watch)
    player.once(AudioPlayerStatus.Idle, onIdle)
    if (player.state.status === AudioPlayerStatus.Idle) onIdle()
  })
}
