import { SILENCE } from '../audio/opus.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Connection } from './connection-state.ts'
import type { Silenced } from './guild-view.ts'
import type { Pacer } from './pacer.ts'
import type { Packets } from './packets.ts'

/** A stretch of speech ends with these, or the listeners' decoders make up its end. */
const TAIL_PACKETS = 5
const SILENT = Buffer.from(SILENCE)

/** How long speech waits for the bot to be heard again; who is invited to speak on a stage has to read that it asked, first. */
const PATIENCE_MS: Readonly<Record<Silenced, number>> = { muted: 10_000, speak: 10_000, audience: 10_000, asked: 120_000 }

/** A bot that steps onto a stage is one of the audience for a moment. */
const TOLD_AFTER_MS = 1_000

export interface PlayOptions {
  packets: Packets
  connection: Connection
  /** What keeps the bot from being heard, and since when (monotonic). */
  silence: () => { why: Silenced; sinceMs: number } | undefined
  pacer: Pacer
  clock: Clock
  signal: AbortSignal
  /** It waits, because the bot is silenced. */
  onHeld: (why: Silenced) => void
}

/**
 * Sends the packets of an utterance, one each 20 ms, and then the silence that ends it. While the connection is away, or the bot silenced, it stands
 * still: nothing is sent that nobody hears, and nothing is left out.
 * @throws `VOICE_SILENCED` when it was silenced for too long, and the signal's reason
 */
export function play({ packets, connection, silence, pacer, clock, signal, onHeld }: PlayOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let tail: number | undefined
    let begun = false
    let heldBy: Silenced | undefined

    const finish = (settle: () => void) => {
      stop()
      signal.removeEventListener('abort', onAbort)
      connection.link()?.stopSpeaking()
      settle()
    }
    const end = () => finish(() => (signal.aborted ? reject(signal.reason instanceof Error ? signal.reason : new VoxError('CANCELLED')) : resolve()))
    const onAbort = () => {
      if (begun && connection.state().status === 'ready' && silence() === undefined) tail ??= TAIL_PACKETS
      else end()
    }

    /** True while the bot is silenced. */
    function isHeld(): boolean {
      const silenced = silence()
      if (silenced !== undefined && clock.monotonic() - silenced.sinceMs > PATIENCE_MS[silenced.why]) {
        finish(() => reject(new VoxError('VOICE_SILENCED', { why: silenced.why, channelId: connection.channelId() })))
      } else if (silenced !== undefined && heldBy !== silenced.why && clock.monotonic() - silenced.sinceMs >= TOLD_AFTER_MS) {
        heldBy = silenced.why
        onHeld(silenced.why)
      }
      return silenced !== undefined
    }

    function step() {
      if (connection.state().status !== 'ready' || isHeld()) {
        if (signal.aborted) end()
        return
      }
      const packet = tail === undefined ? packets.next() : SILENT
      if (packet === undefined) tail = TAIL_PACKETS
      if (connection.link()?.send(packet ?? SILENT) !== true) return
      begun = true
      if (tail === undefined) packets.sent()
      else if (--tail === 0) end()
    }

    signal.addEventListener('abort', onAbort, { once: true })
    const stop = pacer.every(step, (error) => finish(() => reject(asVoxError(error))))
    if (signal.aborted) onAbort()
  })
}
