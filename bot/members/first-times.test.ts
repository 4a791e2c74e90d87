import { expect, it } from 'vitest'
import { createFirstTimes } from './first-times.ts'

it('is a first time once, until so much else has happened that it is forgotten', () => {
  const isFirstTime = createFirstTimes(2)
  expect(['a', 'a', 'b', 'a', 'c', 'b', 'a'].map(isFirstTime)).toEqual([true, false, true, false, true, false, true])
})
