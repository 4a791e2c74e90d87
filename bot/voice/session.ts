import { limited, sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Utterance } from '../speech/speak.ts'
import { openConnection } from './connection.ts'
import type { Change, ConnectionState } from './connection-state.ts'
import type { GuildView, Silenced } from './guild-view.ts'
import { createOnAir } from './on-air.ts'
import type { OverReason } from './over.ts'
import type { Pacer } from './pacer.ts'
import { createPace } from './pace.ts'
import { createItem, createQueue } from './queue.ts'
import type { About, Ending, Item, Waiting } from './queue.ts'
import { createReadiness } from './readiness.ts'
import type { Wishes } from './wishes.ts'

export interface Session {
  readonly guildId: string
  /** Where it means to be. */
  channelId(): string
  connection(): ConnectionState
  /** Why nobody would hear it now. */
  silenced(): Silenced | undefined
  /** Takes a place in the queue: `ahead` utterances come before it. */
  enqueue(utterance: Utterance, about: About): Place | { ok: false; reason: 'queueFull' | 'restarting' }
  /** Ends what is playing. False when nothing was. */
  skip(): boolean
  /** Who is being heard now. */
  speaker(): string | undefined
  /** Ends what is playing and empties the queue; returns how many utterances that were. */
  stop(): number
  queued(): number
  /** What plays, then what waits, in order. */
  items(): readonly Waiting[]
  /** How long all of it takes, about. */
  queuedMs(): number
  /** How long it has had nothing to say; 0 while it has. */
  silentMs(): number
  /** Ready to be heard, or on a stage having asked to be; throws `VOICE_CONNECTION`, and the session is over then. */
  ready(): Promise<void>
  /** Looks at what Discord says now of where the bot is. */
  compare(change: Change): void
  /** Leaves; with `displaced` it has been put out already, and ends for what did that. */
  leave(why?: 'displaced'): void
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
  view: GuildView
  channelId: string
  clock: Clock
  pacer: Pacer
  wishes: Wishes
  log: Log
  metrics: Metrics
  /** Once, when the session is over; the reason is absent when it was our own `leave`. */
  onClosed: (reason: OverReason | undefined) => void
}

/** How long a stage may take to say whether the bot is a speaker, or has asked to be one. */
const ASKING_LIMIT_MS = 5_000

/** One guild's voice connection with its queue. One utterance's trouble ends that utterance, never the loop; the connection's holds it up. */
export function openSession(options: SessionOptions): Session {
  const { view, clock } = options
  const log = options.log.child({ guild: view.guildId })
  const queue = createQueue(options)
  const pace = createPace()
  let current: Item | undefined
  let running: Promise<void> | undefined
  let asking: Promise<void> | undefined
  let refusing = false
  let silentSinceMs = clock.monotonic()

  const readiness = createReadiness(() => connection.channelId())
  const connection = openConnection({ ...options, log, onChange })
  const onAir = createOnAir({ ...options, connection, readiness, log })

  function onChange(state: ConnectionState) {
    if (state.status === 'ready' && view.silenced() === 'audience') asking = askToSpeak()
    if (state.status === 'over') close(state.reason)
    readiness.changed(state)
  }

  function askToSpeak(): Promise<void> {
    const { signal, release } = limited(clock, ASKING_LIMIT_MS, () => new VoxError('OUT_OF_TIME'))
    const asked = view.askToSpeak(signal).catch((error: unknown) => log.warn({ err: error }, 'asking to speak on the stage failed'))
    return Promise.race([asked, sleep(clock, ASKING_LIMIT_MS, signal)]).finally(release)
  }

  function close(reason: OverReason | undefined) {
    refusing = true
    endAll({ outcome: 'failed', error: new VoxError('VOICE_CONNECTION', { reason, channelId: connection.channelId() }), spokenMs: 0 })
    log.info({ reason: reason ?? 'left' }, 'session closed')
    options.onClosed(reason)
  }

  function endAll(ending: Ending): number {
    const count = queue.endAll(ending) + (current ? 1 : 0)
    endCurrent(ending)
    return count
  }

  /** It ends with what was heard of it, if it fails. */
  function endCurrent(ending: Ending) {
    current?.end(ending.outcome === 'failed' ? { ...ending, spokenMs: onAir.packets()?.spokenMs ?? 0 } : ending)
  }

  /** Plays while there is something to play; started by the first, ended by the last. */
  async function run(): Promise<void> {
    for (let item = queue.next(); item !== undefined; item = queue.next()) {
      current = item
      // The next one's first words are made while this one plays.
      queue.waiting()[0]?.utterance.audio.warm()
      const ending = await onAir.say(item)
      if (ending.outcome === 'heard') pace.learn(item.utterance.text, ending.durationMs)
      item.end(ending)
      current = undefined
      silentSinceMs = clock.monotonic()
    }
  }

  /** What plays, then what waits. */
  const all = () => (current === undefined ? queue.waiting() : [current, ...queue.waiting()])

  function items(): Waiting[] {
    return all().map((item) => {
      const { authorId } = item.about
      const { text } = item.utterance
      const wholeMs = pace.estimateMs(text)
      const playing = item === current
      return { authorId, text, remainingMs: playing ? (onAir.packets()?.remainingMs(wholeMs) ?? wholeMs) : wholeMs, playing }
    })
  }

  function giveUp(item: Item) {
    queue.remove(item)
    item.end({ outcome: 'skipped' })
  }

  return {
    guildId: view.guildId,
    channelId: () => connection.channelId(),
    connection: () => connection.state(),
    silenced: () => (connection.state().status === 'ready' ? view.silenced() : undefined),
    enqueue(utterance, about) {
      if (refusing) return { ok: false, reason: 'restarting' }
      const ahead = all().length
      const item = createItem(utterance, about, clock.monotonic())
      if (!queue.add(item)) return { ok: false, reason: 'queueFull' }
      if (ahead === 0) running = run()
      else if (ahead === 1) utterance.audio.warm()
      return { ok: true, ahead, ended: item.ended, cancel: () => giveUp(item) }
    },
    skip() {
      if (current === undefined) return false
      giveUp(current)
      return true
    },
    speaker: () => current?.about.authorId,
    stop: () => endAll({ outcome: 'skipped' }),
    queued: () => all().length,
    items,
    queuedMs: () => items().reduce((sum, { remainingMs }) => sum + remainingMs, 0),
    silentMs: () => (all().length === 0 ? clock.monotonic() - silentSinceMs : 0),
    async ready() {
      await readiness.until()
      await asking
    },
    compare: (change) => connection.compare(change),
    leave: (why) => connection.end(why),
    async finish(limitMs) {
      refusing = true
      queue.endAll({ outcome: 'failed', error: new VoxError('RESTARTING'), spokenMs: 0 })
      if (current !== undefined) await Promise.race([running, sleep(clock, limitMs)])
      endCurrent({ outcome: 'failed', error: new VoxError('RESTARTING'), spokenMs: 0 })
    }
  }
}
