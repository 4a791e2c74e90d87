import { describe, expect, it } from 'vitest'
import type { PoolNode } from '../../nodes/node.ts'
import type { Figures } from '../measure.ts'
import type { Snapshot } from './snapshot.ts'
import { takeSnapshot } from './take-snapshot.ts'
import type { SnapshotSource } from './take-snapshot.ts'
import { RESTING, poolNodeOf } from './test-pool-node.ts'

const SOURCE: SnapshotSource = {
  version: '1', nowMs: 10_000, startedAtMs: 1_000, uptimeMs: 9_000, nodes: [], listAgeMs: 200, sinceOf: ({ stateSinceMs }) => stateSinceMs,
  figuresOf: () => ({ medianS: undefined, slowS: undefined, good: 0, bad: 0 }), readings: [], sessions: new Map(), paths: [], isShown: () => true, services: { inFlight: 0, waiting: 0 }, points: [], events: []
}
const take = (source: Partial<SnapshotSource>) => takeSnapshot({ ...SOURCE, ...source })
const nodesOf = (...given: Partial<PoolNode>[]) => given.map((each, index) => poolNodeOf(`n${String(index)}`, each))

const OFF = { enabled: false, health: { state: 'gone' } } satisfies Partial<PoolNode>
const TRIAL = { health: { ...RESTING, answered: true } as PoolNode['health'] }

const STATES: readonly (readonly [what: string, nodes: Partial<PoolNode>[], state: Snapshot['state']])[] = [
  ['no nodes', [], 'empty'],
  ['one that is well', [{}], 'ok'],
  ['one that was not heard yet', [{ health: { state: 'joining', sinceMs: 0 } }], 'down'],
  ['one of two that was not heard yet', [{}, { health: { state: 'joining', sinceMs: 0 } }], 'degraded'],
  ['one that has failed a little', [{ health: { state: 'suspect', faults: 2 } }], 'ok'],
  ['one that is asked for want of another', [{ health: { state: 'suspect', faults: 3 } }], 'down'],
  ['one that speaks, and one for other services', [{}, { voices: [] }], 'ok'],
  ['one for other services', [{ voices: [] }], 'down'],
  ['one on trial', [TRIAL], 'ok'],
  ['one of two that rests', [{}, { health: RESTING }], 'degraded'],
  ['one of two without an address', [{}, { apiUrl: null, health: { state: 'gone' } }], 'degraded'],
  ['one of two that is disabled', [{}, OFF], 'ok'],
  ['one of two that is being emptied', [{}, { draining: true }], 'ok'],
  ['all resting', [{ health: RESTING }, { health: RESTING }], 'down'],
  ['all disabled', [OFF, OFF], 'down'],
  ['the last one being emptied', [OFF, { draining: true }], 'down']
]

describe('the snapshot', () => {
  it.each(STATES)('says how the pool is with %s', (_, nodes, state) => {
    expect(take({ nodes: nodesOf(...nodes) }).state).toBe(state)
  })

  it.each([
    ['disabled', { ...OFF, draining: true }], ['draining', { draining: true, health: RESTING }], ['joining', { health: { state: 'joining', sinceMs: 0 } }], ['ready', {}],
    ['suspect', { health: { state: 'suspect', faults: 1 }, ageMs: 91_000 }], ['resting', { health: RESTING, ageMs: 91_000 }], ['trial', TRIAL], ['gone', { health: { state: 'gone' } }], ['stale', { ageMs: 91_000 }]
  ] satisfies [string, Partial<PoolNode>][])('shows a node as %s', (state, given) => {
    const [node] = take({ nodes: nodesOf(given) }).nodes
    expect([node?.state, node?.isStale]).toEqual([state, 'ageMs' in given ? true : undefined])
  })

  it('shows a node with all that is known of it, by a tag', () => {
    const faults = [{ code: 'NODE_RESET', atMs: 9_000 }]
    const nodes = nodesOf({ about: { engine: 'kokoro', version: '2' }, voices: [{ id: 'a', name: 'A', language: 'en', engine: 'kokoro' }], inFlight: 5, concurrency: 2, faults })
    const figuresOf = () => ({ medianS: 0.1234, slowS: 1.5, good: 1, bad: 0 })
    expect(take({ nodes, figuresOf }).nodes).toEqual([
      {
        id: 'tag-of-n0', label: 'Node n0', color: '#e64980', engine: 'kokoro', voices: 1, state: 'ready', speaks: true, stateSince: 500, members: 3, capacity: 10, inFlight: 5, concurrency: 2, p50Ms: 123, p95Ms: 1500, ageMs: 1200,
        faults: [{ code: 'NODE_RESET', at: 9_000 }], isAlone: true
      }
    ])
    expect(take({ nodes, figuresOf }).waiting).toBe(2)
  })

  it('gives what it does not know as null, and calls a node without a name and a colour by its tag', () => {
    const [node] = take({ nodes: nodesOf({ label: ' ', color: '', activeCount: undefined, ageMs: Infinity, seenAtMs: undefined }) }).nodes
    expect(node).toMatchObject({ label: '#tag-of', color: '#8c929c', engine: null, voices: null, members: null, p50Ms: null, p95Ms: null, ageMs: null })
    expect(take({ nodes: nodesOf({ color: 'Pink' }, { color: '#ABCDEF' }) }).nodes.map(({ color }) => color)).toEqual(['#e64980', '#abcdef'])
  })

  it('puts the enabled ones first, then goes by name, as people count', () => {
    const nodes = nodesOf({ label: 'b 10' }, { label: 'a', ...OFF }, { label: 'b 9' }, { label: 'A' }, { label: 'ん' })
    const labels = (given: PoolNode[]) => take({ nodes: given }).nodes.map(({ label }) => label)
    expect(labels(nodes)).toEqual(['A', 'b 9', 'b 10', 'ん', 'a'])
    expect(labels(nodes.toReversed())).toEqual(labels(nodes))
  })

  it('says which nodes can’t be emptied', () => {
    const alone = (...given: Partial<PoolNode>[]) => take({ nodes: nodesOf(...given) }).nodes.filter(({ isAlone }) => isAlone).map(({ label }) => label)
    expect(alone({}, {})).toEqual([])
    expect(alone({}, OFF)).toEqual(['Node n0'])
    expect(alone({}, { draining: true })).toEqual(['Node n0'])
    expect(alone({}, { health: RESTING })).toEqual(['Node n0'])
    expect(alone({ health: { state: 'suspect', faults: 3 } })).toEqual([])
  })

  it('says how old the registry’s list is', () => {
    expect(take({ listAgeMs: 90_000 }).registry).toEqual({ ageMs: 90_000, isStale: false })
    expect(take({ listAgeMs: 90_001 }).registry).toEqual({ ageMs: 90_001, isStale: true })
    expect(take({ listAgeMs: Infinity, uptimeMs: 90_000 }).registry).toEqual({ ageMs: null, isStale: false })
    expect(take({ listAgeMs: Infinity, uptimeMs: 90_001 }).registry).toEqual({ ageMs: null, isStale: true })
  })

  it('counts servers that are being read to once, and only where the bot is there', () => {
    const readings = [['g1', 't1', 'v1'], ['g1', 't2', 'v1'], ['g2', 't3', 'v2'], ['g3', 't4', 'v3']].map(([guildId = '', textChannelId = '', voiceChannelId = '']) => ({ guildId, textChannelId, voiceChannelId }))
    expect(take({ readings, sessions: new Map([['g1', 'v1'], ['g2', 'elsewhere'], ['g4', 'v4']]) })).toMatchObject({ reading: 1, speaking: 3 })
  })

  it('shows the busiest paths of others, twenty at most', () => {
    const figures = (name: string, requests: Record<string, number>, count: number): Figures => {
      const took = { count, p50Ms: 1.26, p95Ms: 2, p99Ms: 3 }
      return { name, inFlight: 1, requests, failures: {}, took: () => took, queued: () => ({ ...took, count: 0 }) }
    }
    const paths = [figures('page', { '2xx': 900 }, 9), figures('/v1/a', { '2xx': 1 }, 0), ...Array.from({ length: 30 }, (_, index) => figures(`/v1/x${String(index)}`, { '2xx': index + 1, '4xx': 1, '5xx': 2 }, 1))]
    const shown = take({ paths, isShown: (name) => name.startsWith('/v1/') }).paths
    expect([shown.length, shown[19]?.name]).toEqual([20, '/v1/x10'])
    expect(shown[0]).toEqual({ name: '/v1/x29', inFlight: 1, requests: 33, failed: 2, p50Ms: 1.3, p95Ms: 2, p99Ms: 3, queueP95Ms: null })
    expect(take({ paths: paths.slice(0, 2) }).paths[1]).toMatchObject({ p50Ms: null, p95Ms: null })
  })

  it('adds up what is under way and what waits, of speech and of services', () => {
    expect(take({ nodes: nodesOf({ inFlight: 1 }, { inFlight: 4 }), services: { inFlight: 7, waiting: 3 } })).toMatchObject({ inFlight: 12, waiting: 5 })
  })
})
