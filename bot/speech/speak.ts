import { randomBytes } from 'node:crypto'
import type { OpusStream } from '../audio/ogg.ts'
import { VoxError } from '../core/errors.ts'
import type { Sound } from '../members/preferences.ts'
import { ANY_VOICE, SPEED } from '../wire/node.ts'
import { runAhead } from './ahead.ts'
import type { Ahead } from './ahead.ts'
import { isSpeakable } from './reading/speakable.ts'
import type { Relay, RelayOptions } from './relay.ts'
import { splitText } from './segments.ts'

/** One thing to say, under way: its segments in order, each a whole stream. */
export interface Utterance {
  /** Eight hex digits, in every log line about it. */
  id: string
  /** What is spoken. */
  text: string
  /** The audio, once. It throws the `VoxError` of the first segment that could not be had. */
  audio: Ahead<OpusStream>
  /** Aborts what is under way, with `CANCELLED` when no error is given; the audio then throws it. */
  cancel(error?: VoxError): void
}

/** Segments fetched while one plays. */
const AHEAD = 2

/** Priorities: waited for now; the next of what is on air; the first of what is not yet. */
const NOW = 2
const NEXT = 4
const WARM = 6

/**
 * What is spoken -> segments -> relay. Nothing is asked of a node before the audio is iterated, or warmed. `speedFactor` comes on top of the
 * sound's own speed.
 */
export function speak(
  relay: Relay,
  given: { text: string; sound?: Sound | undefined; language?: string | undefined; deviceId: string; speedFactor?: number | undefined; onQueued?: RelayOptions['onQueued'] }
): Utterance {
  const { text, sound = {}, language, deviceId, speedFactor = 1, onQueued } = given
  const id = randomBytes(4).toString('hex')
  const abort = new AbortController()
  const speed = Math.min(SPEED.max, Math.max(SPEED.min, (sound.speed ?? 1) * speedFactor))
  const how = {
    model: 'voxpool',
    voice: sound.voice ?? ANY_VOICE,
    response_format: 'opus' as const,
    speed,
    ...(sound.pitch !== undefined && { pitch: sound.pitch }),
    ...(sound.volume !== undefined && { volume: sound.volume }),
    ...(language !== undefined && { language })
  }
  const audio: Ahead<OpusStream> = runAhead(
    splitText(text)
      .filter(isSpeakable)
      .map((input) => (position) => {
        const priority = () => (audio.waitedFor() === position ? NOW : audio.waitedFor() >= 0 ? NEXT : WARM)
        return relay({ ...how, input }, { deviceId, requestId: `${id}.${position}`, signal: abort.signal, priority, ...(onQueued && { onQueued }) })
      }),
    AHEAD
  )
  return { id, text, audio, cancel: (error = new VoxError('CANCELLED')) => abort.abort(error) }
}
