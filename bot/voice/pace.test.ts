import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPace } from './pace.ts'

test('an estimate comes nearer to what texts really take here, whatever voice speaks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 250 }), fc.array(fc.string({ minLength: 5, maxLength: 60, unit: 'grapheme-ascii' }), { minLength: 20, maxLength: 40 }), (msPerLetter, texts) => {
      const pace = createPace()
      for (const text of texts) pace.learn(text, text.length * msPerLetter)
      expect(Math.abs(pace.estimateMs('abcdefghij') / 10 / msPerLetter - 1)).toBeLessThan(0.2)
    })
  )
})

test('Japanese takes twice as long a character', () => {
  const pace = createPace()
  expect(pace.estimateMs('ありがとう')).toBe(2 * pace.estimateMs('thank'))
})
