import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { speedFactor } from './speed.ts'

describe('how fast a message is read', () => {
  it.each([
    [0, 1],
    [8_000, 1],
    [24_000, 1.3],
    [40_000, 1.6],
    [1e9, 1.6],
    [-5, 1]
  ])('with %i ms before it: %f', (queuedMs, factor) => {
    expect(speedFactor(queuedMs)).toBe(factor)
  })

  it('is bounded, in steps of a tenth, and never slower for more', () => {
    fc.assert(
      fc.property(fc.nat(100_000), fc.nat(100_000), (a, b) => {
        const [less, more] = [speedFactor(Math.min(a, b)), speedFactor(Math.max(a, b))]
        return less >= 1 && more <= 1.6 && less <= more && Number.isInteger(Math.round(less * 1e6) / 1e5)
      })
    )
  })
})
