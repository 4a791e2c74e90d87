import OpusScript from 'opusscript'
import { PACKET_MS, PACKET_SAMPLES, SAMPLE_RATE_HZ } from './opus.ts'

/** Opus packets of a tone whose loudness, 0 to 1, is given for each moment: sound for tests. */
export function toneOf(durationMs: number, loudness: (ms: number) => number, bitrate = 32_000): Uint8Array[] {
  const encoder = new OpusScript(SAMPLE_RATE_HZ, 1, OpusScript.Application.AUDIO)
  encoder.setBitrate(bitrate)
  const packets = Array.from({ length: durationMs / PACKET_MS }, (_, packet) => {
    const samples = Int16Array.from({ length: PACKET_SAMPLES }, (_, index) => {
      const at = packet * PACKET_SAMPLES + index
      return 30_000 * loudness((at * 1000) / SAMPLE_RATE_HZ) * Math.sin((2 * Math.PI * 440 * at) / SAMPLE_RATE_HZ)
    })
    return encoder.encode(Buffer.from(samples.buffer), PACKET_SAMPLES)
  })
  encoder.delete()
  return packets
}
