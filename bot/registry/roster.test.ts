import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import type { ServerRow } from '../wire/registry.ts'
import { createRoster, seenAgeMs } from './roster.ts'

const row: ServerRow = { serverId: 'n', color: '', label: '', apiUrl: 'https://a.example', enabled: true, capacity: 4, concurrency: 1, lastSeen: 5_000 }
const list = { servers: [row], badRows: 0, nowMs: 65_000 }

describe('the roster', () => {
  it('is empty and infinitely old before the first list', () => {
    expect(createRoster({ clock: manualClock() }).current()).toEqual({ servers: [], fetchedAtMs: undefined, ageMs: Infinity, registryNowMs: 0 })
  })

  it("ages by the registry's clock, whatever this machine's clock says", async () => {
    const clock = manualClock(0)
    const roster = createRoster({ clock })
    roster.update(list)
    expect(seenAgeMs(roster.current(), row)).toBe(60_000)
    await clock.advance(10_000)
    expect(roster.current()).toMatchObject({ servers: [row], ageMs: 10_000, registryNowMs: 75_000 })
    expect(seenAgeMs(roster.current(), row)).toBe(70_000)
    expect(seenAgeMs(roster.current(), { ...row, lastSeen: 90_000 })).toBe(0)
    // It has said goodbye.
    expect(seenAgeMs(roster.current(), { ...row, lastSeen: 0 })).toBe(Infinity)
  })

  it('tells those who subscribed, until they leave', () => {
    const roster = createRoster({ clock: manualClock() })
    const heard: number[] = []
    const leave = roster.subscribe(({ servers }) => heard.push(servers.length))
    roster.update(list)
    roster.update({ ...list, servers: [] })
    leave()
    roster.update(list)
    expect(heard).toEqual([1, 0])
  })

  it('serves the last good list after a restart during an outage, as old as it is', async () => {
    const database = new DatabaseSync(':memory:')
    const clock = manualClock(1_000_000)
    createRoster({ database, clock }).update(list)
    const later = manualClock(1_300_000)
    const roster = createRoster({ database, clock: later })
    expect(roster.current()).toEqual({ servers: [row], fetchedAtMs: 1_000_000, ageMs: 300_000, registryNowMs: 365_000 })
    await later.advance(1000)
    expect(seenAgeMs(roster.current(), row)).toBe(361_000)
  })

  it('takes a list of the future, after the clock was set back, for new', () => {
    const database = new DatabaseSync(':memory:')
    createRoster({ database, clock: manualClock(9_000_000) }).update(list)
    expect(createRoster({ database, clock: manualClock(1_000) }).current()).toMatchObject({ ageMs: 0, servers: [row] })
  })

  it.each(['[', '7', '[{"serverId":7}]', 'null'])('starts empty when the disk holds %s', (servers) => {
    const database = new DatabaseSync(':memory:')
    const clock = manualClock()
    createRoster({ database, clock }).update(list)
    database.prepare('UPDATE roster SET servers = ?').run(servers)
    expect(createRoster({ database, clock }).current().servers).toEqual([])
  })

  it('holds the newest list also when the disk does not take it', () => {
    const database = new DatabaseSync(':memory:')
    const roster = createRoster({ database, clock: manualClock() })
    const heard: number[] = []
    roster.subscribe(({ servers }) => heard.push(servers.length))
    database.exec('PRAGMA query_only = ON')
    roster.update(list)
    expect([roster.current().servers, heard]).toEqual([[row], [1]])
  })
})
