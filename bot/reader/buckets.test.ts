import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { createBuckets } from './buckets.ts'

describe('a bucket', () => {
  it('gives its burst, then one for each refill', async () => {
    const clock = manualClock()
    const buckets = createBuckets({ clock, burst: 3, refillMs: 1_000 })
    const takes = (count: number) => Array.from({ length: count }, () => buckets.take('a').taken)
    expect(takes(5)).toEqual([true, true, true, false, false])
    await clock.advance(1_000)
    expect(takes(2)).toEqual([true, false])
    expect(buckets.take('b').taken).toBe(true)
  })

  it('says once that it is empty, until it was full again', async () => {
    const clock = manualClock()
    const buckets = createBuckets({ clock, burst: 2, refillMs: 1_000 })
    const refusals = (count: number) => Array.from({ length: count }, () => buckets.take('a').firstRefusal)
    expect(refusals(4)).toEqual([false, false, true, false])
    await clock.advance(1_000)
    expect(refusals(3)).toEqual([false, false, false])
    await clock.advance(2_000)
    expect(refusals(3)).toEqual([false, false, true])
  })

  it('forgets the least lately used beyond its bound', () => {
    const buckets = createBuckets({ clock: manualClock(), burst: 1, refillMs: 1_000, keysMax: 2 })
    for (const key of ['a', 'b', 'a', 'c']) buckets.take(key)
    expect([buckets.take('a').taken, buckets.take('b').taken]).toEqual([false, true])
  })

  it('never gives more than its burst and what was refilled', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(3_000), { maxLength: 40 }), async (pausesMs) => {
        const clock = manualClock()
        const buckets = createBuckets({ clock, burst: 4, refillMs: 1_000 })
        let given = 0
        for (const pauseMs of pausesMs) {
          await clock.advance(pauseMs)
          if (buckets.take('a').taken) given += 1
        }
        expect(given).toBeLessThanOrEqual(4 + clock.monotonic() / 1_000)
      }),
      { numRuns: 50 }
    )
  })
})
