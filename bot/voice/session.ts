import { AudioPlayerStatus, StreamType, createAudioPlayer, createAudioResource } from '@discordjs/voice'
import type { AudioPlayer, DiscordGatewayAdapterCreator } from '@discordjs/voice'
import { sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Utterance } from '../speech/speak.ts'
import { isHeard, isOver, joinChannel, untilReady } from './connection.ts'
import { PacketStream } from './packets.ts'
import { createItem } from './queue.ts'
import type { Ending, Item } from './queue.ts'

export interface Session {
  readonly guildId: string
  channelId(): string
  /** Takes a place in the queue: `ahead` utterances come before it. */
  enqueue(utterance: Utterance, authorId: string): Place | { ok: false; reason: 'queueFull' | 'restarting' }
  /** Ends what is playing. False when nothing was. */
  skip(): boolean
  /** Who is being heard now. */
  speaker(): string | undefined
  /** Ends what is playing and empties the queue; returns how many utterances that were. */
  stop(): number
  queued(): number
  /** Ready to be heard; throws `VOICE_CONNECTION`, and the session is over then. */
  ready(): Promise<void>
  leave(): void
  /** Takes nothing more, tells those who wait that the bot restarts, and resolves when what plays has been heard, or after the limit. */
  finish(limitMs: number): Promise<void>
}

export interface Place {
  ok: true
  ahead: number
  ended: Promise<Ending>
  /** Gives the place up, whether it waits or plays. */
  cancel(): void
}

export interface SessionOptions {
  guildId: string
  channelId: string
  adapterCreator: DiscordGatewayAdapterCreator
  /** Whether there are people in a channel of this guild. */
  hasPeople: (channelId: string) => boolean
  clock: Clock
  log: Log
  metrics: Metrics
  onClosed: () => void
}

/** Utterances that may wait in one guild. */
const QUEUE_MAX = 50

/** Playing, and yet nothing goes out, for this long: the connection is no use. */
const STALLED_MS = 20_000

/** One guild's voice connection with its queue and its player. One utterance's trouble ends that utterance, never the loop. */
export function openSession(options: SessionOptions): Session {
  const { guildId, clock, metrics } = options
  const log = options.log.child({ guild: guildId })
  const queue: Item[] = []
  let current: Item | undefined
  let running: Promise<void> | undefined
  let refusing = false
  let closed = false

  const player = createAudioPlayer()
  player.on('error', (error) => log.error({ err: error }, 'player error'))
  const connection = joinChannel({ ...options, log, onLost: (reason) => close(reason) })
  connection.subscribe(player)
  const channelId = () => connection.joinConfig.channelId ?? options.channelId

  function close(reason: string) {
    if (closed) return
    closed = true
    refusing = true
    if (!isOver(connection)) connection.destroy()
    const error = new VoxError('VOICE_CONNECTION', { reason })
    endAll({ outcome: 'failed', error, spokenMs: 0 })
    log.info({ reason }, 'session closed')
    options.onClosed()
  }

  function endAll(ending: Ending): number {
    const count = endQueue(ending) + (current ? 1 : 0)
    current?.end(ending)
    player.stop(true)
    return count
  }

  function endQueue(ending: Ending): number {
    const items = queue.splice(0)
    metrics.queued.dec(items.length)
    for (const item of items) item.end(ending)
    return items.length
  }

  /** A connection that does not come up is not kept: the next word gets a new one. */
  async function untilUp(signal?: AbortSignal): Promise<void> {
    try {
      await untilReady(connection, clock, signal)
    } catch (error) {
      if (!signal?.aborted && !isOver(connection)) close('did not become ready')
      throw error
    }
  }

  /** Plays while there is something to play; started by the first, ended by the last. */
  async function run(): Promise<void> {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      metrics.queued.dec()
      current = item
      // The next one's first words are made while this one plays.
      queue[0]?.utterance.audio.warm()
      item.end(await play(item))
      current = undefined
    }
  }

  async function play({ utterance, signal }: Item): Promise<Ending> {
    let stream: PacketStream | undefined
    try {
      const segments = utterance.audio[Symbol.asyncIterator]()
      const [first] = await Promise.all([segments.next(), untilUp(signal)])
      if (first.done) throw new VoxError('BUG', { reason: 'an utterance without audio' })
      signal.throwIfAborted()
      stream = new PacketStream(first.value, segments, () => isHeard(connection, options.hasPeople(channelId())))
      player.play(createAudioResource(stream, { inputType: StreamType.Opus }))
      await untilPlayed(player, stream, clock)
      if (stream.fault !== undefined) throw asVoxError(stream.fault)
      if (stream.unheard > 0) {
        metrics.unheard.inc(stream.unheard)
        log.warn({ utterance: utterance.id, packets: stream.unheard }, 'played while the encryption group was not set up')
      }
      return { outcome: 'heard', durationMs: stream.spokenMs }
    } catch (thrown) {
      player.stop(true)
      return { outcome: 'failed', error: asVoxError(thrown), spokenMs: stream?.spokenMs ?? 0 }
    }
  }

  function giveUp(item: Item) {
    const place = queue.indexOf(item)
    if (place !== -1) {
      queue.splice(place, 1)
      metrics.queued.dec()
    }
    item.end({ outcome: 'skipped' })
    if (item === current) player.stop(true)
  }

  return {
    guildId,
    channelId,
    enqueue(utterance, authorId) {
      if (refusing) return { ok: false, reason: 'restarting' }
      if (queue.length >= QUEUE_MAX) return { ok: false, reason: 'queueFull' }
      const ahead = queue.length + (current ? 1 : 0)
      const item = createItem(utterance, authorId)
      queue.push(item)
      metrics.queued.inc()
      if (ahead === 0) running = run()
      else if (queue.length === 1) utterance.audio.warm()
      return { ok: true, ahead, ended: item.ended, cancel: () => giveUp(item) }
    },
    skip() {
      if (current === undefined) return false
      giveUp(current)
      return true
    },
    speaker: () => current?.authorId,
    stop: () => endAll({ outcome: 'skipped' }),
    queued: () => queue.length + (current ? 1 : 0),
    ready: () => untilUp(),
    async finish(limitMs) {
      refusing = true
      endQueue({ outcome: 'failed', error: new VoxError('RESTARTING'), spokenMs: 0 })
      if (current !== undefined) await Promise.race([running, sleep(clock, limitMs)])
      current?.end({ outcome: 'failed', error: new VoxError('RESTARTING'), spokenMs: 0 })
    },
    leave: () => close('left')
  }
}

/** Resolves when the player is done with the utterance; throws `VOICE_CONNECTION` when it plays and nothing goes out. */
async function untilPlayed(player: AudioPlayer, stream: PacketStream, clock: Clock): Promise<void> {
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
        finish(() => reject(new VoxError('VOICE_CONNECTION', { reason: 'nothing went out' })))
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
