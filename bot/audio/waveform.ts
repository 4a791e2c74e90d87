import { inSlices, withCodec } from './codec.ts'
import type { Codec } from './codec.ts'
import { PACKET_MS } from './opus.ts'

/** Bounds of Discord's voice messages; its own clients send a point each 100 ms. */
export const POINTS_MAX = 256
const POINT_MS = 100

/** Packets decoded without a pause: about 1 ms. */
const AT_ONCE = 20

/** A quieter recording is not drawn as a loud one: -40 dB. */
const LOUD_MIN = 0.01

/** How loud each packet of one stream is: the root mean square of its samples, 0 to 1; what can't be decoded has no sound. */
export function levelsOf(packets: readonly Uint8Array[]): Promise<number[]> {
  return withCodec((codec) => inSlices(packets, AT_ONCE, (packet) => levelOf(codec, packet)))
}

function levelOf(codec: Codec, packet: Uint8Array): number {
  let pcm: Buffer
  try {
    pcm = codec.decode(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength))
  } catch {
    return 0
  }
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length >> 1)
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length) / 32_768
}

/**
 * The picture of a voice message as Discord takes it: base64 of at most 256 bytes, each 0 to 255, the loudest of them 255.
 * @param levels one a packet of 20 ms, at least one
 */
export function waveformOf(levels: readonly number[]): string {
  const count = Math.min(POINTS_MAX, Math.max(1, Math.round((levels.length * PACKET_MS) / POINT_MS)))
  const points = Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * levels.length) / count)
    const window = levels.slice(start, Math.max(start + 1, Math.floor(((index + 1) * levels.length) / count)))
    return Math.sqrt(window.reduce((sum, level) => sum + level * level, 0) / Math.max(1, window.length))
  })
  const loudest = Math.max(LOUD_MIN, ...points)
  return Buffer.from(points.map((point) => Math.round((255 * point) / loudest))).toString('base64')
}
