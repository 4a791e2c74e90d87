import { beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../core/manual-clock.ts'
import type { ManualClock } from '../../core/manual-clock.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { createEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { followPool } from './follow-pool.ts'
import type { Follower } from './follow-pool.ts'
import { RESTING, poolNodeOf } from './test-pool-node.ts'

let clock: ManualClock
let events: EventLog
let nodes: PoolNode[]
let listAgeMs: number
let follower: Follower

beforeEach(() => {
  clock = manualClock(1_000_000)
  events = createEventLog(clock)
  listAgeMs = 0
})

function follow(...given: PoolNode[]) {
  nodes = given
  follower = followPool({ nodes: () => nodes, listAgeMs: () => listAgeMs, events, clock })
}

/** What has been written since, the oldest first. */
async function after(change: () => void): Promise<string[]> {
  const before = events.list().length
  change()
  await clock.advance(999)
  return events.list().slice(0, events.list().length - before).map(({ kind, node, code }) => [kind, node?.label, code].filter((part) => part !== undefined).join(' ')).reverse()
}

const set = (given: Partial<PoolNode>, index = 0) => () => void (nodes[index] = { ...nodes[index]!, ...given })

describe('the event log', () => {
  it('does not tell of what there was at the start', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b', { health: RESTING }), poolNodeOf('c', { ageMs: 100_000 }))
    expect(await after(() => undefined)).toEqual([])
  })

  it('tells who comes and goes, and when they can speak', async () => {
    follow(poolNodeOf('a'))
    expect(await after(() => nodes.push(poolNodeOf('b', { health: { state: 'joining', sinceMs: 0 } })))).toEqual(['node_joined Node b'])
    expect(await after(set({ health: { state: 'ready' } }, 1))).toEqual(['node_ready Node b'])
    expect(await after(() => nodes.pop())).toEqual(['node_left Node b'])
    expect(await after(() => nodes.push(poolNodeOf('c')))).toEqual(['node_joined Node c', 'node_ready Node c'])
  })

  it('tells when a node rests, with the fault that sent it there, and when it is back; not each unsteady moment', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b'))
    expect(await after(set({ health: { state: 'suspect', faults: 1 } }))).toEqual([])
    expect(await after(set({ health: { state: 'ready' } }))).toEqual([])
    const atMs = clock.now()
    expect(await after(set({ health: RESTING, stateSinceMs: atMs, faults: [{ code: 'NODE_RESET', atMs }] }))).toEqual(['node_resting Node a NODE_RESET'])
    expect(await after(set({ health: { state: 'ready' } }))).toEqual(['node_ready Node a'])
    expect(await after(set({ health: RESTING, stateSinceMs: clock.now() + 60_000 }))).toEqual(['node_resting Node a'])
  })

  it('tells what people decide of a node', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b'))
    expect(await after(set({ draining: true }))).toEqual(['node_draining Node a'])
    expect(await after(set({ draining: false, enabled: false, health: { state: 'gone' } }))).toEqual(['node_disabled Node a'])
    expect(await after(set({ enabled: true, health: { state: 'joining', sinceMs: 0 } }))).toEqual(['node_enabled Node a'])
    expect(await after(set({ health: { state: 'ready' } }))).toEqual(['node_ready Node a'])
    expect(await after(set({ draining: true }))).toEqual(['node_draining Node a'])
    expect(await after(set({ draining: false }))).toEqual(['node_enabled Node a'])
  })

  it('tells of a heartbeat that is missing, once', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b'))
    expect(await after(set({ ageMs: 90_001 }))).toEqual(['node_stale Node a'])
    expect(await after(set({ ageMs: 110_000 }))).toEqual([])
    expect(await after(set({ ageMs: 1_000 }))).toEqual([])
    expect(await after(set({ ageMs: 95_000 }))).toEqual(['node_stale Node a'])
    expect(await after(set({ ageMs: 95_000, enabled: false }))).toEqual(['node_disabled Node a'])
  })

  it('takes a node that said goodbye for one that has left, though its row is kept', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b'), poolNodeOf('c', { health: { state: 'gone' }, apiUrl: null, ageMs: Infinity, seenAtMs: undefined }))
    expect(await after(set({ health: { state: 'gone' }, apiUrl: null, ageMs: Infinity, seenAtMs: undefined }))).toEqual(['node_left Node a'])
    expect(await after(set({ enabled: false }))).toEqual([])
    expect(await after(set({ enabled: true, health: { state: 'ready' }, ageMs: 0, seenAtMs: 0 }))).toEqual(['node_joined Node a', 'node_ready Node a'])
  })

  it('tells when nobody can speak any more, and when somebody can again', async () => {
    follow(poolNodeOf('a'), poolNodeOf('b', { health: RESTING }))
    expect(await after(set({ health: RESTING }))).toEqual(['node_resting Node a', 'pool_down'])
    expect(await after(() => void (nodes = []))).toEqual(['node_left Node a', 'node_left Node b'])
    expect(await after(() => nodes.push(poolNodeOf('c')))).toEqual(['node_joined Node c', 'node_ready Node c', 'pool_back'])
  })

  it('does not call the first node of all a return', async () => {
    follow()
    expect(await after(() => nodes.push(poolNodeOf('a')))).toEqual(['node_joined Node a', 'node_ready Node a'])
  })

  it('tells when the registry is lost, and when it is back', async () => {
    follow()
    expect(await after(() => (listAgeMs = 90_001))).toEqual(['registry_lost'])
    expect(await after(() => (listAgeMs = 10))).toEqual(['registry_back'])
    listAgeMs = Infinity
    expect(await after(() => undefined)).toEqual([])
    await clock.advance(90_000)
    expect(events.list()[0]?.kind).toBe('registry_lost')
  })

  it('misses nothing that lasts a second', async () => {
    follow(poolNodeOf('a'))
    for (let offsetMs = 0; offsetMs < 1_000; offsetMs += 137) {
      await clock.advance(offsetMs)
      const before = events.list().length
      set({ health: RESTING })()
      await clock.advance(1_000)
      set({ health: { state: 'ready' } })()
      await clock.advance(1_000)
      expect(events.list().slice(0, events.list().length - before).map(({ kind }) => kind)).toEqual(['pool_back', 'node_ready', 'pool_down', 'node_resting'])
    }
  })

  it('keeps the newest hundred, each with a number of its own', () => {
    follow()
    for (let index = 0; index < 150; index++) events.add({ kind: 'registry_back' })
    const ids = events.list().map(({ id }) => id)
    expect([ids.length, ids[0], ids[99]]).toEqual([100, 150, 51])
  })

  it('knows since when a node is in the state that is shown', async () => {
    follow(poolNodeOf('a', { stateSinceMs: 400_000 }))
    const since = () => follower.sinceOf(nodes[0]!)
    expect(since()).toBe(400_000)
    await clock.advance(10_000)
    const drainedMs = clock.now()
    set({ draining: true })()
    follower.look()
    expect(since()).toBe(drainedMs)
    await clock.advance(5_000)
    expect(since()).toBe(drainedMs)
    set({ draining: false, health: RESTING, stateSinceMs: clock.now() })()
    await clock.advance(400)
    follower.look()
    expect(since()).toBe(nodes[0]!.stateSinceMs)
  })
})
