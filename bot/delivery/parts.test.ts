import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { muxOggOpus } from '../audio/ogg.ts'
import { cutIntoParts } from './parts.ts'

const segment = (count: number, sizeBytes: number) => Array.from({ length: count }, (_, index) => new Uint8Array(sizeBytes).fill(index))

describe('a recording in parts', () => {
  it('is cut between segments where they fit', () => {
    const segments = [segment(50, 80), segment(50, 80), segment(50, 80)]
    expect(cutIntoParts(segments, 9_000, 10)?.map(({ length }) => length)).toEqual([100, 50])
  })

  it('is cut inside a segment that is too large by itself', () => {
    const parts = cutIntoParts([segment(10, 80), segment(200, 80)], 5_000, 10)
    expect(parts?.length).toBe(4)
    expect(parts?.flat().length).toBe(210)
  })

  it('is none when there would be too many, or a packet does not fit', () => {
    expect(cutIntoParts([segment(100, 100)], 1_000, 3)).toBeUndefined()
    expect(cutIntoParts([segment(1, 500)], 400, 10)).toBeUndefined()
  })

  it('has every packet once and in order, and no file over the limit', () => {
    const packets = fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(fc.array(packets, { minLength: 1, maxLength: 6 }), fc.integer({ min: 900, max: 20_000 }), (segments, limitBytes) => {
        const parts = cutIntoParts(segments, limitBytes, 1_000) ?? []
        expect(parts.flat()).toEqual(segments.flat())
        return parts.every((part) => part.length > 0 && muxOggOpus({ packets: part }).length <= limitBytes)
      }),
      { numRuns: 80 }
    )
  })
})
