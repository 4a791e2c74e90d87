import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import { createMetrics } from '../core/metrics.ts'
import { createAssignments } from '../members/assignments.ts'
import { createPresences } from '../members/presence.ts'
import { createNodeClient } from '../nodes/client.ts'
import { createPool } from '../nodes/pool.ts'
import { createChoose } from './choose.ts'
import { createMoveMembers } from './move-members.ts'

/** A pool that is never asked: its nodes stay `joining`, which may be chosen. */
function open(serverIds: readonly string[], capacity: number) {
  const clock = manualClock()
  const pool = createPool({ client: createNodeClient({ clock, hosts: [] }), clock, log: silentLog, metrics: createMetrics() })
  pool.update(serverIds.map((serverId) => ({ serverId, color: '', label: '', apiUrl: `https://${serverId}.example`, enabled: true, capacity, concurrency: 1, activeCount: 0, lastSeen: 0, ageMs: 0 })))
  const assignments = createAssignments(new DatabaseSync(':memory:'), clock.now(), silentLog)
  const presences = createPresences(clock)
  const choose = createChoose({ pool, assignments, presences, clock, log: silentLog })
  const use = (deviceId: string, serverId: string) => {
    assignments.set(deviceId, serverId, clock.now())
    presences.touch(deviceId, serverId)
  }
  return { pool, assignments, presences, use, move: createMoveMembers({ assignments, presences, choose }) }
}

describe('the members of a node that is being emptied', () => {
  it('are spread over the others by room, whatever room there is: no two others differ by more than a member', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 40 }), (others, members) => {
        const names = Array.from({ length: others }, (_, index) => `n${index}`)
        const { pool, assignments, presences, use, move } = open(['old', ...names], 100)
        for (let each = 0; each < members; each++) use(`d${each}`, 'old')
        pool.setDraining('old', true)
        expect(move('old')).toBe(members)
        const counts = names.map((name) => assignments.at(name).length)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(members)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        expect(presences.devices().every(({ deviceId, serverId }) => assignments.get(deviceId) === serverId)).toBe(true)
        pool.close()
      }),
      { numRuns: 40 }
    )
  })

  it('who are not there now are given one when they come, and those of other nodes stay', () => {
    const { pool, assignments, use, move } = open(['old', 'a', 'b'], 10)
    assignments.set('gone', 'old', 0)
    use('here', 'old')
    use('other', 'b')
    pool.setDraining('old', true)
    expect(move('old')).toBe(1)
    expect(['gone', 'here', 'other'].map((name) => assignments.get(name))).toEqual([undefined, 'a', 'b'])
    pool.close()
  })

  it('wait for a node when there is no other', () => {
    const { pool, assignments, use, move } = open(['old'], 10)
    use('here', 'old')
    pool.setDraining('old', true)
    expect([move('old'), assignments.get('here')]).toEqual([0, undefined])
    pool.close()
  })
})
