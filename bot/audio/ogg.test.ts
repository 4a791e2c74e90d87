import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { muxOggOpus, parseOggOpus } from './ogg.ts'
import { PACKET_SAMPLES, SILENCE, packetSamples } from './opus.ts'

/** Packets of 20 ms (CELT, one frame) of any length up to what Opus allows. */
const packet = fc.uint8Array({ minLength: 0, maxLength: 1275 }).map((rest) => Uint8Array.of(0xf8, ...rest))
const packets = fc.array(packet, { minLength: 1, maxLength: 130 })

describe('an Ogg Opus file', () => {
  it('gives back the packets it was made of', () => {
    fc.assert(
      fc.property(packets, (given) => {
        const parsed = parseOggOpus(muxOggOpus({ packets: given }))
        expect(parsed.ok && parsed.stream.packets.map((each) => [...each])).toEqual(given.map((each) => [...each]))
      }),
      { numRuns: 50 }
    )
  })

  it('lasts 20 ms a packet less the pre-skip', () => {
    const parsed = parseOggOpus(muxOggOpus({ packets: Array<Uint8Array>(100).fill(SILENCE), preSkip: 312 }))
    expect(parsed.ok && parsed.stream.durationMs).toBe(2000 - 6.5)
  })

  it('is refused when it was cut anywhere', () => {
    const file = muxOggOpus({ packets: Array.from({ length: 120 }, () => new Uint8Array(40).fill(0xf8)) })
    for (let length = 0; length < file.length; length++) expect(parseOggOpus(file.subarray(0, length)).ok).toBe(false)
    expect(parseOggOpus(file).ok).toBe(true)
  })

  it('is refused when any bit was turned', () => {
    const file = muxOggOpus({ packets: Array.from({ length: 3 }, () => new Uint8Array(20).fill(0xf8)) })
    fc.assert(
      fc.property(fc.nat(file.length * 8 - 1), (bit) => {
        const damaged = Uint8Array.from(file)
        damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        return !parseOggOpus(damaged).ok
      })
    )
  })

  it('is refused with anything behind it', () => {
    const file = muxOggOpus({ packets: [SILENCE] })
    expect(parseOggOpus(Buffer.concat([file, file]))).toEqual({ ok: false, reason: 'more behind the last page' })
    expect(parseOggOpus(Buffer.concat([file, Uint8Array.of(0)])).ok).toBe(false)
  })

  it('is refused with packets that are not 20 ms', () => {
    const tenMs = Uint8Array.of(0xf0, 1, 2)
    expect(parseOggOpus(muxOggOpus({ packets: [tenMs] }))).toEqual({ ok: false, reason: 'a packet that is not 20 ms' })
  })

  it('is never found in other bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => !parseOggOpus(bytes).ok))
    expect(parseOggOpus(Buffer.from('<html>530</html>'))).toEqual({ ok: false, reason: 'cut short in a page header' })
  })
})

describe('packetSamples', () => {
  it.each([
    [[0xf8, 1], 960],
    [[0x78, 1], 960],
    [[0x08, 1], 960],
    [[0x18, 1], 2880],
    [[0xf9, 1, 1], 1920],
    [[0xfb, 3, 1], 2880],
    [[0xe3, 8, 1], 960],
    [[0x1b, 63], 0],
    [[], 0]
  ])('reads the first bytes %j as %i samples', (bytes, samples) => {
    expect(packetSamples(Uint8Array.from(bytes))).toBe(samples)
  })

  it('knows the silence packet as 20 ms', () => {
    expect(packetSamples(SILENCE)).toBe(PACKET_SAMPLES)
  })
})
