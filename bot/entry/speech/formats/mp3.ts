import { createMp3Encoder as createLame } from 'wasm-media-encoders'
import { PCM_RATE_HZ } from './pcm.ts'
import type { PcmEncoder } from './pcm-encoder.ts'

/** Where MP3 of speech stops getting better. */
const BITRATE_KBPS = 64

const FULL_SCALE = 32_768

/** MP3 of a constant bit rate, so that a player knows its length by its size. */
export async function createMp3Encoder(): Promise<PcmEncoder> {
  const lame = await createLame()
  lame.configure({ sampleRate: PCM_RATE_HZ, channels: 1, bitrate: BITRATE_KBPS })
  return {
    // What it returns is its own memory, which the next call writes over.
    add: (samples) => lame.encode([Float32Array.from(samples, (sample) => sample / FULL_SCALE)]).slice(),
    end: () => lame.finalize().slice()
  }
}
