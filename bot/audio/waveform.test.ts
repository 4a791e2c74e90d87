import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toneOf } from './test-sound.ts'
import { levelsOf, waveformOf } from './waveform.ts'

const points = (waveform: string) => [...Buffer.from(waveform, 'base64')]

describe('the levels of packets', () => {
  it('follow the sound: loud, silent, half as loud', async () => {
    const levels = await levelsOf(toneOf(900, (ms) => (ms < 300 ? 0.8 : ms < 600 ? 0 : 0.4)))
    const mean = (from: number, to: number) => levels.slice(from, to).reduce((sum, level) => sum + level, 0) / (to - from)
    expect(levels.length).toBe(45)
    expect(mean(2, 14)).toBeGreaterThan(0.4)
    expect(mean(18, 29)).toBeLessThan(0.02)
    expect(mean(32, 44) / mean(2, 14)).toBeCloseTo(0.5, 1)
  })

  it('of what can’t be decoded are zero, and what follows has its own', async () => {
    const [first, ...rest] = toneOf(200, () => 0.5)
    const levels = await levelsOf([new Uint8Array(), new Uint8Array(3_999).fill(255), ...(first ? [first] : []), ...rest])
    expect(levels.slice(0, 2)).toEqual([0, 0])
    expect(levels.at(-1)).toBeGreaterThan(0.2)
  })

  it('of many recordings at once are each one’s own', async () => {
    const loud = toneOf(400, () => 0.9)
    const silent = toneOf(400, () => 0)
    const all = await Promise.all(Array.from({ length: 20 }, (_, index) => levelsOf(index % 2 ? loud : silent)))
    expect(all.map((levels) => (levels.at(-1) ?? 0) > 0.3)).toEqual(all.map((_, index) => index % 2 === 1))
  })
})

describe('a waveform', () => {
  it('has a point each 100 ms, the loudest of them 255', () => {
    const levels = [...Array<number>(5).fill(0.2), ...Array<number>(5).fill(0.1), ...Array<number>(5).fill(0)]
    expect(points(waveformOf(levels))).toEqual([255, 128, 0])
  })

  it('does not draw silence as noise', () => {
    expect(points(waveformOf(Array<number>(50).fill(0.0001)))).toEqual(Array(10).fill(3))
  })

  it('has 1 to 256 points, whatever the length, and the loudest is 255', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 1, maxLength: 4_000 }), (levels) => {
        const drawn = points(waveformOf(levels))
        return drawn.length >= 1 && drawn.length <= 256 && Math.max(...drawn) === 255
      }),
      { numRuns: 60 }
    )
  })
})
