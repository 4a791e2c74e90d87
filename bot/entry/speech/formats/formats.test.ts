import { FLACDecoder } from '@wasm-audio-decoders/flac'
import fc from 'fast-check'
import { MPEGDecoder } from 'mpg123-decoder'
import { afterAll, describe, expect, it } from 'vitest'
import { muxOggOpus, parseOggOpus } from '../../../audio/ogg.ts'
import type { OpusStream } from '../../../audio/ogg.ts'
import { toneOf } from '../../../audio/test-sound.ts'
import { systemClock } from '../../../core/clock.ts'
import { silentLog } from '../../../core/log.ts'
import { createEncoders } from './encoders.ts'
import { createFlacEncoder } from './flac.ts'
import { BLOCK, flacFrame } from './flac-frame.ts'
import { FORMATS } from './format.ts'
import type { Format } from './format.ts'
import { PCM_RATE_HZ, decodeSegment } from './pcm.ts'

const encoders = createEncoders({ clock: systemClock, log: silentLog })
afterAll(() => encoders.close())

function segment(durationMs: number): OpusStream {
  const parsed = parseOggOpus(muxOggOpus({ packets: toneOf(durationMs, (ms) => Math.min(1, ms / 200)) }))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.stream
}

const segments = [segment(1_000), segment(460), segment(740)]
const expected = segments.map(decodeSegment)
const expectedSamples = expected.flatMap((samples) => [...samples])

/** A whole file, or one whose length was not known when it began. */
async function fileOf(format: Format, isWhole: boolean): Promise<Buffer> {
  const body = encoders.open(format)
  const parts = isWhole ? [] : [body.header(false)]
  for (const each of segments) parts.push(await body.add(each))
  parts.push(await body.end())
  body.close()
  return Buffer.concat(isWhole ? [body.header(true), ...parts] : parts)
}

async function fromFlac(file: Uint8Array) {
  const decoder = new FLACDecoder()
  await decoder.ready
  const { channelData, sampleRate, errors } = await decoder.decodeFile(file)
  decoder.free()
  return { samples: samplesOf(channelData), sampleRate, errors }
}

/** The decoder gives whole numbers as parts of the largest. */
const samplesOf = (channelData: readonly Float32Array[]) => Array.from(channelData[0] ?? [], (value) => Math.round(value * 32_767))

const samplesAt = (file: Buffer, start: number) => Array.from({ length: (file.length - start) / 2 }, (_, index) => file.readInt16LE(start + index * 2))

describe.each([['whole', true], ['as it comes', false]])('%s', (_name, isWhole) => {
  it('opus is one stream of the packets as they were', async () => {
    const parsed = parseOggOpus(await fileOf('opus', isWhole))
    if (!parsed.ok) throw new Error(parsed.reason)
    expect(parsed.stream.packets).toEqual(segments.flatMap(({ packets }) => packets))
    expect([parsed.stream.preSkip, parsed.stream.channels]).toEqual([312, 1])
  })

  it('pcm is the samples', async () => {
    expect(samplesAt(await fileOf('pcm', isWhole), 0)).toEqual(expectedSamples)
  })

  it('wav is the samples behind a header that says their length where it is known', async () => {
    const file = await fileOf('wav', isWhole)
    expect(samplesAt(file, 44)).toEqual(expectedSamples)
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16) + file.toString('latin1', 36, 40)).toBe('RIFFWAVEfmt data')
    expect([file.readUInt32LE(4), file.readUInt32LE(40), file.readUInt32LE(24), file.readUInt16LE(22)]).toEqual([
      isWhole ? file.length - 8 : 0xffff_ffff, isWhole ? file.length - 44 : 0xffff_ffff, PCM_RATE_HZ, 1
    ])
  })

  it('flac is decoded to the samples, bit by bit', async () => {
    const { samples, sampleRate, errors } = await fromFlac(await fileOf('flac', isWhole))
    expect([errors.length, sampleRate, samples.length]).toEqual([0, PCM_RATE_HZ, expectedSamples.length])
    expect(samples).toEqual(expectedSamples)
  })

  it('mp3 is decoded to about the same sound', async () => {
    const decoder = new MPEGDecoder()
    await decoder.ready
    const { channelData, samplesDecoded, sampleRate, errors } = decoder.decode(await fileOf('mp3', isWhole))
    decoder.free()
    expect([errors.length, sampleRate]).toEqual([0, PCM_RATE_HZ])
    expect(Math.abs(samplesDecoded - expectedSamples.length)).toBeLessThan(PCM_RATE_HZ / 10)
    const loudness = (samples: ArrayLike<number>) => Math.sqrt(Array.from(samples).reduce((sum, value) => sum + value * value, 0) / samples.length)
    expect(loudness(channelData[0] ?? []) / (loudness(expectedSamples) / 32_768)).toBeCloseTo(1, 0)
  })
})

describe('a decoded segment', () => {
  it('has the tone of the packets, without the pre-skip, and its whole length', () => {
    const [samples = new Int16Array()] = expected
    expect(samples.length).toBe(((1_000 - 6.5) * PCM_RATE_HZ) / 1_000)
    // 440 Hz crosses zero upwards 440 times a second.
    const rises = samples.reduce((sum, sample, index) => sum + (sample >= 0 && (samples[index - 1] ?? 0) < 0 ? 1 : 0), 0)
    expect(Math.abs(rises - 437)).toBeLessThan(6)
  })

  it('is silent where packets are none, and as long', () => {
    const broken = { packets: [Uint8Array.of(0xff, 0xff, 0xff), ...(segments[1]?.packets ?? [])], preSkip: 0, durationMs: 480 }
    expect(decodeSegment(broken).subarray(0, 480).every((sample) => sample === 0)).toBe(true)
    expect(decodeSegment(broken).length).toBe(11_520)
  })
})

describe('flac', () => {
  it('loses nothing, whatever the samples and however they are cut', async () => {
    const loud = fc.int16Array({ minLength: 1, maxLength: 9_000 })
    const noise = fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 0, max: 14 })).map(([length, bits]) =>
      Int16Array.from({ length }, (_, index) => Math.round(Math.sin(index * index) * 2 ** bits))
    )
    await fc.assert(
      fc.asyncProperty(fc.oneof(loud, noise), fc.integer({ min: 1, max: 5_000 }), async (samples, cut) => {
        const frames = Array.from({ length: Math.ceil(samples.length / BLOCK) }, (_, index) => flacFrame(samples.subarray(index * BLOCK, (index + 1) * BLOCK), index))
        // Frame by frame: the decoder's search for frames in a file takes chance bytes for one now and then.
        const decoder = new FLACDecoder()
        await decoder.ready
        const { channelData, errors } = await decoder.decodeFrames(frames)
        decoder.free()
        expect(errors).toEqual([])
        expect(samplesOf(channelData)).toEqual([...samples])
        const encoder = createFlacEncoder()
        const parts: Uint8Array[] = []
        for (let start = 0; start < samples.length; start += cut) parts.push(encoder.add(samples.subarray(start, start + cut)))
        expect(Buffer.concat([...parts, encoder.end()]).equals(Buffer.concat(frames))).toBe(true)
      }),
      { numRuns: 25 }
    )
  })
})

describe('encoders', () => {
  it('make many files at once, each whole', async () => {
    const files = await Promise.all(FORMATS.flatMap((format) => [fileOf(format, true), fileOf(format, true), fileOf(format, true)]))
    FORMATS.forEach((_format, index) => {
      expect(files[index * 3]?.equals(files[index * 3 + 1] ?? Buffer.alloc(0))).toBe(true)
      expect(files[index * 3]?.equals(files[index * 3 + 2] ?? Buffer.alloc(0))).toBe(true)
    })
  })

  it('that have ended fail what is under way, and nothing hangs', async () => {
    const ending = createEncoders({ clock: systemClock, log: silentLog })
    const body = ending.open('wav')
    const failed = expect(body.add(segment(200))).rejects.toMatchObject({ code: 'BUG' })
    await ending.close()
    await failed
    await expect(body.add(segment(200))).rejects.toMatchObject({ code: 'BUG' })
  })
})
