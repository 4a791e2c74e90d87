import { describe, expect, it } from 'vitest'
import { live } from './live.ts'

describe('300 messages that people post to hurt', () => {
  it('are each counted once, with the right reason where it is known beforehand', async () => {
    const { posted, results, expected, notices, faults } = await live({ seed: 3, messages: 300, servers: 4, underWayMax: 60 })
    const { own = 0, ...others } = results
    expect([posted, Object.values(others).reduce((sum, count) => sum + count, 0), own]).toEqual([300, 300, notices])
    expect(results).toMatchObject(expected)
    expect(results['heard']).toBeGreaterThan(50)
    expect(faults['BUG']).toBeUndefined()
  })
})
