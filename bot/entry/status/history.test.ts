import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../core/database.ts'
import type { Database } from '../../core/database.ts'
import { silentLog } from '../../core/log.ts'
import { manualClock } from '../../core/manual-clock.ts'
import type { ManualClock } from '../../core/manual-clock.ts'
import { STEP_MS, createHistory } from './history.ts'
import type { History } from './history.ts'
import { createHistoryTable } from './history-table.ts'

/** The beginning of a step. */
const START_MS = 56_666_667 * STEP_MS

let folder: string
let database: Database
let clock: ManualClock
let waiting: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'voxpool-history-'))
  database = openDatabase(folder)
  clock = manualClock(START_MS)
  waiting = 0
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (at = clock): History => createHistory({ table: createHistoryTable(database), clock: at, log: silentLog, waiting: () => waiting })
const ats = (history: History) => history.points().map(({ at }) => (at - START_MS) / STEP_MS)

describe('the history', () => {
  it('has a point for each whole step, also where nothing was asked', async () => {
    const history = open()
    expect(history.points()).toEqual([])
    await clock.advance(STEP_MS - 1)
    expect(history.points()).toEqual([])
    await clock.advance(1)
    expect(history.points()).toEqual([{ at: START_MS, requests: 0, failed: 0, waiting: 0, p95Ms: null }])
    await clock.advance(3 * STEP_MS)
    expect(ats(history)).toEqual([0, 1, 2, 3])
  })

  it('counts requests, those that a node failed, how long the good ones took, and the most that waited', async () => {
    const history = open()
    for (let ms = 1; ms <= 100; ms++) history.ended({ tookMs: ms })
    history.ended({ isNodesFault: true })
    history.ended({ isNodesFault: false })
    waiting = 7
    await clock.advance(2_000)
    waiting = 3
    await clock.advance(STEP_MS)
    history.ended({ tookMs: 5 })
    await clock.advance(STEP_MS)
    expect(history.points()).toEqual([
      { at: START_MS, requests: 102, failed: 1, waiting: 7, p95Ms: 95 },
      { at: START_MS + STEP_MS, requests: 1, failed: 0, waiting: 3, p95Ms: 5 }
    ])
  })

  it('puts what ends at the very edge of a step into the next one', async () => {
    const history = open()
    await clock.advance(STEP_MS - 500)
    history.ended({ tookMs: 5 })
    await clock.advance(500)
    history.ended({ tookMs: 5 })
    history.ended({ tookMs: 5 })
    await clock.advance(STEP_MS)
    expect(history.points().map(({ requests }) => requests)).toEqual([1, 2])
  })

  it('keeps an hour, 120 steps at most', async () => {
    const history = open()
    await clock.advance(119 * STEP_MS + 10_000)
    expect(ats(history)).toHaveLength(119)
    await clock.advance(STEP_MS)
    expect([ats(history)[0], ats(history).length]).toEqual([1, 119])
    await clock.advance(20_000)
    expect([ats(history)[0], ats(history).at(-1), ats(history).length]).toEqual([2, 120, 119])
    await clock.advance(3 * 3_600_000)
    expect(ats(history).length).toBeLessThanOrEqual(120)
    expect(Number(database.prepare('SELECT count(*) AS rows FROM pool_history').get()?.['rows'])).toBeLessThanOrEqual(121)
  })

  it('outlives a restart, which is a gap', async () => {
    const before = open()
    before.ended({ tookMs: 40 })
    await clock.advance(2 * STEP_MS + 1_000)
    before.stop()
    const later = manualClock(START_MS + 10 * STEP_MS)
    const history = open(later)
    expect(ats(history)).toEqual([0, 1, 2])
    await later.advance(STEP_MS)
    expect(ats(history)).toEqual([0, 1, 2, 10])
    expect(history.points()[0]).toMatchObject({ requests: 1, p95Ms: 40 })
    expect(ats(open(manualClock(START_MS + 3_600_000 + 11 * STEP_MS)))).toEqual([])
  })

  it('adds up both parts of a step in which the bot was restarted', async () => {
    const before = open()
    before.ended({ tookMs: 40 })
    before.ended({ isNodesFault: true })
    waiting = 4
    await clock.advance(5_000)
    before.stop()
    waiting = 1
    const after = open()
    after.ended({ tookMs: 60 })
    await clock.advance(STEP_MS)
    expect(after.points()).toEqual([{ at: START_MS, requests: 3, failed: 1, waiting: 4, p95Ms: 60 }])
  })

  it('does not take the future of a clock that was set back for the past', async () => {
    const before = open()
    await clock.advance(5 * STEP_MS)
    before.stop()
    const back = manualClock(START_MS + STEP_MS)
    const history = open(back)
    expect(ats(history)).toEqual([0])
    await back.advance(2 * STEP_MS)
    expect(ats(history)).toEqual([0, 1, 2])
  })

  it('goes on where the disk does not take it', async () => {
    const history = open()
    database.exec('DROP TABLE pool_history')
    history.ended({ tookMs: 5 })
    await clock.advance(STEP_MS)
    expect(history.points()).toMatchObject([{ requests: 1 }])
  })
})
