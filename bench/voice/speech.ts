import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import OpusScript from 'opusscript'
import { muxOggOpus, parseOggOpus } from '../../bot/audio/ogg.ts'
import type { OpusStream } from '../../bot/audio/ogg.ts'
import { PACKET_SAMPLES, SAMPLE_RATE_HZ } from '../../bot/audio/opus.ts'

/** One utterance as a voice engine makes it: a WAV file, and the same as Ogg Opus. */
export interface Speech {
  wavPath: string
  oggPath: string
  seconds: number
}

/** What voice engines give: 24 kHz, mono, 16 bits. */
const WAV_RATE_HZ = 24_000
const BITRATE = 32_000

/** Something that moves like speech: a gliding tone with overtones, in syllables with pauses between the words. */
function sampleAt(second: number): number {
  const pitch = 2 * Math.PI * 140 * second + 6 * Math.sin(2 * second)
  const voice = Math.sin(pitch) + 0.5 * Math.sin(5 * pitch) + 0.25 * Math.sin(17 * pitch) + 0.1 * Math.sin(8123 * second * second)
  const syllable = Math.abs(Math.sin(Math.PI * 4 * second)) * (second % 1.5 < 1.2 ? 1 : 0)
  return 0.4 * voice * syllable
}

const pcm = (rateHz: number, seconds: number) =>
  Buffer.from(Int16Array.from({ length: rateHz * seconds }, (_, index) => 32_767 * Math.max(-1, Math.min(1, sampleAt(index / rateHz)))).buffer)

/** Writes both files into a folder of their own; `forget` deletes it. */
export function writeSpeech(seconds: number): Speech & { forget(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-bench-'))
  const wavPath = join(folder, 'speech.wav')
  const oggPath = join(folder, 'speech.ogg')
  const samples = pcm(WAV_RATE_HZ, seconds)
  writeFileSync(wavPath, Buffer.concat([wavHeader(samples.length), samples]))
  writeFileSync(oggPath, muxOggOpus({ packets: encode(pcm(SAMPLE_RATE_HZ, seconds)) }))
  return { wavPath, oggPath, seconds, forget: () => rmSync(folder, { recursive: true }) }
}

/** The packets of the Ogg file, as the cache holds them. */
export function readSpeech({ oggPath }: Speech): OpusStream {
  const parsed = parseOggOpus(readFileSync(oggPath))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.stream
}

function encode(samples: Buffer): Buffer[] {
  const encoder = new OpusScript(SAMPLE_RATE_HZ, 1, OpusScript.Application.AUDIO)
  encoder.setBitrate(BITRATE)
  const sizeBytes = PACKET_SAMPLES * 2
  const packets = Array.from({ length: samples.length / sizeBytes }, (_, index) => encoder.encode(samples.subarray(index * sizeBytes, (index + 1) * sizeBytes), PACKET_SAMPLES))
  encoder.delete()
  return packets
}

function wavHeader(sizeBytes: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(36 + sizeBytes, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(WAV_RATE_HZ, 24)
  header.writeUInt32LE(WAV_RATE_HZ * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(sizeBytes, 40)
  return header
}
