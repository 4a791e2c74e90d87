import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { closingOf } from './closing.ts'
import { createTries } from './tries.ts'
import { createWishes } from './wishes.ts'

describe('the tries to connect', () => {
  it('are five, each after about twice as long, never all at once', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 6, maxLength: 6 }), (chances) => {
        let drawn = 0
        const tries = createTries(manualClock(), () => chances[drawn++] ?? 0)
        const all = Array.from({ length: 6 }, () => tries.next())
        expect(all.map((each) => each?.attempt)).toEqual([1, 2, 3, 4, 5, undefined])
        for (const [index, wholeMs] of [300, 600, 1_200, 2_400, 4_800].entries()) {
          expect(all[index]?.delayMs).toBeGreaterThanOrEqual(wholeMs / 2)
          expect(all[index]?.delayMs).toBeLessThanOrEqual(wholeMs)
        }
      })
    )
  })

  it('are forgotten once the connection has held for half a minute, not when it only came up', async () => {
    const clock = manualClock()
    const tries = createTries(clock, () => 0)
    tries.next()
    tries.isUp()
    await clock.advance(29_000)
    expect(tries.next()?.attempt).toBe(2)
    tries.isUp()
    await clock.advance(30_000)
    expect(tries.next()?.attempt).toBe(1)
  })
})

describe('a close code', () => {
  it.each([
    [4017, { kind: 'final', reason: 'encryption' }],
    [4021, { kind: 'final', reason: 'rateLimited' }],
    [4022, { kind: 'final', reason: 'callEnded' }],
    [4014, { kind: 'displaced' }],
    [4006, { kind: 'again', fresh: true }],
    [4009, { kind: 'again', fresh: true }],
    [4015, { kind: 'again', fresh: false }],
    [1006, { kind: 'again', fresh: false }]
  ])('%i means what it means', (code, closing) => {
    expect(closingOf(code)).toEqual(closing)
  })
})

describe('wishes to join and leave', () => {
  it('are never more than 120 in a minute, however many come, and each has its turn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ count: fc.integer({ min: 1, max: 2 }), afterMs: fc.integer({ min: 0, max: 2_000 }) }), { minLength: 1, maxLength: 400 }), async (asked) => {
        const clock = manualClock()
        const wishes = createWishes(clock)
        const usedAtMs: number[] = []
        for (const { count, afterMs } of asked) {
          await clock.advance(afterMs)
          const atMs = clock.monotonic() + wishes.reserve(count)
          usedAtMs.push(...Array<number>(count).fill(atMs))
        }
        for (const [index, atMs] of usedAtMs.entries()) expect(usedAtMs[index + 120] ?? Infinity).toBeGreaterThan(atMs + 60_000)
      }),
      { numRuns: 20 }
    )
  })

  it('wait for nothing while there are few', () => {
    const wishes = createWishes(manualClock())
    expect(Array.from({ length: 50 }, () => wishes.reserve(1))).toEqual(Array(50).fill(0))
    expect(wishes.reserve(1)).toBe(1_000)
  })
})
