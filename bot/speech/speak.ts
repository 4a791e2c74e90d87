import { randomBytes } from 'node:crypto'
import type { OpusStream } from '../audio/ogg.ts'
import { VoxError } from '../core/errors.ts'
import { ANY_VOICE } from '../wire/node.ts'
import { runAhead } from './ahead.ts'
import type { Ahead } from './ahead.ts'
import { TEXT_MAX, isSpeakable, readText } from './reading.ts'
import type { Names } from './reading.ts'
import type { Relay } from './relay.ts'
import { splitText } from './segments.ts'

/** One thing to say, under way: its segments in order, each a whole stream. */
export interface Utterance {
  /** Eight hex digits, in every log line about it. */
  id: string
  /** The audio, once. It throws the `VoxError` of the first segment that could not be had. */
  audio: Ahead<OpusStream>
  /** Aborts what is under way, with `CANCELLED` when no error is given; the audio then throws it. */
  cancel(error?: VoxError): void
}

export type Refusal = { ok: false; reason: 'empty' | 'tooLong' }

/** Segments fetched while one plays. */
const AHEAD = 2

/** Priorities: waited for now; the next of what is on air; the first of what is not yet. */
const NOW = 2
const NEXT = 4
const WARM = 6

/** Mentions and timestamps are longer spoken than written, but not without bound. */
const READ_MAX = 2 * TEXT_MAX

/**
 * Text -> reading -> segments -> relay. Nothing is asked of a node before the audio is iterated, or warmed.
 * A text with nothing to say, or above 2,000 characters, is a refusal.
 */
export function speak(relay: Relay, given: { text: string; voice?: string | undefined; language?: string; names: Names; deviceId: string }): { ok: true; utterance: Utterance } | Refusal {
  if (given.text.length > TEXT_MAX) return { ok: false, reason: 'tooLong' }
  const text = readText(given.text, given.names)
  if (!isSpeakable(text)) return { ok: false, reason: 'empty' }
  if (text.length > READ_MAX) return { ok: false, reason: 'tooLong' }
  const id = randomBytes(4).toString('hex')
  const abort = new AbortController()
  const language = given.language === undefined ? {} : { language: given.language }
  const audio: Ahead<OpusStream> = runAhead(
    splitText(text)
      .filter(isSpeakable)
      .map((input) => (position) => {
        const priority = () => (audio.waitedFor() === position ? NOW : audio.waitedFor() >= 0 ? NEXT : WARM)
        return relay(
          { model: 'voxpool', input, voice: given.voice ?? ANY_VOICE, response_format: 'opus', speed: 1, ...language },
          { deviceId: given.deviceId, requestId: `${id}.${position}`, signal: abort.signal, priority }
        )
      }),
    AHEAD
  )
  return { ok: true, utterance: { id, audio, cancel: (error = new VoxError('CANCELLED')) => abort.abort(error) } }
}
