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
  /** What is spoken, for the place in the queue and the reply. */
  text: string
  segments: number
  /** The audio, once. It throws the `VoxError` of the first segment that could not be had. */
  audio: Ahead<OpusStream>
  /** Aborts what is under way; the audio then throws `CANCELLED`. */
  cancel(): void
}

export type Refusal = { ok: false; reason: 'empty' | 'tooLong' }

/** Segments fetched while one plays. */
const AHEAD = 2

/** Waited for now, and fetched ahead; see the pool's `priority`. */
const NOW = 2
const LATER = 6

/**
 * Text -> reading -> segments -> relay. Nothing is asked of a node before the audio is iterated, or warmed.
 * A text with nothing to say, or above 2,000 characters, is a refusal.
 */
export function speak(relay: Relay, given: { text: string; voice?: string | undefined; language?: string; names: Names; deviceId: string }): { ok: true; utterance: Utterance } | Refusal {
  if (given.text.length > TEXT_MAX) return { ok: false, reason: 'tooLong' }
  const text = readText(given.text, given.names)
  if (!isSpeakable(text)) return { ok: false, reason: 'empty' }
  const id = randomBytes(4).toString('hex')
  const abort = new AbortController()
  const segments = splitText(text).filter(isSpeakable)
  const tasks = segments.map(
    (input) => (position: number) =>
      relay(
        { model: 'voxpool', input, voice: given.voice ?? ANY_VOICE, response_format: 'opus', speed: 1, ...(given.language !== undefined && { language: given.language }) },
        { deviceId: given.deviceId, requestId: `${id}.${position}`, signal: abort.signal, priority: position === 0 ? NOW : LATER }
      )
  )
  return {
    ok: true,
    utterance: { id, text, segments: segments.length, audio: runAhead(tasks, AHEAD), cancel: () => abort.abort(new VoxError('CANCELLED')) }
  }
}
