import { muxOggOpus } from '../audio/ogg.ts'
import type { OpusStream } from '../audio/ogg.ts'
import { PACKET_MS } from '../audio/opus.ts'
import { levelsOf } from '../audio/waveform.ts'
import type { Utterance } from '../speech/speak.ts'

/** A whole utterance, its packets as the nodes made them. */
export interface Recording {
  /** The packets of each segment, in order. */
  segments: readonly (readonly Uint8Array[])[]
  channels: number
  /** Samples (48 kHz) that a player leaves out at the start. */
  preSkip: number
  durationMs: number
  /** How loud each packet is, 0 to 1; empty when it was not asked for. */
  levels: readonly number[]
}

export interface AudioFile {
  name: string
  bytes: Buffer
}

/**
 * Waits for every segment. While one is on its way, the levels of the one before are measured.
 * @param onSegment called with the number of segments that are there
 * @throws the `VoxError` of the segment that could not be had
 */
export async function record(utterance: Utterance, options: { withLevels: boolean; onSegment?: (done: number) => void }): Promise<Recording> {
  const streams: OpusStream[] = []
  const levels: number[] = []
  for await (const stream of utterance.audio) {
    streams.push(stream)
    options.onSegment?.(streams.length)
    if (options.withLevels) levels.push(...(await levelsOf(stream.packets)))
  }
  return {
    segments: streams.map(({ packets }) => packets),
    channels: Math.max(1, ...streams.map(({ channels }) => channels)),
    preSkip: streams[0]?.preSkip ?? 0,
    durationMs: streams.reduce((sum, { packets }) => sum + packets.length, 0) * PACKET_MS,
    levels
  }
}

/** The recording, or a part of it, as one Ogg Opus file. */
export function fileOf(name: string, packets: readonly Uint8Array[], { preSkip, channels }: Pick<Recording, 'preSkip' | 'channels'>): AudioFile {
  const file = muxOggOpus({ packets, preSkip, channels })
  return { name, bytes: Buffer.from(file.buffer, file.byteOffset, file.length) }
}
