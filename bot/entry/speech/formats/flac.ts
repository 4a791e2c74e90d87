import { createBitWriter } from './bits.ts'
import { BLOCK, flacFrame } from './flac-frame.ts'
import { PCM_RATE_HZ } from './pcm.ts'
import type { PcmEncoder } from './pcm-encoder.ts'

const STREAM_INFO_BYTES = 34

/** What stands before the frames. @param samples undefined: as many as come */
export function flacHeader(samples: number | undefined): Uint8Array {
  const writer = createBitWriter()
  for (const char of 'fLaC') writer.write(char.charCodeAt(0), 8)
  // The last block of metadata, and the only one: STREAMINFO.
  writer.write(0x80, 8)
  writer.write(STREAM_INFO_BYTES, 24)
  for (let bound = 0; bound < 2; bound++) writer.write(BLOCK, 16)
  // Sizes of frames: unknown.
  for (let bound = 0; bound < 2; bound++) writer.write(0, 24)
  writer.write(PCM_RATE_HZ, 20)
  writer.write(0, 3)
  writer.write(15, 5)
  writer.write(0, 4)
  writer.write(samples ?? 0, 32)
  // A checksum of all samples: not computed.
  for (let word = 0; word < 4; word++) writer.write(0, 32)
  return writer.bytes().slice()
}

/** FLAC frames from samples as they come; what does not fill a frame waits for the next. */
export function createFlacEncoder(): PcmEncoder {
  let waiting = new Int16Array()
  let frames = 0
  return {
    add(samples) {
      const all = new Int16Array(waiting.length + samples.length)
      all.set(waiting)
      all.set(samples, waiting.length)
      const whole = all.length - (all.length % BLOCK)
      waiting = all.slice(whole)
      return Buffer.concat(Array.from({ length: whole / BLOCK }, (_, index) => flacFrame(all.subarray(index * BLOCK, (index + 1) * BLOCK), frames++)))
    },
    end: () => (waiting.length === 0 ? new Uint8Array() : flacFrame(waiting, frames))
  }
}
