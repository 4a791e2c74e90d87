import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../core/database.ts'
import type { Database } from '../core/database.ts'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import { DeviceId } from '../wire/fields.ts'
import { createAssignments } from './assignments.ts'
import { createDeviceIds } from './device-id.ts'
import { PRESENT_MS, createPresences } from './presence.ts'

const open: Database[] = []
afterEach(() => {
  for (const database of open.splice(0)) database.close()
})

function databaseIn(folder: string): Database {
  const database = openDatabase(folder)
  open.push(database)
  return database
}
const newFolder = () => mkdtempSync(join(tmpdir(), 'voxpool-'))

describe('a device id', () => {
  it('is the same for a member after a restart, and tells nothing of who it is', () => {
    const folder = newFolder()
    const id = createDeviceIds(databaseIn(folder))('100000000000000001', '200000000000000002')
    expect(createDeviceIds(databaseIn(folder))('100000000000000001', '200000000000000002')).toBe(id)
    expect(DeviceId.safeParse(id).success).toBe(true)
    expect(id).not.toMatch(/0000/)
  })

  it('differs by guild, by user and by bot', () => {
    const of = createDeviceIds(databaseIn(newFolder()))
    const other = createDeviceIds(databaseIn(newFolder()))
    expect(new Set([of('1', '2'), of('1', '3'), of('2', '2'), of('12', ''), other('1', '2')]).size).toBe(5)
  })
})

describe('assignments', () => {
  it('outlive a restart', () => {
    const folder = newFolder()
    createAssignments(databaseIn(folder), 1000, silentLog).set('mina', 'n1', 1000)
    expect(createAssignments(databaseIn(folder), 2000, silentLog).get('mina')).toBe('n1')
  })

  it('hold one node a device, the newest', () => {
    const assignments = createAssignments(databaseIn(newFolder()), 0, silentLog)
    assignments.set('mina', 'n1', 0)
    assignments.set('mina', 'n2', 1)
    expect(assignments.get('mina')).toBe('n2')
  })

  it('of a node are forgotten together, on disk too, and others stay', () => {
    const folder = newFolder()
    const assignments = createAssignments(databaseIn(folder), 0, silentLog)
    for (const [name, serverId] of [['mina', 'n1'], ['haru', 'n1'], ['jisoo', 'n2']] as const) assignments.set(name, serverId, 0)
    expect(assignments.at('n1').sort()).toEqual(['haru', 'mina'])
    assignments.release('n1')
    expect([assignments.at('n1'), assignments.get('mina')]).toEqual([[], undefined])
    const after = createAssignments(databaseIn(folder), 0, silentLog)
    expect([after.get('mina'), after.get('haru'), after.get('jisoo')]).toEqual([undefined, undefined, 'n2'])
  })

  it('are forgotten for members who have not spoken for a month, and for no others', () => {
    const folder = newFolder()
    const before = createAssignments(databaseIn(folder), 0, silentLog)
    for (const name of ['mina', 'haru']) before.set(name, 'n1', 0)
    before.set('haru', 'n1', 20 * 24 * 3_600_000)
    expect(createAssignments(databaseIn(folder), 31 * 24 * 3_600_000, silentLog).get('haru')).toBe('n1')
    expect(createAssignments(databaseIn(folder), 31 * 24 * 3_600_000, silentLog).get('mina')).toBeUndefined()
  })
})

describe('presence', () => {
  it('lasts until five minutes after the last use', async () => {
    const clock = manualClock()
    const presences = createPresences(clock)
    presences.touch('mina', 'n1')
    await clock.advance(PRESENT_MS - 1)
    expect(presences.devices()).toEqual([{ deviceId: 'mina', serverId: 'n1' }])
    presences.touch('mina', 'n1')
    await clock.advance(PRESENT_MS - 1)
    expect(presences.devices()).toHaveLength(1)
    await clock.advance(1)
    expect(presences.devices()).toEqual([])
  })

  it('corrects the list by what happened since it was made', () => {
    const presences = createPresences(manualClock())
    presences.touch('mina', 'n1')
    presences.touch('haru', 'n1')
    expect(presences.corrections()).toEqual(new Map([['n1', 2]]))
    presences.reported(presences.devices())
    expect(presences.corrections()).toEqual(new Map())
    presences.touch('mina', 'n2')
    expect(presences.corrections()).toEqual(new Map([['n1', -1], ['n2', 1]]))
  })

  it('knows that the registry still counts a member who has just left', async () => {
    const clock = manualClock()
    const presences = createPresences(clock)
    presences.touch('mina', 'n1')
    await clock.advance(PRESENT_MS - 1000)
    presences.reported(presences.devices())
    await clock.advance(2000)
    expect(presences.corrections()).toEqual(new Map([['n1', -1]]))
    // As long as no newer list comes, the old one counts them.
    await clock.advance(90_000)
    expect(presences.corrections()).toEqual(new Map([['n1', -1]]))
    presences.reported([])
    expect(presences.corrections()).toEqual(new Map())
  })
})

describe('the corrections that are kept', () => {
  const step = fc.oneof(
    fc.record({ act: fc.constant('touch' as const), device: fc.nat(8), node: fc.nat(3) }),
    fc.record({ act: fc.constant('sync' as const) }),
    fc.record({ act: fc.constant('wait' as const), ms: fc.constantFrom(15_000, 90_000, 200_000, 300_000) })
  )

  it('are those that counting anew would give, whatever happens', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let nowMs = 0
        const presences = createPresences({ monotonic: () => nowMs })
        const present = new Map<string, { node: string; untilMs: number }>()
        const told = new Map<string, { node: string; untilMs: number }>()
        const forget = (map: typeof present) => {
          for (const [device, { untilMs }] of map) if (untilMs <= nowMs) map.delete(device)
        }
        for (const each of steps) {
          if (each.act === 'wait') nowMs += each.ms
          forget(present)
          if (each.act === 'touch') {
            presences.touch(`m${each.device}`, `n${each.node}`)
            present.set(`m${each.device}`, { node: `n${each.node}`, untilMs: nowMs + PRESENT_MS })
          }
          if (each.act === 'sync') {
            presences.reported(presences.devices())
            forget(told)
            for (const [device, { node }] of present) told.set(device, { node, untilMs: nowMs + 90_000 })
          }
          for (const node of ['n0', 'n1', 'n2', 'n3']) {
            const at = (map: typeof present) => [...map.values()].filter((entry) => entry.node === node).length
            expect(presences.corrections().get(node) ?? 0).toBe(at(present) - at(told))
          }
          expect(presences.toldCount()).toBe(told.size)
        }
      })
    )
  })
})
