import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { createTurnstile } from './turnstile.ts'

function stand() {
  const clock = manualClock()
  const told: string[] = []
  const turnstile = createTurnstile<string>(clock, (who, isIn) => told.push(`${who} ${isIn ? 'came' : 'left'}`))
  return { clock, told, turnstile }
}

describe('who comes and goes', () => {
  it('is told of at once', () => {
    const { told, turnstile } = stand()
    turnstile.pass('a', true, 'Mina')
    turnstile.pass('b', false, 'Haru')
    expect(told).toEqual(['Mina came', 'Haru left'])
  })

  it('is told of once when they are back where they were within ten seconds', async () => {
    const { clock, told, turnstile } = stand()
    for (const isIn of [true, false, true, false, true]) turnstile.pass('a', isIn, 'Mina')
    await clock.advance(60_000)
    expect([told, clock.pending()]).toEqual([['Mina came'], 0])
  })

  it('is told of again after ten seconds when they are elsewhere by then', async () => {
    const { clock, told, turnstile } = stand()
    turnstile.pass('a', true, 'Mina')
    turnstile.pass('a', false, 'Mina')
    await clock.advance(9_999)
    expect(told).toEqual(['Mina came'])
    await clock.advance(1)
    expect(told).toEqual(['Mina came', 'Mina left'])
  })

  it('is told of at most once in ten seconds each, whatever they do, and the last word is right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(4_000), fc.boolean()), { minLength: 1, maxLength: 40 }), async (passes) => {
        const { clock, told, turnstile } = stand()
        for (const [pauseMs, isIn] of passes) {
          await clock.advance(pauseMs)
          turnstile.pass('a', isIn, 'Mina')
        }
        const lastedMs = clock.monotonic()
        await clock.advance(30_000)
        expect(told.length).toBeLessThanOrEqual(2 + lastedMs / 10_000)
        expect(told.at(-1)).toBe(`Mina ${passes.at(-1)?.[1] === true ? 'came' : 'left'}`)
      }),
      { numRuns: 50 }
    )
  })

  it('leaves no timer when it is closed', () => {
    const { clock, turnstile } = stand()
    turnstile.pass('a', true, 'Mina')
    turnstile.close()
    expect(clock.pending()).toBe(0)
  })
})
