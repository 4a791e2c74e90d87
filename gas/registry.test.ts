import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PRESENCE_TTL_MS } from '../bot/wire/registry.ts'
import { BODY_MAX_CHARS, readCall } from './call.ts'
import type { Call } from './call.ts'
import { DEAD_MS, DEVICES_MAX, SERVERS_MAX, SWEEP_MAX, answer, sweep } from './registry.ts'
import type { Order, State } from './registry.ts'
import { START_MS, keep, listed, nobody, open, orderOf, play } from './story.ts'

const ids = fc.constantFrom('a', 'b', '007')
const instances = fc.constantFrom('i1', 'i2', 'i3')
const registering = fc.record({ serverId: ids, instanceId: instances }).map((body) => orderOf('register', { ...body, apiUrl: `https://${body.instanceId}.example` }))
const beating = fc.record({ serverId: ids, instanceId: instances }).map((body) => orderOf('heartbeat', { ...body, apiUrl: `https://${body.instanceId}.example` }))
const leaving = fc.record({ serverId: ids, instanceId: instances }).map((body) => orderOf('unregister', body))
const switching = fc.record({ serverId: ids, enabled: fc.boolean() }).map((body) => orderOf('setEnabled', body))
const renaming = fc.record({ serverId: ids, label: fc.constantFrom('', 'Pink', 'Blue') }).map((body) => orderOf('rename', body))
const telling = fc
  .array(fc.record({ deviceId: fc.constantFrom('d1', 'd2', 'd3', 'd4'), serverId: fc.constantFrom('a', 'b', '007', 'gone') }), { maxLength: 5 })
  .map((devices) => orderOf('presence', { devices }))
const steps = (...orders: fc.Arbitrary<Order>[]) =>
  fc.array(fc.record({ order: fc.oneof(...orders), pauseMs: fc.nat(60_000) }), { maxLength: 30 }).map((list) => {
    let atMs = START_MS
    return list.map(({ order, pauseMs }) => ({ order, atMs: (atMs += pauseMs) }))
  })

describe('the registry, whatever is asked of it in whatever order', () => {
  it('never turns on a node that was turned off, but by setEnabled', () => {
    fc.assert(
      fc.property(steps(registering, beating, leaving, renaming, telling), ids, (story, serverId) => {
        const { state } = play([
          { order: orderOf('register', { serverId, apiUrl: 'https://a.example' }), atMs: START_MS },
          { order: orderOf('setEnabled', { serverId, enabled: false }), atMs: START_MS },
          ...story
        ])
        expect(listed(state, START_MS).get(serverId)?.enabled).toBe(false)
      })
    )
  })

  it('keeps a name that was given to a node, until another is given', () => {
    fc.assert(
      fc.property(steps(registering, beating, leaving, switching, telling), ids, (story, serverId) => {
        const { state } = play([
          { order: orderOf('register', { serverId, label: 'Its own', apiUrl: 'https://a.example' }), atMs: START_MS },
          { order: orderOf('rename', { serverId, label: 'Mine' }), atMs: START_MS },
          ...story
        ])
        expect(state.servers.find((server) => server.serverId === serverId)?.label).toBe('Mine')
      })
    )
  })

  it('lets no instance write again once a later one has registered', () => {
    fc.assert(
      fc.property(steps(registering, beating, leaving, switching, telling), (story) => {
        let state = nobody
        const past = new Map<string, Set<string>>()
        const current = new Map<string, string>()
        for (const { order, atMs } of story) {
          const outcome = answer(state, order, atMs)
          if (order.action === 'register' || order.action === 'heartbeat' || order.action === 'unregister') {
            const { serverId, instanceId = '' } = order.request
            const isPast = past.get(serverId)?.has(instanceId) ?? false
            if (isPast) {
              expect(outcome.answer).toMatchObject({ ok: false, error: { code: 'superseded' } })
              expect(outcome.changes).toMatchObject({ put: [], remove: [], devices: null, log: [{ what: 'refused', serverId }] })
            } else if (order.action === 'register') {
              const before = current.get(serverId)
              if (before !== undefined && before !== instanceId) past.set(serverId, (past.get(serverId) ?? new Set()).add(before))
              current.set(serverId, instanceId)
            } else if (order.action === 'unregister' && outcome.answer.ok) {
              past.delete(serverId)
              current.delete(serverId)
            }
          }
          state = keep(state, outcome.changes)
        }
        for (const [serverId, instanceId] of current) {
          expect(listed(state, START_MS).get(serverId)?.apiUrl).toBe(`https://${instanceId}.example`)
        }
      })
    )
  })

  it('counts what a naive model counts', () => {
    fc.assert(
      fc.property(steps(registering, leaving, telling), fc.nat(200_000), (story, laterMs) => {
        let state = nobody
        const told = new Map<string, { serverId: string; atMs: number }>()
        let nowMs = START_MS
        for (const { order, atMs } of story) {
          nowMs = atMs
          if (order.action === 'presence') {
            const known = new Set(state.servers.map(({ serverId }) => serverId))
            for (const { deviceId, serverId } of order.devices) if (known.has(serverId)) told.set(deviceId, { serverId, atMs })
          }
          state = keep(state, answer(state, order, atMs).changes)
        }
        nowMs += laterMs
        for (const [serverId, { activeCount }] of listed(state, nowMs)) {
          const expected = [...told.values()].filter((device) => device.serverId === serverId && nowMs - device.atMs < PRESENCE_TTL_MS)
          expect(activeCount).toBe(expected.length)
        }
      })
    )
  })

  it('keeps no device longer than the TTL beyond the next presence call', () => {
    fc.assert(
      fc.property(steps(registering, telling), (story) => {
        const { state } = play(story)
        const endMs = (story.at(-1)?.atMs ?? START_MS) + PRESENCE_TTL_MS
        expect(play([{ order: orderOf('presence', { devices: [] }), atMs: endMs }], state).state.devices).toEqual([])
      })
    )
  })

  it('gives the same state when a write is sent again', () => {
    fc.assert(
      fc.property(steps(registering, beating, leaving, switching, renaming, telling), fc.oneof(registering, beating, leaving, switching, renaming, telling), (story, order) => {
        const before = play(story).state
        const atMs = START_MS + 10_000_000
        const once = play([{ order, atMs }], before).state
        expect(play([{ order, atMs }], once).state).toEqual(once)
      })
    )
  })

  it('never throws, and answers every fault with a code', () => {
    const call = fc.record({
      method: fc.constantFrom<Call['method'][]>('GET', 'POST'),
      query: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('action', 'key', '__proto__')), fc.oneof(fc.string(), fc.constantFrom('list', 'register', 'presence'))),
      body: fc.oneof(fc.string(), fc.json())
    })
    fc.assert(
      fc.property(call, fc.constantFrom('', 'secret'), (asked, key) => {
        const reading = readCall(asked, { key, allowLoopback: false })
        if (!reading.ok) expect(reading.code).toMatch(/^(bad_request|unknown_action|unauthorized)$/)
        else expect(typeof answer(nobody, reading.order, START_MS).answer.ok).toBe('boolean')
      })
    )
  })
})

describe('the bounds', () => {
  const node = (index: number) => ({ order: orderOf('register', { serverId: `n${String(index)}`, apiUrl: 'https://a.example' }), atMs: START_MS })
  it('refuse a node too many, yet let the known ones go on', () => {
    const { state } = play(Array.from({ length: SERVERS_MAX }, (_, index) => node(index)))
    expect(play([node(SERVERS_MAX)], state).answers).toMatchObject([{ ok: false, error: { code: 'busy' } }])
    expect(play([node(3)], state).answers).toMatchObject([{ ok: true }])
  })

  it('ignore a device too many, and count it', () => {
    const { state } = play([node(1)])
    const devices = (from: number) => Array.from({ length: 10_000 }, (_, index) => ({ deviceId: `d${String(from + index)}`, serverId: 'n1' }))
    const { answers } = play([0, 10_000, 15_000].map((from) => ({ order: orderOf('presence', { devices: devices(from) }), atMs: START_MS })), state)
    expect(DEVICES_MAX).toBe(20_000)
    expect(answers).toMatchObject([{ ignored: 0 }, { ignored: 0, servers: [{ activeCount: 20_000 }] }, { ignored: 5000, servers: [{ activeCount: 20_000 }] }])
  })

  it('refuse a body that is too long before it is parsed', () => {
    const call: Call = { method: 'POST', query: { action: 'register' }, body: '{'.padEnd(BODY_MAX_CHARS + 1) }
    expect(readCall(call, open)).toMatchObject({ ok: false, code: 'bad_request', message: expect.stringContaining('1000000') as string })
  })
})

describe('a node of the plain form, which tells no instance', () => {
  const at = (order: Order) => ({ order, atMs: START_MS })
  it('registers and beats as it always did', () => {
    const { answers } = play([
      at(orderOf('register', { serverId: 'n', apiUrl: 'https://a.example' })),
      at(orderOf('heartbeat', { serverId: 'n', apiUrl: 'https://b.example' }))
    ])
    expect(answers).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('can not bring its old address back once an instance has taken its place', () => {
    const { answers, state } = play([
      at(orderOf('register', { serverId: 'n', apiUrl: 'https://old.example' })),
      at(orderOf('register', { serverId: 'n', apiUrl: 'https://new.example', instanceId: 'i' })),
      at(orderOf('heartbeat', { serverId: 'n', apiUrl: 'https://old.example' })),
      at(orderOf('heartbeat', { serverId: 'n', apiUrl: null }))
    ])
    expect(answers.slice(2)).toMatchObject([{ error: { code: 'superseded' } }, { error: { code: 'superseded' } }])
    expect(listed(state, START_MS).get('n')?.apiUrl).toBe('https://new.example')
  })
})

describe("the operator's label and capacity", () => {
  const at = (order: Order) => ({ order, atMs: START_MS })
  it('outlive a new registration and a goodbye', () => {
    const { state } = play([at(orderOf('register', { serverId: 'n', label: 'Pink', capacity: 10, apiUrl: 'https://a.example' }))])
    const edited: State = { ...state, servers: state.servers.map((server) => ({ ...server, label: 'Mine', capacity: 3 })) }
    const again = [at(orderOf('unregister', { serverId: 'n' })), at(orderOf('register', { serverId: 'n', label: 'Blue', capacity: 20, apiUrl: 'https://b.example' }))]
    expect(play(again, edited).state.servers).toMatchObject([{ label: 'Mine', capacity: 3, apiUrl: 'https://b.example' }])
  })
})

describe('a heartbeat', () => {
  const at = (order: Order) => ({ order, atMs: START_MS })
  it('tells a new capacity, which an operator overrules', () => {
    const { state } = play([at(orderOf('register', { serverId: 'n', apiUrl: 'https://a.example', capacity: 10 }))])
    const beat = at(orderOf('heartbeat', { serverId: 'n', capacity: 40, concurrency: 4 }))
    expect(play([beat], state).state.servers).toMatchObject([{ capacity: 40, concurrency: 4 }])
    const edited: State = { ...state, servers: state.servers.map((server) => ({ ...server, capacity: 3 })) }
    expect(play([beat], edited).state.servers).toMatchObject([{ capacity: 3, concurrency: 4, told: { capacity: 40 } }])
  })
})

describe('a sweep', () => {
  const nodes = (count: number) => Array.from({ length: count }, (_, index) => ({ order: orderOf('register', { serverId: `n${String(index)}`, apiUrl: 'https://a.example' }), atMs: START_MS + index }))
  const off = { order: orderOf('setEnabled', { serverId: 'n0', enabled: false }), atMs: START_MS }
  const ids = (state: State) => state.servers.map(({ serverId }) => serverId)

  it('forgets a node after a day, not before, and keeps what the operator chose for it', () => {
    const { state } = play([...nodes(2), off])
    expect(sweep(state, START_MS + DEAD_MS)).toEqual({ put: [], remove: [], log: [] })
    const swept = keep(state, { ...sweep(state, START_MS + DEAD_MS + 10), devices: null })
    expect(swept.servers).toMatchObject([{ serverId: 'n0', enabled: false, apiUrl: null, lastSeen: 0 }])
    expect(sweep(swept, START_MS + 9 * DEAD_MS)).toEqual({ put: [], remove: [], log: [] })
  })

  it('goes with registrations and presence calls, never with the node that just comes back, and takes few rows at once', () => {
    const { state } = play(nodes(SWEEP_MAX + 5))
    const atMs = START_MS + 2 * DEAD_MS
    const back = play([{ order: orderOf('register', { serverId: 'n0', apiUrl: 'https://b.example' }), atMs }], state).state
    expect(ids(back)).toEqual(['n0', 'n21', 'n22', 'n23', 'n24'])
    expect(ids(play([{ order: orderOf('presence', { devices: [] }), atMs }], back).state)).toEqual(['n0'])
  })

  it('makes room where the registry is full of the dead', () => {
    const { state } = play(nodes(SERVERS_MAX))
    const { answers } = play([{ order: orderOf('register', { serverId: 'new', apiUrl: 'https://a.example' }), atMs: START_MS + 2 * DEAD_MS }], state)
    expect(answers).toMatchObject([{ ok: true }])
  })
})

describe('what the operator can look up', () => {
  it('is every coming, going, switch, takeover and refusal, and no ordinary beat', () => {
    const told: string[] = []
    let state = nobody
    const ask = (action: string, body: object) => {
      const { changes } = answer(state, orderOf(action, body), START_MS)
      state = keep(state, changes)
      told.push(...changes.log.map(({ what, serverId, detail }) => `${serverId} ${what}: ${detail}`))
    }
    const n = { serverId: 'n', instanceId: 'i1' }
    ask('heartbeat', n)
    ask('register', { ...n, apiUrl: 'https://a.example' })
    ask('heartbeat', n)
    ask('heartbeat', { ...n, apiUrl: null })
    ask('register', { ...n, instanceId: 'i2', apiUrl: 'https://b.example' })
    ask('heartbeat', n)
    ask('setEnabled', { serverId: 'n', enabled: false })
    ask('rename', { serverId: 'n', label: 'Pink' })
    ask('rename', { serverId: 'nobody', label: 'Pink' })
    ask('unregister', { ...n, instanceId: 'i2' })
    expect(told).toEqual([
      'n refused: unknown_server: register first',
      'n registered: https://a.example',
      'n moved: no tunnel at the moment',
      'n took over: https://b.example',
      'n refused: superseded: a later instance of this node has registered',
      'n switched: off',
      'n renamed: Pink',
      'nobody refused: unknown_server: no node has this id',
      'n left: '
    ])
  })
})
