import { BITRATE_MIN, ENCODER_DELAY, reencode } from '../audio/reencode.ts'
import { waveformOf } from '../audio/waveform.ts'
import { cutIntoParts } from './parts.ts'
import { fileOf } from './recording.ts'
import type { AudioFile, Recording } from './recording.ts'

/**
 * What is attached: the recording whole, with fewer bits a second, or in parts; each file within the limit. The waveform, of a voice message,
 * is there only where it is one file.
 */
export type Upload = { how: 'whole' | 'smaller'; file: AudioFile; waveform?: string } | { how: 'parts'; files: AudioFile[] } | { how: 'tooLarge'; sizeBytes: number }

/** As many as one message takes. */
export const PARTS_MAX = 10

/** What Discord takes for a voice message. */
const VOICE_MESSAGE_MAX_MS = 20 * 60_000

/** The encoder keeps its rate in the mean only: some of the room is left to it. */
const ROOM = 0.9

/**
 * Fits a recording into what may be attached. One that fits is not touched; else it is encoded anew with as many bits a second as fit, and
 * where those would be too few for speech, cut into at most ten files.
 */
export async function fitUpload(recording: Recording, limitBytes: number): Promise<Upload> {
  const { segments, durationMs, levels } = recording
  const waveform = levels.length > 0 && durationMs <= VOICE_MESSAGE_MAX_MS ? { waveform: waveformOf(levels) } : {}
  const packets = segments.flat()
  const whole = fileOf('voice.ogg', packets, recording)
  if (whole.bytes.length <= limitBytes) return { how: 'whole', file: whole, ...waveform }

  const overheadBytes = whole.bytes.length - packets.reduce((sum, { length }) => sum + length, 0)
  const bitrate = (8_000 * ROOM * (limitBytes - overheadBytes)) / durationMs
  if (bitrate >= BITRATE_MIN) {
    const file = fileOf('voice.ogg', await reencode(packets, bitrate), smaller(recording))
    if (file.bytes.length <= limitBytes) return { how: 'smaller', file, ...waveform }
  }

  const asTheyAre = cutIntoParts(segments, limitBytes, PARTS_MAX)
  if (asTheyAre !== undefined) return { how: 'parts', files: filesOf(asTheyAre, recording) }
  if ((BITRATE_MIN * durationMs) / 8_000 > PARTS_MAX * limitBytes) return { how: 'tooLarge', sizeBytes: whole.bytes.length }
  const reencoded = cutIntoParts([await reencode(packets, BITRATE_MIN)], limitBytes, PARTS_MAX)
  if (reencoded !== undefined) return { how: 'parts', files: filesOf(reencoded, smaller(recording)) }
  return { how: 'tooLarge', sizeBytes: whole.bytes.length }
}

const smaller = ({ preSkip }: Recording) => ({ preSkip: preSkip + ENCODER_DELAY, channels: 1 })

function filesOf(parts: readonly Uint8Array[][], { preSkip, channels }: Pick<Recording, 'preSkip' | 'channels'>): AudioFile[] {
  // Only the first one begins where the stream does.
  return parts.map((packets, index) => fileOf(`voice-${index + 1}.ogg`, packets, { preSkip: index === 0 ? preSkip : 0, channels }))
}
