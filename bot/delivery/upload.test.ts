import { describe, expect, it } from 'vitest'
import { parseOggOpus } from '../audio/ogg.ts'
import type { OpusStream } from '../audio/ogg.ts'
import { toneOf } from '../audio/test-sound.ts'
import { VoxError } from '../core/errors.ts'
import { runAhead } from '../speech/ahead.ts'
import type { Utterance } from '../speech/speak.ts'
import { record } from './recording.ts'
import type { AudioFile } from './recording.ts'
import { fitUpload } from './upload.ts'

const stream = (packets: Uint8Array[]): OpusStream => ({ packets, channels: 1, preSkip: 312, durationMs: 0 })
const utterance = (...segments: (() => Promise<OpusStream>)[]): Utterance => ({ id: 'u', text: 'u', audio: runAhead(segments, 1), cancel: () => {} })
const given = (...segments: Uint8Array[][]) => utterance(...segments.map((packets) => async () => stream(packets)))

function parsed({ bytes }: AudioFile): OpusStream {
  const read = parseOggOpus(bytes)
  if (!read.ok) throw new Error(read.reason)
  return read.stream
}

const [first, second] = [toneOf(2_000, () => 0.6, 64_000), toneOf(2_000, () => 0.2, 64_000)]

describe('what is uploaded of an utterance', () => {
  it('is one file with the packets as they came, where that fits', async () => {
    const seen: number[] = []
    const recording = await record(given(first, second), { withLevels: false, onSegment: (done) => seen.push(done) })
    const upload = await fitUpload(recording, 1_000_000)
    if (upload.how !== 'whole') throw new Error(upload.how)
    expect(parsed(upload.file).packets.map((packet) => Buffer.from(packet))).toEqual([...first, ...second].map((packet) => Buffer.from(packet)))
    expect([recording.durationMs, upload.waveform, seen]).toEqual([4_000, undefined, [1, 2]])
  })

  it('has a waveform when it is to be a voice message', async () => {
    const upload = await fitUpload(await record(given(first, second), { withLevels: true }), 1_000_000)
    if (upload.how !== 'whole') throw new Error(upload.how)
    const points = [...Buffer.from(upload.waveform ?? '', 'base64')]
    expect([points.length, Math.max(...points)]).toEqual([40, 255])
    expect(points[35]).toBeLessThan((points[5] ?? 0) / 2)
  })

  it('has fewer bits a second where that makes it fit, and is as long', async () => {
    const recording = await record(given(first, second), { withLevels: true })
    const upload = await fitUpload(recording, 14_000)
    if (upload.how !== 'smaller') throw new Error(upload.how)
    const { packets, preSkip } = parsed(upload.file)
    expect(upload.file.bytes.length).toBeLessThanOrEqual(14_000)
    expect([packets.length, preSkip]).toEqual([201, 624])
    expect(upload.waveform).toBeDefined()
  })

  it('is in parts where fewer bits would not do, with the packets as they came', async () => {
    const upload = await fitUpload(await record(given(first, second), { withLevels: true }), 5_000)
    if (upload.how !== 'parts') throw new Error(upload.how)
    expect(upload.files.every(({ bytes }) => bytes.length <= 5_000)).toBe(true)
    expect(upload.files.flatMap((file) => parsed(file).packets.map((packet) => Buffer.from(packet)))).toEqual([...first, ...second].map((packet) => Buffer.from(packet)))
    expect(upload.files.map((file) => parsed(file).preSkip)).toEqual([312, ...Array<number>(upload.files.length - 1).fill(0)])
  })

  it('is in smaller parts where there would be too many', async () => {
    const upload = await fitUpload(await record(given(first, second), { withLevels: false }), 1_500)
    if (upload.how !== 'parts') throw new Error(upload.how)
    expect(upload.files.length).toBeLessThanOrEqual(10)
    expect(upload.files.every(({ bytes }) => bytes.length <= 1_500)).toBe(true)
    expect(upload.files.reduce((sum, file) => sum + parsed(file).packets.length, 0)).toBe(201)
  })

  it('is nothing where not even that fits', async () => {
    const recording = await record(given(first), { withLevels: false })
    expect(await fitUpload(recording, 100)).toMatchObject({ how: 'tooLarge' })
    expect(await fitUpload(recording, 250)).toMatchObject({ how: 'tooLarge' })
  })

  it('fails as its segment failed', async () => {
    const lost = new VoxError('NO_NODE')
    const seen: number[] = []
    const broken = utterance(async () => stream(first), () => Promise.reject(lost))
    await expect(record(broken, { withLevels: true, onSegment: (done) => seen.push(done) })).rejects.toBe(lost)
    expect(seen).toEqual([1])
  })
})
