import { PACKET_MS } from '../audio/opus.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Connection } from './connection-state.ts'
import type { GuildView } from './guild-view.ts'
import type { Pacer } from './pacer.ts'
import { createPackets } from './packets.ts'
import type { Packets } from './packets.ts'
import { play } from './player.ts'
import type { Ending, Item } from './queue.ts'
import type { Readiness } from './readiness.ts'
import { supervise } from './supervise.ts'

/** What a session puts utterances on air with, one at a time. */
export interface OnAir {
  /** Fetches and plays it; never throws. */
  say(item: Item): Promise<Ending>
  /** What plays now. */
  packets(): Packets | undefined
}

export function createOnAir(deps: {
  connection: Connection
  readiness: Readiness
  view: GuildView
  pacer: Pacer
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'unheard'>
}): OnAir {
  const { connection, readiness, view, pacer, clock, log, metrics } = deps
  let packets: Packets | undefined
  let silencedSinceMs: number | undefined

  /** Since when counts on from one utterance to the next: a queue that nobody hears must not wait its patience through for each. */
  function silence() {
    const why = view.silenced()
    silencedSinceMs = why === undefined ? undefined : (silencedSinceMs ?? clock.monotonic())
    return why === undefined || silencedSinceMs === undefined ? undefined : { why, sinceMs: silencedSinceMs }
  }

  /** Packets sent, while some should be. */
  function sent(): number | undefined {
    return connection.state().status === 'ready' && silence() === undefined ? connection.link()?.sent() : undefined
  }

  const heardMs = () => (packets === undefined ? 0 : packets.spokenMs - packets.unheard * PACKET_MS)

  async function air({ utterance, about, signal }: Item): Promise<void> {
    const segments = utterance.audio[Symbol.asyncIterator]()
    const [first] = await Promise.all([segments.next(), readiness.until(signal)])
    if (first.done) throw new VoxError('BUG', { reason: 'an utterance without audio' })
    signal.throwIfAborted()
    const isHeard = () => connection.link()?.isHeard(() => view.hasPeople(connection.channelId())) ?? false
    packets = createPackets(first.value, segments, isHeard)
    const stop = supervise(clock, sent, () => connection.rebuild('stalled'))
    try {
      await play({ packets, connection, silence, pacer, clock, signal, onHeld: (why) => about.onHeld?.(why) })
    } finally {
      stop()
    }
    if (packets.fault !== undefined) throw asVoxError(packets.fault)
    if (packets.unheard > 0 && heardMs() === 0) {
      // Of no use as it is: made anew, it has a new group.
      connection.rebuild('broken')
      throw new VoxError('VOICE_SILENCED', { why: 'encryption', channelId: connection.channelId() })
    }
  }

  return {
    packets: () => packets,
    async say(item) {
      try {
        await air(item)
        return { outcome: 'heard', durationMs: packets?.spokenMs ?? 0 }
      } catch (thrown) {
        return { outcome: 'failed', error: asVoxError(thrown), spokenMs: heardMs() }
      } finally {
        const unheard = packets?.unheard ?? 0
        if (unheard > 0) {
          metrics.unheard.inc(unheard)
          log.warn({ utterance: item.utterance.id, packets: unheard }, 'played while the encryption group was not set up')
        }
        packets = undefined
      }
    }
  }
}
