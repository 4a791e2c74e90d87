import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { createNaming } from './naming.ts'

describe('the name before what somebody says', () => {
  it('is due at their first words, and not again within 60 s', async () => {
    const clock = manualClock()
    const naming = createNaming(clock)
    expect(naming.isDue('g', 'mina')).toBe(true)
    naming.named('g', 'mina')
    await clock.advance(59_999)
    expect(naming.isDue('g', 'mina')).toBe(false)
    await clock.advance(1)
    expect(naming.isDue('g', 'mina')).toBe(true)
  })

  it('is due again when somebody else spoke in between', () => {
    const naming = createNaming(manualClock())
    naming.named('g', 'mina')
    naming.named('g', 'haru')
    expect([naming.isDue('g', 'mina'), naming.isDue('g', 'haru')]).toEqual([true, false])
  })

  it('is each server’s own, and due again when it was not heard', () => {
    const naming = createNaming(manualClock())
    naming.named('g', 'mina')
    expect([naming.isDue('g', 'mina'), naming.isDue('other', 'mina')]).toEqual([false, true])
    naming.forget('g')
    expect(naming.isDue('g', 'mina')).toBe(true)
  })
})
