import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NodeHealth } from './health.ts'
import type { PoolNode } from './node.ts'
import { loadOf, pickNode } from './pick.ts'

function node(serverId: string, given: Partial<PoolNode> = {}): PoolNode {
  return {
    serverId, tag: serverId, color: '', label: '', apiUrl: `https://${serverId}.example`, enabled: true, capacity: 10, concurrency: 1, activeCount: 0,
    ageMs: 1000, seenAtMs: 0, health: { state: 'ready' }, stateSinceMs: 0, draining: false, inFlight: 0, busyUntilMs: 0, latency: undefined, voices: undefined, about: undefined, faults: [], ...given
  }
}

const resting = (answered: boolean): NodeHealth => ({ state: 'resting', untilMs: 0, rest: undefined as never, answered })

const health: fc.Arbitrary<NodeHealth> = fc.constantFrom<NodeHealth>(
  { state: 'joining', sinceMs: 0 }, { state: 'ready' }, { state: 'suspect', faults: 1 }, resting(true), resting(false), { state: 'gone' }
)
const pool = fc
  .array(fc.record({ health, capacity: fc.integer({ min: 1, max: 50 }), activeCount: fc.option(fc.nat(80), { nil: undefined }), inFlight: fc.nat(3), ageMs: fc.nat(200_000), draining: fc.boolean() }))
  .map((given) => given.map((each, index) => node(`n${index}`, each as Partial<PoolNode>)))

describe('the choice of a node', () => {
  it('never falls on one that is gone, being emptied, resting without an answer, or excluded', () => {
    fc.assert(
      fc.property(pool, fc.array(fc.nat(10)), (nodes, excluded) => {
        const exclude = new Set(excluded.map((index) => `n${index}`))
        const picked = pickNode(nodes, { exclude })
        if (picked === undefined) return true
        const { state } = picked.health
        return state !== 'gone' && !picked.draining && !exclude.has(picked.serverId) && !(picked.health.state === 'resting' && (!picked.health.answered || picked.inFlight > 0))
      })
    )
  })

  it('never falls on one that has no voice, since it is there for other services', () => {
    expect(pickNode([node('mute', { voices: [] }), node('speaks', { activeCount: 9 })])?.serverId).toBe('speaks')
    expect(pickNode([node('mute', { voices: [] })])).toBeUndefined()
  })

  it('always falls on somebody while anybody can be asked', () => {
    fc.assert(fc.property(pool, (nodes) => nodes.every(({ draining, health: { state } }) => draining || state === 'gone' || state === 'resting') || pickNode(nodes) !== undefined))
  })

  it('falls on the least loaded of those that work, and never on a full one while there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat(80)), { minLength: 1 }), (given) => {
        const nodes = given.map(([capacity, activeCount], index) => node(`n${index}`, { capacity, activeCount }))
        const picked = pickNode(nodes)
        return picked !== undefined && loadOf(picked) === Math.min(...nodes.map((each) => loadOf(each)))
      })
    )
  })

  it('counts what this bot assigned since the list', () => {
    const nodes = [node('a', { activeCount: 2 }), node('b', { activeCount: 3 })]
    expect(pickNode(nodes)?.serverId).toBe('a')
    expect(pickNode(nodes, { corrections: new Map([['a', 4]]) })?.serverId).toBe('b')
    expect(pickNode(nodes, { corrections: new Map([['b', -2]]) })?.serverId).toBe('b')
  })

  it('takes an unknown load for neither empty nor full', () => {
    const unknown = node('unknown', { activeCount: undefined as never })
    expect(pickNode([unknown, node('busy', { activeCount: 9 })])?.serverId).toBe('busy')
    expect(pickNode([unknown, node('full', { activeCount: 10 })])?.serverId).toBe('unknown')
  })

  it('breaks ties at random, not by order', () => {
    const nodes = [node('a'), node('b'), node('c')]
    const picked = new Set(Array.from({ length: 100 }, () => pickNode(nodes)?.serverId))
    expect(picked).toEqual(new Set(['a', 'b', 'c']))
  })

  it('draws by room where other bots do the same: the emptier the likelier, and a full one never', () => {
    const nodes = [node('empty'), node('half', { activeCount: 5 }), node('full', { activeCount: 10 })]
    const picked = Array.from({ length: 1000 }, (_, index) => pickNode(nodes, { shared: true, random: () => (index * 0.618034) % 1 })?.serverId)
    const share = (serverId: string) => picked.filter((each) => each === serverId).length / picked.length
    expect(share('empty')).toBeCloseTo(0.8, 1)
    expect(share('half')).toBeCloseTo(0.2, 1)
    expect(share('full')).toBe(0)
  })

  it('prefers one that works and beats to one that is unsteady or stale, however empty', () => {
    const works = node('works', { activeCount: 9 })
    expect(pickNode([node('unsteady', { health: { state: 'suspect', faults: 1 } }), works])?.serverId).toBe('works')
    expect(pickNode([node('stale', { ageMs: 200_000 }), works])?.serverId).toBe('works')
  })

  it('uses stale nodes when all are: the whole pool is never thrown away', () => {
    expect(pickNode([node('a', { ageMs: 200_000 }), node('b', { ageMs: 300_000 })])).toBeDefined()
  })

  it('passes over nodes that are known to lack the voice', () => {
    const voice = { id: 'ja-1', name: 'One', language: 'ja', engine: 'x' }
    const nodes = [node('without', { voices: [] }), node('with', { voices: [voice], activeCount: 9 })]
    expect(pickNode(nodes, { voice: 'ja-1' })?.serverId).toBe('with')
    expect(pickNode([nodes[0]!], { voice: 'ja-1' })).toBeUndefined()
    expect(pickNode([node('silent')], { voice: 'ja-1' })?.serverId).toBe('silent')
  })
})
