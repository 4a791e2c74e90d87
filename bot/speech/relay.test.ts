import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../core/clock.ts'
import { openDatabase } from '../core/database.ts'
import { VoxError } from '../core/errors.ts'
import { silentLog } from '../core/log.ts'
import { createMetrics } from '../core/metrics.ts'
import { createAssignments } from '../members/assignments.ts'
import { createPresences } from '../members/presence.ts'
import { createNodeClient } from '../nodes/client.ts'
import { createPool } from '../nodes/pool.ts'
import { packetsFor, startFaultNode } from '../../sandbox/fault-node.ts'
import type { Fault, FaultNode } from '../../sandbox/fault-node.ts'
import { createChoose } from './choose.ts'
import { createRelay } from './relay.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const LIMITS = { firstByteMs: 600, silenceMs: 300, bodyMs: 700 }

async function startPool(count: number, first: Fault = 'none', speakLimits = LIMITS) {
  const nodes: FaultNode[] = []
  for (let index = 0; index < count; index++) nodes.push(await startFaultNode({ serverId: `n${index}` }))
  const clock = systemClock
  const metrics = createMetrics()
  const client = createNodeClient({ clock, hosts: ['127.0.0.1'], speakLimits })
  const pool = createPool({ client, clock, log: silentLog, metrics })
  const database = openDatabase(mkdtempSync(join(tmpdir(), 'voxpool-')))
  const assignments = createAssignments(database, clock.now(), silentLog)
  const presences = createPresences(clock)
  const choose = createChoose({ pool, assignments, presences, clock, log: silentLog })
  const relay = createRelay({ pool, choose, clock, log: silentLog, metrics })
  const update = (disabled: string[] = []) =>
    pool.update(
      nodes.map(({ serverId, url }) => ({
        serverId, color: '', label: '', apiUrl: url, enabled: !disabled.includes(serverId), capacity: 10, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0
      }))
    )
  update()
  const [own] = nodes
  if (own) {
    assignments.set('member', own.serverId, 0)
    own.fault = first
  }
  closing.push(...nodes.map((node) => () => node.close()), () => pool.close(), () => client.close())
  let said = 0
  const say = (text: string, signal?: AbortSignal) =>
    relay({ model: 'voxpool', input: text, voice: 'auto', response_format: 'opus', speed: 1 }, { deviceId: 'member', requestId: `r${(said += 1)}`, ...(signal && { signal }) })
  const stateOf = (serverId: string) => pool.nodes().find((node) => node.serverId === serverId)?.health.state
  return { nodes, pool, say, assignments, presences, update, stateOf, metrics }
}

const bytes = (packets: readonly Uint8Array[]) => packets.map((packet) => [...packet])

describe('the relay', () => {
  it('asks the member’s own node and gives back the packets as the node made them', async () => {
    const { say, nodes, presences } = await startPool(3)
    expect(bytes((await say('Hello there.')).packets)).toEqual(bytes(packetsFor('Hello there.')))
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 0, 0])
    expect(nodes[0]?.received[0]?.requestId).toBe('r1.1')
    expect(presences.devices()).toEqual([{ deviceId: 'member', serverId: 'n0' }])
  })

  const dead: Fault[] = ['refuse', 'reset', 'hang', 'slow', 'drip']
  const bad: Fault[] = ['error', 'unready', 'truncate', 'garbage', 'html', 'wrongRequestId', 'tunnelGone', 'ngrokOffline', 'flaky']
  it.each(dead)('goes to the next node when the own one does this, and the member stays there: %s', async (fault) => {
    const { say, assignments, stateOf } = await startPool(3, fault)
    expect(bytes((await say('Hello there.')).packets)).toEqual(bytes(packetsFor('Hello there.')))
    expect(assignments.get('member')).not.toBe('n0')
    expect(stateOf('n0')).toBe('resting')
  })

  it.each(bad)('goes to the next node when the own one does this, and moves the member when it does not stop: %s', async (fault) => {
    const { say, assignments, stateOf } = await startPool(3, fault)
    expect(bytes((await say('Hello there.')).packets)).toEqual(bytes(packetsFor('Hello there.')))
    expect([assignments.get('member'), stateOf('n0')]).toEqual(['n0', 'suspect'])
    if (fault === 'flaky') return
    for (const text of ['Two.', 'Three.', 'Four.']) await say(text)
    expect([assignments.get('member') === 'n0', stateOf('n0')]).toEqual([false, 'resting'])
  })

  it('does not ask a dead node again before it has answered', async () => {
    const { say, nodes } = await startPool(2, 'reset')
    for (let count = 0; count < 5; count++) await say(`Sentence ${count}.`)
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 5])
  })

  it('tries the text that a node refuses nowhere else, and holds nothing against the node', async () => {
    const { say, nodes, stateOf, assignments } = await startPool(3, 'refuseText')
    await expect(say('???')).rejects.toMatchObject({ code: 'TEXT_REFUSED' })
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 0, 0])
    expect(stateOf('n0')).toMatch(/joining|ready/)
    expect(assignments.get('member')).toBe('n0')
  })

  it('goes elsewhere for once when the own node is busy, and the member stays', async () => {
    const { say, stateOf, assignments } = await startPool(2, 'busy')
    expect((await say('Hello.')).packets.length).toBe(12)
    expect(assignments.get('member')).toBe('n0')
    expect(stateOf('n0')).toMatch(/joining|ready/)
  })

  it('waits when everybody is busy, and asks again', async () => {
    const { say, nodes } = await startPool(1, 'busy')
    const said = say('Hello.')
    await expect.poll(() => nodes[0]?.received.length).toBe(1)
    nodes[0]!.fault = 'none'
    expect((await said).packets.length).toBe(12)
  })

  it('stops a text that breaks two nodes before it breaks the third', async () => {
    const { say, nodes, pool } = await startPool(4, 'error')
    for (const node of nodes) node.fault = 'error'
    await expect(say('A text that kills.')).rejects.toMatchObject({ code: 'TEXT_BREAKS_NODES' })
    expect(nodes.reduce((sum, { received }) => sum + received.length, 0)).toBe(2)
    expect(pool.nodes().every(({ serverId }) => pool.usable(serverId))).toBe(true)
  })

  it('stops a text that kills two nodes twice, and never tries a third', async () => {
    const { say, nodes } = await startPool(4, 'reset')
    for (const node of nodes) node.fault = 'reset'
    await expect(say('A text that kills.')).rejects.toMatchObject({ code: expect.stringMatching(/TEXT_BREAKS_NODES|NODE_RESET/) as string })
    expect(nodes.filter(({ received }) => received.length > 0).length).toBe(2)
  })

  it('keeps the last node in use while it fails, tries it again, and says in the end what it did', async () => {
    const { say, nodes, pool } = await startPool(1, 'html')
    const asked = say('Hello.')
    await expect.poll(() => nodes[0]?.received.length).toBe(3)
    expect(pool.usable('n0')).toBeDefined()
    nodes[0]!.fault = 'none'
    expect((await asked).packets.length).toBe(12)
    nodes[0]!.fault = 'html'
    await expect(say('Again.')).rejects.toMatchObject({ code: 'NODE_BAD_REPLY' })
  })

  it('asks another node too when the own one is late, and the late one loses its slot', async () => {
    // Long enough that a busy machine gives up nothing before it hedges.
    const { say, nodes, stateOf, assignments, metrics } = await startPool(2, 'none', { ...LIMITS, firstByteMs: 30_000 })
    for (const text of ['One.', 'Two.']) await say(text)
    nodes[0]!.fault = 'hang'
    expect((await say('Three.')).packets.length).toBe(12)
    expect(nodes[1]?.received.map(({ requestId }) => requestId)).toEqual(['r3.1h'])
    await expect.poll(() => nodes[0]?.received[2]?.aborted).toBe(true)
    expect([stateOf('n0'), assignments.get('member'), (await metrics.hedges.get()).values[0]?.value]).toEqual(['suspect', 'n0', 1])
  })

  it('sends a segment elsewhere while all slots of the own node are taken', async () => {
    const { say, nodes } = await startPool(2)
    for (const node of nodes) node.latencyMs = 50
    await Promise.all(Array.from({ length: 4 }, (_, index) => say(`Sentence ${index}.`)))
    expect(nodes.map(({ received }) => received.length)).toEqual([2, 2])
  })

  it('takes no answer that can’t be the text', async () => {
    const { say, nodes } = await startPool(2, 'tiny')
    expect((await say('A whole sentence of words.')).packets.length).toBe(packetsFor('A whole sentence of words.').length)
    expect(nodes.map(({ received }) => received.length)).toEqual([1, 1])
  })

  it('says that there is no node', async () => {
    const { say } = await startPool(0)
    await expect(say('Hello.')).rejects.toMatchObject({ code: 'NO_NODE' })
  })

  it('moves a member away from a node that was disabled', async () => {
    const { say, nodes, update, assignments } = await startPool(2)
    update(['n0'])
    await say('Hello.')
    expect(nodes.map(({ received }) => received.length)).toEqual([0, 1])
    expect(assignments.get('member')).toBe('n1')
  })

  it('follows a node to its new address', async () => {
    const { say, nodes, update } = await startPool(1)
    await say('One.')
    await nodes[0]!.kill()
    await nodes[0]!.revive()
    update()
    await say('Two.')
    expect(nodes[0]!.received.map(({ input }) => input)).toEqual(['One.', 'Two.'])
  })

  it('ends at once when it is cancelled, and the node hears of it', async () => {
    const { say, nodes, stateOf } = await startPool(2, 'hang')
    const abort = new AbortController()
    const said = say('Hello.', abort.signal)
    await expect.poll(() => nodes[0]?.received.length).toBe(1)
    abort.abort(new VoxError('CANCELLED'))
    await expect(said).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect.poll(() => nodes[0]?.received[0]?.aborted).toBe(true)
    expect(stateOf('n0')).toMatch(/joining|ready/)
    expect(nodes[1]?.received).toEqual([])
  })

  it('never has more than one request in flight beyond what a node runs', async () => {
    const { say, nodes } = await startPool(1)
    nodes[0]!.latencyMs = 20
    await Promise.all(Array.from({ length: 12 }, (_, index) => say(`Sentence ${index}.`)))
    expect(nodes[0]!.peakInFlight()).toBe(2)
  })
})
