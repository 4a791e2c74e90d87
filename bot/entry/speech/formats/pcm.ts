import OpusScript from 'opusscript'
import type { OpusStream } from '../../../audio/ogg.ts'
import { PACKET_MS } from '../../../audio/opus.ts'

/** What the OpenAI API speaks in: 24 kHz, mono, 16 bit. An Opus decoder makes it as it is, without a resampler. */
export const PCM_RATE_HZ = 24_000
export const PCM_BYTES = 2

const PACKET_LENGTH = (PCM_RATE_HZ / 1000) * PACKET_MS

export type Segment = Pick<OpusStream, 'packets' | 'preSkip' | 'durationMs'>

/** How many samples a segment has once it is decoded. */
export function samplesOf({ durationMs }: Pick<Segment, 'durationMs'>): number {
  return Math.round((durationMs * PCM_RATE_HZ) / 1000)
}

/**
 * A whole segment as samples: without its pre-skip, and no longer than it says. Each was made by an encoder of its own, so each has a decoder of its
 * own. What can't be decoded is silence of the same length.
 */
export function decodeSegment(segment: Segment): Int16Array {
  const { packets, preSkip } = segment
  const decoder = new OpusScript(PCM_RATE_HZ, 1, OpusScript.Application.AUDIO)
  try {
    const whole = new Int16Array(packets.length * PACKET_LENGTH)
    packets.forEach((packet, index) => whole.set(decoded(decoder, packet), index * PACKET_LENGTH))
    const start = Math.round((preSkip * PCM_RATE_HZ) / 48_000)
    const samples = new Int16Array(samplesOf(segment))
    samples.set(whole.subarray(start, start + samples.length))
    return samples
  } finally {
    decoder.delete()
  }
}

function decoded(decoder: OpusScript, packet: Uint8Array): Int16Array {
  try {
    const bytes = decoder.decode(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength))
    const samples = Int16Array.from({ length: bytes.length / PCM_BYTES }, (_, index) => bytes.readInt16LE(index * PCM_BYTES))
    return samples.length === PACKET_LENGTH ? samples : SILENT
  } catch {
    return SILENT
  }
}

const SILENT = new Int16Array(PACKET_LENGTH)

/** Samples as bytes, little endian. */
export function bytesOf(samples: Int16Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(samples.length * PCM_BYTES)
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * PCM_BYTES))
  return bytes
}
