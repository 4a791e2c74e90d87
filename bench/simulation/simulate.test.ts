import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isUsable } from '../../bot/nodes/health.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { countDeaths } from './deaths.ts'
import { createPolicy } from './policy.ts'
import { seededRandom } from '../random.ts'
import { simulate } from './simulate.ts'
import { createTimeline } from './timeline.ts'

const scenario = { nodes: 10, members: 300, bots: 3, settledShare: 0.5, lastsMs: 5 * 60_000, seed: 3 }
const live = (seed = scenario.seed) => simulate({ ...scenario, seed }, (random) => createPolicy('ours', random))

describe('the simulation', () => {
  it('comes out the same for the same seed, and otherwise for another', () => {
    expect(live()).toEqual(live())
    expect(live(4)).not.toEqual(live())
  })

  it('lets every request of a member be served, whichever nodes die', () => {
    const { deaths, waitsMs, movesPerDeath } = live()
    expect(deaths).toBeGreaterThan(0)
    expect(movesPerDeath).toBeGreaterThan(0)
    expect(waitsMs.every((waitMs) => waitMs >= 0 && waitMs < scenario.lastsMs)).toBe(true)
  })

  it('sees a policy that crowds a node', () => {
    const first = (nodes: readonly PoolNode[], { exclude }: { exclude?: ReadonlySet<string> }) =>
      nodes.find((node) => exclude?.has(node.serverId) !== true && isUsable(node.health, node.inFlight))
    const crowding = simulate(scenario, () => ({ pick: first, pickNow: first }))
    expect(crowding.worstOverMean).toBeGreaterThan(2 * live().worstOverMean)
  })
})

describe('the count of deaths', () => {
  it('tells moves after a death from moves without one, and sees more moves than members', () => {
    const deaths = countDeaths()
    const there = () => true
    const gone = () => false
    deaths.given(undefined, 'a', there)
    deaths.given('a', 'b', there)
    expect(deaths.outcome()).toMatchObject({ deaths: 0, strayMoves: 1 })
    deaths.given(undefined, 'a', there)
    deaths.died('a')
    deaths.given('a', 'b', gone)
    expect(deaths.outcome()).toMatchObject({ deaths: 1, heldPerDeath: 1, movesPerDeath: 1, excessDeaths: 0, strayMoves: 1 })
    deaths.given('a', 'b', gone)
    expect(deaths.outcome()).toMatchObject({ movesPerDeath: 2, excessDeaths: 1 })
  })
})

describe('the timeline', () => {
  it('runs what is due in the order of time, then of asking, and no more', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(50), (delaysMs, endMs) => {
        const timeline = createTimeline()
        const ran: { delayMs: number; index: number }[] = []
        delaysMs.forEach((delayMs, index) => timeline.after(delayMs, () => void ran.push({ delayMs, index })))
        timeline.runUntil(endMs)
        const due = delaysMs.map((delayMs, index) => ({ delayMs, index })).filter(({ delayMs }) => delayMs <= endMs)
        expect(ran).toEqual(due.sort((a, b) => a.delayMs - b.delayMs || a.index - b.index))
      })
    )
  })
})

describe('the seeded numbers', () => {
  it('are spread evenly between 0 and 1', () => {
    const random = seededRandom(1)
    const tenths = new Array<number>(10).fill(0)
    for (let drawn = 0; drawn < 10_000; drawn++) {
      const tenth = Math.floor(random() * 10)
      tenths[tenth] = (tenths[tenth] ?? NaN) + 1
    }
    expect(Math.min(...tenths)).toBeGreaterThan(850)
    expect(Math.max(...tenths)).toBeLessThan(1150)
  })
})
