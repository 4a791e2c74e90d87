import { inSlices, withCodec } from './codec.ts'
import type { Codec } from './codec.ts'
import { PACKET_SAMPLES } from './opus.ts'

/** Below this speech is hard to follow. */
export const BITRATE_MIN = 12_000

/** Samples (48 kHz) by which the encoder is late. */
export const ENCODER_DELAY = 312

/** Packets decoded and encoded without a pause: 1 to 2 ms. */
const AT_ONCE = 5

/** Half of the encoder's full effort takes half of the time, and nobody hears it at these rates. */
const COMPLEXITY = 5

/** Numbers of libopus (`opus_defines.h`): the bitrate is never exceeded in the mean, and the effort. */
const SET_CONSTRAINED_VBR = 4020
const SET_COMPLEXITY = 4010

const SILENT = Buffer.alloc(PACKET_SAMPLES * 2)

/**
 * The same sound in smaller packets of 20 ms, mono, with one more at the end for what the encoder still holds. It begins `ENCODER_DELAY`
 * samples later: they come on top of the stream's pre-skip. What can't be decoded becomes silence.
 * @param bitrate bits a second, at least `BITRATE_MIN`
 */
export function reencode(packets: readonly Uint8Array[], bitrate: number): Promise<Uint8Array[]> {
  return withCodec(async (codec) => {
    codec.setBitrate(Math.max(BITRATE_MIN, Math.floor(bitrate)))
    codec.encoderCTL(SET_CONSTRAINED_VBR, 1)
    codec.encoderCTL(SET_COMPLEXITY, COMPLEXITY)
    const smaller = await inSlices(packets, AT_ONCE, (packet) => codec.encode(decoded(codec, packet), PACKET_SAMPLES))
    return [...smaller, codec.encode(SILENT, PACKET_SAMPLES)]
  })
}

function decoded(codec: Codec, packet: Uint8Array): Buffer {
  try {
    const pcm = codec.decode(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength))
    return pcm.length === SILENT.length ? pcm : SILENT
  } catch {
    return SILENT
  }
}
