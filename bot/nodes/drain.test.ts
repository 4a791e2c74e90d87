import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from '../../sandbox/fault-node.ts'
import type { FaultNode } from '../../sandbox/fault-node.ts'
import { VoxError } from '../core/errors.ts'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { ManualClock } from '../core/manual-clock.ts'
import { createMetrics } from '../core/metrics.ts'
import { createNodeClient } from './client.ts'
import type { NodeClient } from './client.ts'
import { createDrains } from './drain.ts'
import type { DrainEnd, Drains } from './drain.ts'
import { createPool } from './pool.ts'
import type { Pool } from './pool.ts'

let clock: ManualClock
let client: NodeClient
let pool: Pool
let nodes: FaultNode[]
let drains: Drains
let disabled: Set<string>
let registryFails: boolean
let moves: string[]

beforeEach(async () => {
  clock = manualClock()
  client = createNodeClient({ clock, hosts: ['127.0.0.1'] })
  pool = createPool({ client, clock, log: silentLog, metrics: createMetrics() })
  nodes = [await startFaultNode({ serverId: 'a' }), await startFaultNode({ serverId: 'b' })]
  disabled = new Set()
  registryFails = false
  moves = []
  drains = createDrains({
    pool, clock, log: silentLog,
    moveMembers: (serverId) => moves.push(serverId),
    async disable(serverId) {
      if (registryFails) throw new VoxError('REGISTRY_SILENT')
      disabled.add(serverId)
      list()
    }
  })
  list()
  await expect.poll(() => pool.nodes().map(({ health }) => health.state)).toEqual(['ready', 'ready'])
})

afterEach(async () => {
  drains.close()
  pool.close()
  await client.close()
  for (const node of nodes) await node.close()
})

function list(serverIds = ['a', 'b']) {
  pool.update(
    nodes.filter(({ serverId }) => serverIds.includes(serverId)).map(({ serverId, url }) => ({
      serverId, color: '', label: '', apiUrl: url, enabled: !disabled.has(serverId), capacity: 10, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0
    }))
  )
}

let asked = 0
function speak(serverId: string) {
  const node = pool.nodes().find((each) => each.serverId === serverId)
  if (node === undefined) throw new Error(`no node ${serverId}`)
  return pool.speak(node, { model: 'voxpool', input: 'A sentence.', voice: 'auto', response_format: 'opus', speed: 1 }, { requestId: `r${(asked += 1)}` })
}

function begin(serverId: string, options?: { force?: boolean }) {
  const started = drains.start(serverId, options)
  if (!started.ok) throw new Error(started.reason)
  let end: DrainEnd | undefined
  void started.drain.ended.then((how) => (end = how))
  return { drain: started.drain, end: () => end }
}

const picks = () => ({
  usable: pool.usable('a')?.serverId, own: pool.pick()?.serverId, now: pool.pickNow({ voice: 'auto', chars: 10 })?.serverId, hedge: pool.pickNow({ voice: 'auto', chars: 10, exclude: new Set(['b']) })
})

describe('a node that is being emptied', () => {
  it('is given nothing new, speaks what is under way or waits there, and is then disabled', async () => {
    nodes[0]!.latencyMs = 100
    const spoken = Promise.all([speak('a'), speak('a'), speak('a'), speak('a')])
    const { drain, end } = begin('a')
    expect([drain.moved, drain.left(), moves]).toEqual([1, 4, ['a']])
    expect(picks()).toEqual({ usable: undefined, own: 'b', now: 'b', hedge: undefined })
    await clock.advance(1_000)
    expect([end(), disabled.size]).toEqual([undefined, 0])
    expect((await spoken).length).toBe(4)
    await clock.advance(1_000)
    expect([end(), [...disabled], drain.left()]).toEqual(['disabled', ['a'], 0])
    expect(pool.nodes()[0]).toMatchObject({ enabled: false, draining: false, health: { state: 'gone' } })
    expect(nodes[0]!.received.length).toBe(4)
  })

  it('is not what keeps another from being the last one', async () => {
    begin('a')
    nodes[1]!.fault = 'reset'
    await expect(speak('b')).rejects.toMatchObject({ code: 'NODE_RESET' })
    expect(pool.usable('b')?.serverId).toBe('b')
  })

  it('stays so under another address, and when it leaves the list and comes back', () => {
    nodes[0]!.latencyMs = 60_000
    void speak('a').catch(() => undefined)
    begin('a')
    list(['b'])
    list()
    expect(pool.nodes().find(({ serverId }) => serverId === 'a')).toMatchObject({ draining: true })
    expect(pool.usable('a')).toBeUndefined()
  })

  it('is used again at once when it is enabled, and nothing is written', async () => {
    nodes[0]!.latencyMs = 50
    const spoken = speak('a')
    const { end } = begin('a')
    await drains.end('a')
    expect(pool.usable('a')?.serverId).toBe('a')
    await spoken
    await clock.advance(120_000)
    expect([end(), disabled.size]).toEqual(['ended', 0])
  })

  it('is used again when no other can be asked any more', async () => {
    nodes[0]!.latencyMs = 50
    const spoken = speak('a')
    const { end } = begin('a')
    disabled.add('b')
    list()
    await clock.advance(1_000)
    expect([end(), pool.usable('a')?.serverId, disabled.has('a')]).toEqual(['kept', 'a', false])
    await spoken
  })

  it('is disabled after a minute, however much is left', async () => {
    // What a request that never ends would look like.
    pool.nodes()[0]!.inFlight = 1
    const { end } = begin('a')
    await clock.advance(59_000)
    expect([end(), disabled.size]).toEqual([undefined, 0])
    await clock.advance(2_000)
    expect([end(), [...disabled]]).toEqual(['cutShort', ['a']])
  })

  it('is kept out of use while the registry does not take it, and a second try writes it', async () => {
    registryFails = true
    const { end } = begin('a')
    await clock.advance(30_000)
    expect([end(), pool.usable('a')]).toEqual(['unwritten', undefined])
    registryFails = false
    const again = begin('a')
    await clock.advance(1_000)
    expect([again.end(), [...disabled]]).toEqual(['disabled', ['a']])
  })

  it('is the same one for a second admin', () => {
    nodes[0]!.latencyMs = 60_000
    void speak('a').catch(() => undefined)
    expect(begin('a').drain).toBe(begin('a').drain)
    expect(moves).toEqual(['a'])
  })

  it('ends when the operator disables it meanwhile, or it leaves by itself', async () => {
    nodes[0]!.latencyMs = 60_000
    void speak('a').catch(() => undefined)
    const first = begin('a')
    disabled.add('a')
    list()
    await clock.advance(1_000)
    expect(first.end()).toBe('disabled')
    disabled.delete('a')
    list()
    expect(pool.usable('a')?.serverId).toBe('a')
    void speak('a').catch(() => undefined)
    const second = begin('a')
    list(['b'])
    await clock.advance(1_000)
    expect(second.end()).toBe('left')
  })
})

describe('an emptying is refused', () => {
  it('for a node that is not there, or disabled already', () => {
    expect(drains.start('nobody')).toEqual({ ok: false, reason: 'unknown' })
    disabled.add('a')
    list()
    expect(drains.start('a')).toEqual({ ok: false, reason: 'disabled' })
  })

  it('for the last node that can be asked, unless it is forced: two at once leave one', async () => {
    begin('a')
    expect(drains.start('b')).toEqual({ ok: false, reason: 'last' })
    expect(pool.usable('b')?.serverId).toBe('b')
    const { end } = begin('b', { force: true })
    await clock.advance(1_000)
    expect([end(), [...disabled]]).toEqual(['disabled', ['a', 'b']])
  })
})
