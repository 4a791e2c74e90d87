import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterFault, afterProbe, afterSuccess, isUsable, wantsProbe } from './health.ts'
import type { NodeHealth } from './health.ts'

const ready: NodeHealth = { state: 'ready' }

describe('what the bot knows of a node', () => {
  it.each(['NODE_UNREACHABLE', 'NODE_RESET', 'NODE_SILENT', 'NODE_UNAUTHORIZED'] as const)('rests at once after %s', (code) => {
    expect(afterFault(ready, code, 0, false)).toMatchObject({ state: 'resting', answered: false })
  })

  it('rests after the third bad answer in a row, not before', () => {
    const first = afterFault(ready, 'NODE_STATUS', 0, false)
    const second = afterFault(first, 'NODE_BAD_REPLY', 0, false)
    expect([first.state, second.state, afterFault(second, 'NODE_STATUS', 0, false).state]).toEqual(['suspect', 'suspect', 'resting'])
    expect(afterFault(afterSuccess(), 'NODE_STATUS', 0, false)).toEqual({ state: 'suspect', faults: 1 })
  })

  it('never sends the last usable node to rest', () => {
    let health: NodeHealth = ready
    for (let fault = 0; fault < 20; fault++) health = afterFault(health, 'NODE_UNREACHABLE', 0, true)
    expect(isUsable(health, 3)).toBe(true)
  })

  it('keeps a new node that does not resolve yet joining, not dead', () => {
    expect(afterFault({ state: 'joining' }, 'NODE_UNRESOLVED', 0, false)).toEqual({ state: 'joining' })
    expect(afterFault(ready, 'NODE_UNRESOLVED', 0, false).state).toBe('resting')
  })

  it('lets a resting node be tried only after its time, an answer, and one request at a time', () => {
    const rested = afterFault(ready, 'NODE_SILENT', 1000, false)
    if (rested.state !== 'resting') throw new Error('must rest')
    expect(isUsable(rested, 0)).toBe(false)
    expect(wantsProbe(rested, rested.untilMs - 1)).toBe(false)
    expect(wantsProbe(rested, rested.untilMs)).toBe(true)
    const answered = afterProbe(rested, true, rested.untilMs)
    expect([isUsable(answered, 0), isUsable(answered, 1), answered.state]).toEqual([true, false, 'resting'])
  })

  it('never replaces a longer rest by a shorter one', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(5_000)), { minLength: 1, maxLength: 30 }), (steps) => {
        let nowMs = 0
        let health: NodeHealth = afterFault(ready, 'NODE_RESET', nowMs, false)
        for (const [probe, laterMs] of steps) {
          nowMs += laterMs
          const before = health.state === 'resting' ? health.untilMs : 0
          health = probe ? afterProbe(health, false, nowMs) : afterFault(health, 'NODE_RESET', nowMs, false)
          if (health.state !== 'resting' || health.untilMs < before || health.untilMs - nowMs > 60_000 + 1) return false
        }
        return true
      })
    )
  })

  it('stays gone whatever a late answer says', () => {
    expect(afterFault({ state: 'gone' }, 'NODE_RESET', 0, false)).toEqual({ state: 'gone' })
    expect(isUsable({ state: 'gone' }, 0)).toBe(false)
  })
})
