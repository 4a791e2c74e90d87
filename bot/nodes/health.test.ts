import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { afterBadAnswer, afterFault, afterProbe, afterSuccess, isUsable, slowStart } from './health.ts'
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
    expect(afterFault(afterSuccess(second, 0), 'NODE_STATUS', 0, false)).toEqual({ state: 'suspect', faults: 1 })
  })

  it('never sends the last usable node to rest', () => {
    let health: NodeHealth = ready
    for (let fault = 0; fault < 20; fault++) health = afterFault(health, 'NODE_UNREACHABLE', 0, true)
    expect(isUsable(health, 3)).toBe(true)
  })

  it('keeps a new node that does not resolve yet joining, not dead', () => {
    expect(afterFault({ state: 'joining', sinceMs: 0 }, 'NODE_UNRESOLVED', 0, false)).toEqual({ state: 'joining', sinceMs: 0 })
    expect(afterFault(ready, 'NODE_UNRESOLVED', 0, false).state).toBe('resting')
  })

  it('lets a resting node be tried only after its time, an answer, and one request at a time', () => {
    const rested = afterFault(ready, 'NODE_SILENT', 1000, false)
    if (rested.state !== 'resting') throw new Error('must rest')
    expect(isUsable(rested, 0)).toBe(false)
    const answered = afterProbe(rested, true, rested.untilMs, false)
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
          health = probe ? afterProbe(health, false, nowMs, false) : afterFault(health, 'NODE_RESET', nowMs, false)
          if (health.state !== 'resting' || health.untilMs < before || health.untilMs - nowMs > 60_000 + 1) return false
        }
        return true
      })
    )
  })

  it('comes back through a good request, and then by slow start', () => {
    const rested = afterProbe(afterFault(ready, 'NODE_SILENT', 0, false), true, 5_000, false)
    const risen = afterSuccess(rested, 10_000)
    expect(risen).toEqual({ state: 'ready', risenMs: 10_000 })
    expect([10_000, 25_000, 40_000].map((nowMs) => Number(slowStart(risen, nowMs).toFixed(2)))).toEqual([0.1, 0.55, 1])
    expect(afterSuccess(risen, 20_000)).toEqual(risen)
    expect(afterSuccess(risen, 40_000)).toEqual({ state: 'ready' })
  })

  it('counts a probe that was not answered as a bad answer of a node in use, never of a new one', () => {
    expect(afterProbe(ready, false, 0, false)).toEqual({ state: 'suspect', faults: 1 })
    expect(afterProbe({ state: 'joining', sinceMs: 0 }, false, 0, false)).toEqual({ state: 'joining', sinceMs: 0 })
    expect(afterProbe({ state: 'joining', sinceMs: 0 }, false, 60_000, false).state).toBe('resting')
    expect(afterProbe({ state: 'joining', sinceMs: 0 }, true, 0, false)).toEqual({ state: 'ready' })
    expect(afterProbe({ state: 'suspect', faults: 2 }, true, 0, false)).toEqual({ state: 'suspect', faults: 2 })
    expect(afterBadAnswer({ state: 'suspect', faults: 2 }, 0, true).state).toBe('suspect')
  })

  it('stays gone whatever a late answer says', () => {
    expect(afterFault({ state: 'gone' }, 'NODE_RESET', 0, false)).toEqual({ state: 'gone' })
    expect(isUsable({ state: 'gone' }, 0)).toBe(false)
  })
})
