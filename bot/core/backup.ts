import { renameSync, rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import type { Clock } from './clock.ts'
import { DamagedError, faultsOf, fileIn } from './database.ts'
import type { Database } from './database.ts'
import type { Log } from './log.ts'

export const backupIn = (dataDir: string): string => `${fileIn(dataDir)}.bak`

/** A bot that starts over and over has no time for it. */
const FIRST_AFTER_MS = 10 * 60_000
const EVERY_MS = 24 * 3_600_000

/**
 * A copy of the database once a day, `voxpool.db.bak`, a file of its own that can be put in the database's place. It takes the place of the older copy
 * only when it was found sound. The copying goes on beside the event loop, some pages at a time. Returns what ends it.
 */
export function keepBackup({ database, dataDir, clock, log }: { database: Database; dataDir: string; clock: Clock; log: Log }): () => Promise<void> {
  const fresh = `${backupIn(dataDir)}.new`
  let cancel = () => {}
  let underWay = Promise.resolve()
  const plan = (afterMs: number) => {
    cancel = clock.after(afterMs, () => {
      underWay = attempt()
    })
  }

  async function attempt(): Promise<void> {
    try {
      await copy()
    } catch (error) {
      log.error({ err: error }, 'the database was not backed up')
      rmSync(fresh, { force: true })
    }
    plan(EVERY_MS)
  }

  async function copy(): Promise<void> {
    rmSync(fresh, { force: true })
    await backup(database, fresh, { rate: 64 })
    const copied = new DatabaseSync(fresh)
    try {
      copied.exec('PRAGMA journal_mode = DELETE')
      const faults = faultsOf(copied)
      if (faults !== undefined) throw new DamagedError(faults)
    } finally {
      copied.close()
    }
    renameSync(fresh, backupIn(dataDir))
  }

  plan(FIRST_AFTER_MS)
  return async () => {
    cancel()
    await underWay
    cancel()
  }
}
