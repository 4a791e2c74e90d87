import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { ManualClock } from '../core/manual-clock.ts'
import { createMetrics } from '../core/metrics.ts'
import { startFaultNode } from '../../sandbox/fault-node.ts'
import type { FaultNode } from '../../sandbox/fault-node.ts'
import { createNodeClient } from './client.ts'
import type { NodeClient } from './client.ts'
import { canSpeak } from './node.ts'
import { createPool } from './pool.ts'
import type { Pool } from './pool.ts'
import { shownState } from './shown-state.ts'

let clock: ManualClock
let client: NodeClient
let pool: Pool
let nodes: FaultNode[]

beforeEach(async () => {
  clock = manualClock()
  client = createNodeClient({ clock, hosts: ['127.0.0.1'] })
  pool = createPool({ client, clock, log: silentLog, metrics: createMetrics() })
  nodes = [await startFaultNode({ serverId: 'a' }), await startFaultNode({ serverId: 'b' })]
  list()
  await expect.poll(() => states()).toEqual(['ready', 'ready'])
})

afterEach(async () => {
  pool.close()
  await client.close()
  for (const node of nodes) await node.close()
})

function list(more: object = {}) {
  pool.update(
    nodes.map(({ serverId, url }) => ({
      serverId, color: '', label: '', apiUrl: url, enabled: true, capacity: 10, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0, ...more
    }))
  )
}

const states = () => pool.nodes().map(({ health }) => health.state)
const get = (serverId: string) => {
  const node = pool.nodes().find((each) => each.serverId === serverId)
  if (node === undefined) throw new Error(`no node ${serverId}`)
  return node
}
let asked = 0
const speak = (serverId: string) =>
  pool.speak(get(serverId), { model: 'voxpool', input: 'A sentence.', voice: 'auto', response_format: 'opus', speed: 1 }, { requestId: `r${(asked += 1)}` })

describe('a server that lists no voices', () => {
  let server: Server
  let asks: number
  beforeEach(async () => {
    asks = 0
    server = createServer(({ url = '' }, response) => {
      if (url.endsWith('/v1/audio/voices')) asks += 1
      response.writeHead(url.endsWith('/health') ? 200 : 404).end('{}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterEach(() => void server.close())

  it('is left in peace: within ten minutes it is asked at 0, 30, 90, 210 and 450 s, and at once where it has moved', async () => {
    const { port } = server.address() as AddressInfo
    nodes = []
    const listAt = (path: string) =>
      pool.update([{ serverId: 'plain', color: '', label: '', apiUrl: `http://127.0.0.1:${port}${path}`, enabled: true, capacity: 10, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0 }])
    listAt('')
    for (let second = 0; second < 600; second += 10) {
      await clock.advance(10_000)
      await expect.poll(() => get('plain').health.state).toBe('ready')
      const due = [30, 90, 210, 450].filter((atS) => atS <= second).length + 1
      await expect.poll(() => asks).toBeGreaterThanOrEqual(due)
    }
    expect(asks).toBe(5)
    listAt('/moved')
    await expect.poll(() => get('plain').health.state).toBe('ready')
    await clock.advance(1_000)
    await expect.poll(() => asks).toBe(6)
  })
})

describe('a node that was reset', () => {
  beforeEach(async () => {
    nodes[0]!.fault = 'reset'
    await expect(speak('a')).rejects.toMatchObject({ code: 'NODE_RESET' })
  })

  it('is not asked while it rests, nor after that before it has answered', async () => {
    expect([states()[0], pool.usable('a')]).toEqual(['resting', undefined])
    nodes[0]!.fault = 'unready'
    await clock.advance(70_000)
    expect(pool.usable('a')).toBeUndefined()
  })

  it('comes back through one request at a time, and then by slow start, never through the probe alone', async () => {
    nodes[0]!.fault = 'none'
    await expect.poll(async () => {
      await clock.advance(1_000)
      return pool.usable('a') !== undefined
    }).toBe(true)
    expect(states()[0]).toBe('resting')
    nodes[0]!.latencyMs = 50
    const trial = speak('a')
    expect(pool.usable('a')).toBeUndefined()
    await trial
    expect(get('a').health).toMatchObject({ state: 'ready', risenMs: clock.monotonic() })
    // A tenth of its ten members at first: with one it is full, while the other has room.
    expect(pool.pick({ corrections: new Map([['a', 1], ['b', 8]]) })?.serverId).toBe('b')
    await clock.advance(30_000)
    expect(pool.pick({ corrections: new Map([['a', 1], ['b', 8]]) })?.serverId).toBe('a')
  })
})

describe('requests that wait at a node', () => {
  it('are sent away at once when it turns out to be dead, and not into the same fault', async () => {
    nodes[0]!.latencyMs = 5_000
    const waiting = [speak('a'), speak('a'), speak('a'), speak('a')]
    const ends = Promise.allSettled(waiting)
    await expect.poll(() => nodes[0]!.received.length).toBe(2)
    await nodes[0]!.kill()
    const codes = (await ends).map((end) => (end.status === 'rejected' ? (end.reason as { code: string }).code : 'ok'))
    expect(codes.sort()).toEqual(['NODE_LEFT', 'NODE_LEFT', 'NODE_RESET', 'NODE_RESET'])
    expect(nodes[0]!.received.length).toBe(2)
  })

  it('are sent away when the operator disables it', async () => {
    nodes[0]!.latencyMs = 100
    const ends = Promise.allSettled([speak('a'), speak('a'), speak('a')])
    await expect.poll(() => nodes[0]!.received.length).toBe(2)
    list({ enabled: false })
    expect((await ends).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(pool.usable('a')).toBeUndefined()
  })
})

describe('a node that is busy', () => {
  it('is left alone as long as it says, and nothing is held against it', async () => {
    nodes[0]!.fault = 'busy'
    await expect(speak('a')).rejects.toMatchObject({ code: 'NODE_BUSY' })
    expect(states()[0]).toBe('ready')
    const now = () => pool.pickNow({ exclude: new Set(['b']), voice: 'auto', chars: 10 })?.serverId
    expect(now()).toBeUndefined()
    await clock.advance(1_000)
    expect(now()).toBe('a')
  })

  it('with another’s requests is not at fault for being slow', async () => {
    nodes[0]!.latencyMs = 60_000
    // Another bot's request, which holds its only slot.
    const others = fetch(`${nodes[0]!.url}/v1/audio/speech`, { method: 'POST', body: JSON.stringify({ input: 'Another bot’s.' }) }).catch(() => undefined)
    await expect.poll(() => nodes[0]!.received.length).toBe(1)
    const slow = speak('a')
    const end = expect(slow).rejects.toMatchObject({ code: 'NODE_SILENT' })
    await expect.poll(() => nodes[0]!.received.length).toBe(2)
    await clock.advance(11_000)
    await end
    await expect.poll(() => states()[0]).toBe('ready')
    expect(get('a').busyUntilMs).toBeGreaterThan(clock.monotonic())
    await nodes[0]!.kill()
    await others
  })
})

describe('what can be told of a node', () => {
  it('is what it says of itself, until it is at another address', async () => {
    expect(get('a').about).toEqual({ engine: 'fault', version: '0' })
    await nodes[0]!.kill()
    await nodes[0]!.revive()
    list()
    expect(get('a').about).toBeUndefined()
    await expect.poll(() => get('a').about).toEqual({ engine: 'fault', version: '0' })
  })

  it('is its newest faults, five at most, and since when it is as it is', async () => {
    nodes[0]!.fault = 'garbage'
    // The last usable one is never sent to rest: it can fail any number of times.
    list({ enabled: false })
    pool.update([{ ...pool.nodes()[0]!, enabled: true, lastSeen: 0 }])
    await expect.poll(() => states()).toEqual(['ready'])
    for (let fault = 0; fault < 7; fault++) {
      await clock.advance(1_000)
      await expect(speak('a')).rejects.toMatchObject({ code: 'NODE_BAD_REPLY' })
    }
    const { faults, health, stateSinceMs } = get('a')
    expect(faults.map(({ code, atMs }) => [code, clock.now() - atMs])).toEqual([0, 1, 2, 3, 4].map((ago) => ['NODE_BAD_REPLY', ago * 1_000]))
    expect([health.state, clock.now() - stateSinceMs]).toEqual(['suspect', 6_000])
    // Asked for want of another, and called what it is.
    expect([shownState(get('a')), canSpeak(get('a'))]).toEqual(['resting', false])
    nodes[0]!.fault = 'none'
    await speak('a')
    expect([get('a').health.state, get('a').stateSinceMs]).toEqual(['ready', clock.now()])
    expect([shownState(get('a')), canSpeak(get('a'))]).toEqual(['ready', true])
  })
})

describe('nodes that nobody asks for', () => {
  it('are left in peace while they beat, and found dead soon after they no longer do', async () => {
    for (const node of nodes) await node.kill()
    await clock.advance(600_000)
    expect([states(), pool.nodes().every(canSpeak)]).toEqual([['ready', 'ready'], true])
    list({ ageMs: 90_001 })
    const fromMs = clock.monotonic()
    await expect.poll(async () => {
      await clock.advance(1_000)
      return pool.nodes().map(shownState)
    }).toEqual(['resting', 'resting'])
    expect([pool.nodes().some(canSpeak), clock.monotonic() - fromMs < 120_000]).toEqual([false, true])
  })
})

describe('a node’s last heartbeat', () => {
  it('is a moment by the bot’s clock, which goes by though no list comes; of one that said goodbye there is none', async () => {
    list({ ageMs: 5_000 })
    const seenAtMs = clock.now() - 5_000
    await clock.advance(600_000)
    expect(get('a').seenAtMs).toBe(seenAtMs)
    list({ ageMs: Infinity })
    expect(get('a').seenAtMs).toBeUndefined()
  })
})

describe('a new node', () => {
  it('that never answers is sent to rest after a minute', async () => {
    await nodes[0]!.kill()
    pool.update([{ serverId: 'new', color: '', label: '', apiUrl: nodes[0]!.url, enabled: true, capacity: 1, concurrency: 1, lastSeen: 0, ageMs: 0 }, ...pool.nodes().map((node) => ({ ...node, lastSeen: 0 }))])
    expect(get('new').health.state).toBe('joining')
    await expect.poll(async () => {
      await clock.advance(5_000)
      return get('new').health.state
    }).toBe('resting')
    expect(clock.monotonic()).toBeGreaterThan(59_000)
  })
})
