import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { PRESENT_MS } from '../bot/members/presence.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const INTERVAL_MS = 15_000

let clock: ManualClock
let stage: Stage
let nodes: FaultNode[]

beforeEach(async () => {
  clock = manualClock()
  stage = await openStage({ clock })
  nodes = [await startFaultNode({ serverId: 'n1', concurrency: 8 }), await startFaultNode({ serverId: 'n2', concurrency: 8 })]
  for (const node of nodes) await stage.register(node, { capacity: 200, concurrency: 8 })
})

afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

let said = 0
const speak = (deviceId: string) =>
  stage.bot.app.relay({ model: 'voxpool', input: `Sentence ${(said += 1)}.`, voice: 'auto', response_format: 'opus', speed: 1 }, { deviceId, requestId: deviceId })

const members = Array.from({ length: 200 }, (_, index) => `member-${index}`)

async function calls(): Promise<number> {
  const { values } = await stage.bot.app.metrics.registryCalls.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

async function beat(): Promise<void> {
  for (const { serverId } of nodes) await stage.registry('heartbeat', { serverId })
}

async function activeCounts(): Promise<number[]> {
  const { servers } = (await stage.registry('presence', { devices: [] })) as { servers: { activeCount: number }[] }
  return servers.map(({ activeCount }) => activeCount)
}

describe('presence', () => {
  it('of 200 members costs one call per interval, as that of none does, and spreads them evenly', async () => {
    const before = await calls()
    await clock.advance(4 * INTERVAL_MS)
    expect((await calls()) - before).toBe(4)
    await Promise.all(members.map(speak))
    await clock.advance(4 * INTERVAL_MS)
    expect((await calls()) - before).toBe(8)
    expect(await activeCounts()).toEqual([100, 100])
  })

  it('of a member who stops is out of the count after its time, and the other’s is not', async () => {
    await Promise.all([speak('stays'), speak('stops')])
    await clock.advance(INTERVAL_MS)
    const total = async () => (await activeCounts()).reduce((sum, count) => sum + count, 0)
    expect(await total()).toBe(2)
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(60_000)
      await beat()
      await speak('stays')
    }
    await clock.advance(PRESENT_MS - 5 * 60_000 + 90_000 + INTERVAL_MS)
    expect(await total()).toBe(1)
  })
})

describe('a node that is disabled by hand in the registry', () => {
  it('gets no member from the next list on', async () => {
    await speak('mina')
    const first = stage.bot.app.assignments.get('mina')
    await stage.registry('setEnabled', { serverId: first, enabled: false })
    await clock.advance(INTERVAL_MS)
    await speak('mina')
    expect(stage.bot.app.assignments.get('mina')).not.toBe(first)
  })
})
