import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventView, HistoryPoint, Snapshot } from './snapshot.ts'
import { degraded, down, empty, hostile, many, snapshotOf, stale, staleEmpty, unlisted } from './test-snapshots.ts'

/** The page's modules are plain JavaScript, loaded here as the browser loads them. */
const load = async <Module>(name: string) => (await import(new URL(`site/${name}`, import.meta.url).href)) as Module

interface Slot { at: number; point: Omit<HistoryPoint, 'at'> | null }
interface Moment { wallMs: number; steadyMs: number }
interface State { snapshot: Snapshot | null; receivedAt: Moment; link: { lostAt: Moment | null } }
interface Speech { language: string }

const { slotsOf, rowsOf, totalsOf } = await load<{
  slotsOf: (history: Snapshot['history'], nowMs: number) => Slot[]
  rowsOf: (slots: Slot[]) => HistoryPoint[]
  totalsOf: (slots: Slot[]) => { isEmpty: boolean; requests: number; failed: number; mostRequests: number; mostWaiting: number; mostWaitingAt: number | null }
}>('chart-data.js')
const { kindOf } = await load<{ kindOf: (state: State) => string }>('verdict.js')
const { sumsOf } = await load<{ sumsOf: (nodes: Snapshot['nodes']) => { all: number; speak: number; out: number; members: number; capacity: number } }>('node-state.js')
const { matching } = await load<{ matching: (nodes: Snapshot['nodes'], look: { filter: string; query: string }, language: string) => Snapshot['nodes'] }>('node-filter.js')
const { newsOf } = await load<{ newsOf: () => (snapshot: Pick<Snapshot, 'events' | 'startedAt'>, speech: Speech) => string | null }>('event-log.js')
const { speaking } = await load<{ speaking: (language: string) => Speech }>('language.js')

interface Store {
  state: { acts: Map<string, { isHeld: boolean; answer: object | null }> }
  setAct: (id: string, change: object) => void
  setLook: (change: object) => void
  take: (snapshot: Snapshot) => void
}
const { createStore } = await load<{ createStore: () => Store }>('store.js')
const { moment, sinceMs } = await load<{ moment: () => Moment; sinceMs: (from: Moment) => number }>('elapsed.js')

const STEP_MS = 30_000
const NOW_MS = 1_800_000_000_000
const point = (at: number, changes: Partial<HistoryPoint> = {}): HistoryPoint => ({ at, requests: 2, failed: 1, waiting: 3, p95Ms: 100, ...changes })

describe('the steps of a chart', () => {
  it('are the last hour, with null where the bot was off', () => {
    const slots = slotsOf({ stepMs: STEP_MS, points: [point(NOW_MS - 10 * STEP_MS), point(NOW_MS - STEP_MS)] }, NOW_MS)
    expect(slots).toHaveLength(120)
    expect(slots.at(-1)).toMatchObject({ at: NOW_MS - STEP_MS, point: { requests: 2 } })
    expect(slots.flatMap(({ point: one }, at) => (one === null ? [] : [at]))).toEqual([110, 119])
  })

  it('end now when nothing was measured for long: the time since is a gap too', () => {
    const slots = slotsOf({ stepMs: STEP_MS, points: [point(NOW_MS - 20 * STEP_MS)] }, NOW_MS)
    expect(slots.at(-1)).toEqual({ at: Math.floor(NOW_MS / STEP_MS) * STEP_MS, point: null })
    expect(slots.filter(({ point: one }) => one !== null)).toHaveLength(1)
  })

  it('count what fell into one step together', () => {
    const slots = slotsOf({ stepMs: STEP_MS, points: [point(NOW_MS - 2 * STEP_MS - 4_000, { waiting: 9, p95Ms: null }), point(NOW_MS - 2 * STEP_MS), point(NOW_MS - STEP_MS)] }, NOW_MS)
    expect(slots[118]?.point).toMatchObject({ requests: 4, failed: 2, waiting: 9, p95Ms: 100 })
  })

  it('lose nothing in the rows of the table, nor in the sum', () => {
    const points = fc.array(fc.record({ step: fc.integer({ min: 1, max: 119 }), requests: fc.nat(50), waiting: fc.nat(9) }), { maxLength: 200 })
    fc.assert(fc.property(points, (drawn) => {
      const history = drawn.sort((a, b) => b.step - a.step).map(({ step, requests, waiting }) => point(NOW_MS - step * STEP_MS, { requests, waiting }))
      const slots = slotsOf({ stepMs: STEP_MS, points: history }, NOW_MS)
      const all = history.reduce((sum, { requests }) => sum + requests, 0)
      expect(rowsOf(slots).reduce((sum, { requests }) => sum + requests, 0)).toBe(all)
      expect(totalsOf(slots)).toMatchObject({ requests: all, isEmpty: history.length === 0, mostWaiting: Math.max(0, ...history.map(({ waiting }) => waiting)) })
    }))
  })

  it('make rows of five minutes, the newest first', () => {
    const rows = rowsOf(slotsOf(snapshotOf().history, Date.now()))
    expect(rows.length).toBeGreaterThanOrEqual(11)
    expect(rows.map(({ at }) => at)).toEqual(rows.map(({ at }) => at).sort((a, b) => b - a))
    expect(rows.every(({ at }) => at % 300_000 === 0)).toBe(true)
  })
})

describe('the one sentence', () => {
  const ago = (ms: number): Moment => ({ wallMs: Date.now() - ms, steadyMs: performance.now() - ms })
  const stateOf = (snapshot: Snapshot | null, lostForMs?: number): State => ({ snapshot, receivedAt: ago(0), link: { lostAt: lostForMs === undefined ? null : ago(lostForMs) } })
  it.each<[string, State]>([
    ['ok', stateOf(snapshotOf())],
    ['degraded', stateOf(degraded())],
    ['down', stateOf(down())],
    ['empty', stateOf(empty())],
    ['unlisted', stateOf(unlisted())],
    ['stale', stateOf(stale())],
    ['stale', stateOf(staleEmpty())],
    ['down', stateOf({ ...down(), registry: { ageMs: 200_000, isStale: true } })],
    ['ok', stateOf(snapshotOf(), 1_000)],
    ['broken', stateOf(snapshotOf(), 6_000)],
    ['broken', stateOf(down(), 6_000)],
    ['broken', stateOf(null, 0)]
  ])('is the worst that is true: %s', (kind, state) => {
    expect(kindOf(state)).toBe(kind)
  })

  it('counts nodes in use alone', () => {
    expect(sumsOf(degraded().nodes)).toEqual({ all: 3, speak: 1, out: 2, members: 10, capacity: 30 })
    expect(sumsOf([...degraded().nodes, ...snapshotOf().nodes.slice(0, 1).map((node) => ({ ...node, voices: 0 }))])).toEqual(sumsOf(degraded().nodes))
  })
})

describe('what has passed', () => {
  it.each([['was set back', { wallMs: 3_600_000, steadyMs: -40_000 }], ['stood still in sleep', { wallMs: -40_000, steadyMs: 0 }]])('is told by the other clock when one %s', (_, shift) => {
    const { wallMs, steadyMs } = moment()
    const ms = sinceMs({ wallMs: wallMs + shift.wallMs, steadyMs: steadyMs + shift.steadyMs })
    expect(ms).toBeGreaterThanOrEqual(40_000)
    expect(ms).toBeLessThan(60_000)
  })
})

describe('the search among nodes', () => {
  it('finds by name and by engine, whatever the case, within a state', () => {
    const { nodes } = many()
    expect(matching(nodes, { filter: 'all', query: ' birch 01' }, 'en').map(({ label }) => label)).toEqual(['Birch 012'])
    expect(matching(nodes, { filter: 'resting', query: '' }, 'en')).toHaveLength(10)
    expect(matching(nodes, { filter: 'resting', query: 'kokoro' }, 'en').every(({ engine, state }) => engine === 'kokoro' && state === 'resting')).toBe(true)
    expect(matching(hostile().nodes, { filter: 'constructor', query: '' }, 'en')).toEqual([])
  })
})

describe('what was asked of a node', () => {
  const asked = ({ state }: Store) => [...state.acts].map(([id, { isHeld, answer }]) => [id, isHeld, answer])

  it('holds it in sight until something else is looked for', () => {
    const store = createStore()
    store.setAct('n1', { act: 'disable', isHeld: true, answer: null })
    store.setLook({ areAllNodes: true })
    expect(asked(store)).toEqual([['n1', true, null]])
    store.setLook({ filter: 'ready' })
    store.setAct('n1', { answer: { ok: true } })
    expect(asked(store)).toEqual([['n1', false, { ok: true }]])
  })

  it('goes with it, once it is answered: a node that comes back is another start', () => {
    const store = createStore()
    store.setAct('n1', { act: 'test', isHeld: true, answer: null })
    store.take(empty())
    expect(asked(store)).toEqual([['n1', true, null]])
    store.setAct('n1', { answer: { ok: true } })
    store.take(snapshotOf())
    expect(asked(store)).toHaveLength(1)
    store.take(empty())
    expect(asked(store)).toEqual([])
  })
})

describe('what is read out', () => {
  const event = (id: number, kind: EventView['kind']): EventView => ({ id, at: NOW_MS, kind, node: { label: `Node ${id}`, color: '#000000' } })
  const newest = (...events: EventView[]) => ({ startedAt: NOW_MS, events: events.toReversed() })

  it('is only what matters, only once, and nothing of what was there when the page opened', () => {
    const news = newsOf()
    const speech = speaking('en')
    expect(news(newest(event(1, 'pool_down')), speech)).toBeNull()
    expect(news(newest(event(1, 'pool_down'), event(2, 'node_joined')), speech)).toBeNull()
    expect(news(newest(event(2, 'node_joined'), event(3, 'node_resting')), speech)).toBe('\u2068Node 3\u2069 does not answer')
    expect(news(newest(event(2, 'node_joined'), event(3, 'node_resting')), speech)).toBeNull()
  })

  it('is never a flood: of many at once the newest, in their order', () => {
    const news = newsOf()
    const speech = speaking('en')
    news(newest(event(1, 'started')), speech)
    const fell = Array.from({ length: 50 }, (_, at) => event(at + 2, 'node_resting'))
    expect(news(newest(...fell, event(60, 'pool_down')), speech)).toBe('\u2068Node 50\u2069 does not answer · \u2068Node 51\u2069 does not answer · No node can speak any more')
  })

  it('begins anew with a bot that was started again', () => {
    const news = newsOf()
    const speech = speaking('en')
    const again = (...events: EventView[]) => ({ ...newest(...events), startedAt: NOW_MS + 60_000 })
    news(newest(event(2, 'node_joined')), speech)
    expect(news(again(event(1, 'started'), event(2, 'pool_down')), speech)).toBe('No node can speak any more')
    expect(news(again(event(1, 'started'), event(2, 'pool_down')), speech)).toBeNull()
    expect(news(again(event(2, 'pool_down'), event(3, 'pool_back')), speech)).toBe('The pool speaks again')
  })
})
