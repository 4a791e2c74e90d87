import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { takeOperations } from './emulation/sheet-view.ts'
import { startAppsScript } from './emulation/start-apps-script.ts'
import type { AppsScript } from './emulation/start-apps-script.ts'

const KEY = 'secret'
let app: AppsScript
let clock: ManualClock
const start = async () => {
  clock = manualClock()
  app = await startAppsScript({ clock, properties: { REGISTRY_KEY: KEY } })
}
afterEach(async () => {
  expect(app.violations).toEqual([])
  await app.close()
})

const post = async (action: string, body: object) => {
  const answer = (await (await fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify({ key: KEY, ...body }) })).json()) as { ok: boolean }
  expect(answer).toMatchObject({ ok: true })
}
const list = () => fetch(`${app.url}?action=list&key=${KEY}`)
const node = (index: number) => ({ serverId: `n${String(index)}`, instanceId: `i${String(index)}`, apiUrl: `https://n${String(index)}.example`, capacity: 50 })
const devices = (count: number, nodes: number) =>
  Array.from({ length: count }, (_, index) => ({ deviceId: `device-${String(index)}`, serverId: `n${String(index % nodes)}` }))

/** Ranges that a call reads, writes and deletes. */
const ranges = (operations: readonly string[]) => operations.filter((op) => /Values|deleteRows/.test(op)).map((op) => op.replace(/^\w+\./, ''))

/** A registry of so many nodes and devices, and what each call then asks of the services. */
async function costs(nodes: number, present: number) {
  await start()
  for (let index = 0; index < nodes; index++) await post('register', node(index))
  await post('presence', { devices: devices(present, nodes) })
  const take = async (call: () => Promise<unknown>) => {
    takeOperations(app)
    await clock.advance(10)
    await call()
    return takeOperations(app)
  }
  return {
    list: await take(list),
    heartbeat: await take(() => post('heartbeat', { serverId: 'n1', instanceId: 'i1', apiUrl: 'https://n1.example' })),
    presence: await take(() => post('presence', { devices: devices(present, nodes) })),
    'presence after a member moved': await take(() => post('presence', { devices: [{ deviceId: 'device-0', serverId: 'n1' }] })),
    'register, started again at a new address': await take(() => post('register', { ...node(1), instanceId: 'j1', apiUrl: 'https://again.example' })),
    'register, of a new node': await take(() => post('register', node(nodes))),
    'heartbeat with a new address': await take(() => post('heartbeat', { serverId: 'n2', instanceId: 'i2', apiUrl: 'https://moved.example' })),
    'heartbeat with a new capacity': await take(() => post('heartbeat', { serverId: 'n2', instanceId: 'i2', capacity: 7 })),
    setEnabled: await take(() => post('setEnabled', { serverId: 'n2', enabled: false })),
    unregister: await take(() => post('unregister', { serverId: 'n0', instanceId: 'i0' }))
  }
}

describe('what a call costs', () => {
  it('is the same for 3 nodes with 10 devices as for 60 with 2,000: each sheet that it needs is read once', async () => {
    const small = await costs(3, 10)
    await app.close()
    const large = await costs(60, 2000)
    expect(large).toEqual(small)
    expect(Object.fromEntries(Object.entries(large).map(([call, operations]) => [call, ranges(operations)]))).toEqual({
      list: ['getValues servers', 'getValues presence'],
      heartbeat: ['getValues servers', 'setValues servers'],
      presence: ['getValues servers', 'getValues presence', 'setValues presence'],
      'presence after a member moved': ['getValues servers', 'getValues presence', 'setValues servers', 'setValues presence'],
      // On both sides of `enabled` and `capacity`, which the operator may be changing at this moment.
      'register, started again at a new address': ['getValues servers', 'setValues servers', 'setValues servers', 'getValues log', 'setValues log'],
      'register, of a new node': ['getValues servers', 'setValues servers', 'getValues log', 'setValues log'],
      'heartbeat with a new address': ['getValues servers', 'setValues servers', 'setValues servers', 'getValues log', 'setValues log'],
      'heartbeat with a new capacity': ['getValues servers', 'setValues servers'],
      setEnabled: ['getValues servers', 'setValues servers', 'getValues log', 'setValues log'],
      unregister: ['getValues servers', 'deleteRows servers', 'getValues log', 'setValues log']
    })
  })
})

describe('a day of 100 nodes with 30 s beats and a bot with 5,000 devices', () => {
  it('stays within the quotas, and costs what docs/registry.md says', async () => {
    await start()
    for (let index = 0; index < 100; index++) await post('register', node(index))
    await post('presence', { devices: devices(5000, 100) })
    takeOperations(app)
    // As long as the key stays in the cache, once and a half: so that its renewal is counted as often as it comes.
    const rounds = 15
    for (let round = 0; round < rounds; round++) {
      await clock.advance(30_000)
      // One beat stands for the 100 of its round: each costs the same, as the test above shows.
      await post('heartbeat', { serverId: 'n1', instanceId: 'i1', apiUrl: 'https://n1.example' })
      if (round % 5 === 0) await post('presence', { devices: devices(5000, 100) })
    }
    const counted = takeOperations(app)
    const of = (kind: RegExp, operations = counted) => operations.filter((op) => kind.test(op)).length
    const roundsADay = 2880
    const beatsADay = 100 * roundsADay
    const syncsADay = 2 * roundsADay
    const propertiesADay = Math.ceil(of(/^property/) * (roundsADay / rounds))
    expect(propertiesADay).toBeLessThanOrEqual(600)
    expect(propertiesADay).toBeLessThan(50_000)
    // Each call looks into the cache for the key, which is kept there when it was gone, and for what was used, which is kept with this call.
    expect(of(/^cache\.get/)).toBe(2 * (rounds + 3))
    expect(of(/^cache\.put/)).toBe(of(/^property/) + rounds + 3)
    const page = readFileSync(new URL('../docs/registry.md', import.meta.url), 'utf8')
    for (const number of [beatsADay, syncsADay, beatsADay + syncsADay]) expect(page).toContain(number.toLocaleString('en'))
  })
})
