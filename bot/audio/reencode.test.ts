import { describe, expect, it } from 'vitest'
import { packetSamples, PACKET_SAMPLES } from './opus.ts'
import { reencode } from './reencode.ts'
import { toneOf } from './test-sound.ts'
import { levelsOf } from './waveform.ts'

const weigh = (packets: readonly Uint8Array[]) => packets.reduce((sum, { length }) => sum + length, 0)
const loudness = (ms: number) => (ms % 1000 < 500 ? 0.7 : 0.1)

describe('encoding anew', () => {
  it.each([24_000, 16_000, 12_000])('at %i bits a second is as long, not larger than that, and sounds alike', async (bitrate) => {
    const before = toneOf(3_000, loudness, 64_000)
    const after = await reencode(before, bitrate)
    expect(after.length).toBe(before.length + 1)
    expect(after.every((packet) => packetSamples(packet) === PACKET_SAMPLES)).toBe(true)
    expect((weigh(after) * 8) / 3).toBeLessThan(bitrate * 1.1)
    const [was, is] = [await levelsOf(before), await levelsOf(after)]
    const off = was.map((level, index) => Math.abs(level - (is[index] ?? 0)))
    expect(off.reduce((sum, each) => sum + each, 0) / off.length).toBeLessThan(0.03)
  })

  it('puts silence where a packet can’t be decoded', async () => {
    const after = await reencode([Uint8Array.of(0xff), ...toneOf(100, () => 0.5)], 24_000)
    expect(after.length).toBe(7)
    expect((await levelsOf(after))[0]).toBeLessThan(0.01)
  })

  it('leaves time in between: other work goes on', async () => {
    let turns = 0
    const turn = () => {
      turns += 1
      immediate = setImmediate(turn)
    }
    let immediate = setImmediate(turn)
    await reencode(toneOf(2_000, () => 0.5), 16_000)
    clearImmediate(immediate)
    expect(turns).toBeGreaterThanOrEqual(9)
  })
})
