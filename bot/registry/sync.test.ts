import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startAppsScript } from '../../gas/emulation/start-apps-script.ts'
import type { AppsScript } from '../../gas/emulation/start-apps-script.ts'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { ManualClock } from '../core/manual-clock.ts'
import { createMetrics } from '../core/metrics.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Presence } from '../wire/registry.ts'
import { httpRegistry } from './client.ts'
import { createRoster } from './roster.ts'
import type { Roster } from './roster.ts'
import { startSync } from './sync.ts'
import type { Sync } from './sync.ts'

let app: AppsScript
let clock: ManualClock
let roster: Roster
let metrics: Metrics
let sync: Sync | undefined
let devices: Presence[]

beforeEach(async () => {
  clock = manualClock()
  app = await startAppsScript({ clock })
  roster = createRoster({ clock, database: new DatabaseSync(':memory:') })
  metrics = createMetrics()
  devices = []
  await post('register', { serverId: 'n', apiUrl: 'https://a.example' })
})
afterEach(async () => {
  sync?.stop()
  sync = undefined
  await app.close()
})

const post = (action: string, body: unknown) => fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify(body) })
const start = (random = () => 1) => {
  const registry = httpRegistry({ url: app.url, key: undefined, clock })
  sync = startSync({ registry, roster, devices: () => devices, clock, log: silentLog, metrics, random })
  return sync
}
/** Calls that have ended, good or bad. */
const ended = async () => (await metrics.registryCalls.get()).values.reduce((sum, { value }) => sum + value, 0)
const until = (calls: number) => expect.poll(ended, { interval: 5 }).toBe(calls)
const load = () => roster.current().servers.map(({ activeCount }) => activeCount)

describe('the loop', () => {
  it('tells 200 members in one call per interval, and brings the list back', async () => {
    devices = Array.from({ length: 200 }, (_, index) => ({ deviceId: `d${String(index)}`, serverId: 'n' }))
    const before = app.executions()
    start()
    await until(1)
    expect(load()).toEqual([200])
    await clock.advance(14_999)
    expect(app.executions() - before).toBe(1)
    await clock.advance(1)
    await until(2)
    expect(app.executions() - before).toBe(2)
  })

  it('leaves a member who stopped out of the count after the TTL', async () => {
    devices = [{ deviceId: 'd', serverId: 'n' }]
    start()
    await until(1)
    devices = []
    for (let call = 2; call <= 7; call++) {
      expect(load()).toEqual([1])
      await clock.advance(15_000)
      await until(call)
    }
    expect(load()).toEqual([0])
  })

  it.each([
    { random: 1, pausesMs: [15_000, 30_000, 60_000, 120_000, 120_000] },
    { random: 0, pausesMs: [7_500, 15_000, 30_000, 60_000, 60_000] }
  ])('keeps the last good list while the registry fails, and waits longer each time ($random)', async ({ random, pausesMs }) => {
    const { state } = start(() => random)
    await until(1)
    app.failFirstHop('quota')
    await clock.advance(15_000)
    await until(2)
    for (const [index, pauseMs] of pausesMs.entries()) {
      expect(state()).toMatchObject({ failures: index + 1, lastError: 'REGISTRY_BAD_REPLY' })
      await clock.advance(pauseMs - 1)
      expect(await ended()).toBe(index + 2)
      expect(clock.pending()).toBe(1)
      await clock.advance(1)
      await until(index + 3)
    }
    expect(roster.current().servers).toMatchObject([{ serverId: 'n' }])
    app.heal()
    await sync?.now()
    expect(state()).toEqual({ lastOkAtMs: clock.now(), failures: 0, lastError: undefined })
  })

  it('asks once more, and only once, for all who ask while a call is under way', async () => {
    const { now } = start()
    await Promise.all([now(), now(), now()])
    expect(await ended()).toBe(2)
    expect(clock.pending()).toBe(1)
  })

  it('shows by now() what was just changed, though a call was under way', async () => {
    const { now } = start()
    await post('setEnabled', { serverId: 'n', enabled: false })
    await now()
    expect(roster.current().servers).toMatchObject([{ enabled: false }])
  })

  it('goes on after a fault of its own', async () => {
    const registry = httpRegistry({ url: app.url, key: undefined, clock })
    let asked = 0
    const broken = () => {
      asked += 1
      if (asked === 1) throw new Error('a fault in the code')
      return []
    }
    sync = startSync({ registry, roster, devices: broken, clock, log: silentLog, metrics })
    await until(1)
    expect(sync.state()).toMatchObject({ failures: 1, lastError: 'BUG' })
    await sync.now()
    expect(sync.state()).toMatchObject({ failures: 0 })
  })

  it('ends at once, with a call under way and none to come', async () => {
    app.failFirstHop('hang')
    const { now, stop, state } = start()
    const asked = now()
    stop()
    await asked
    expect(clock.pending()).toBe(0)
    expect(state().failures).toBe(0)
    await now()
    expect(await ended()).toBe(0)
  })
})
