import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { backupIn, keepBackup } from './backup.ts'
import type { Clock } from './clock.ts'
import { DamagedError, StorageError, fileIn, isBusy, isDamage, openDatabase } from './database.ts'
import type { Database } from './database.ts'
import type { Log } from './log.ts'

export interface DataDir<T> {
  database: Database
  /** What `build` made of the database. */
  parts: T
  /** Ends the backup under way, closes the file, and lets another bot have the folder. */
  close(): Promise<void>
}

/** How long a bot that is ending may take; the one that starts after it waits for that. */
const HANDOVER_MS = 10_000

/**
 * `DATA_DIR` of the one bot that may write there, with its database and what `build` makes of it: every part that keeps something.
 * A database that is damaged, or whose tables the parts can't work with, is set aside; in its place comes the newest backup, or an empty one. What
 * happened and what is lost is one line of the log. `build` may run more than once.
 * @throws StorageError when another bot has the folder, or a newer version wrote it; the system's or SQLite's error when it can't be used
 */
export function openDataDir<T>(dataDir: string, build: (database: Database) => T, { clock, log, waitMs = HANDOVER_MS }: { clock: Clock; log: Log; waitMs?: number }): DataDir<T> {
  mkdirSync(dataDir, { recursive: true })
  const release = lock(dataDir, waitMs)
  try {
    const { database, parts } = openSound(dataDir, build, new Date(clock.now()), log)
    const endBackups = keepBackup({ database, dataDir, clock, log })
    return {
      database,
      parts,
      async close() {
        await endBackups()
        database.close()
        release()
      }
    }
  } catch (error) {
    release()
    throw error
  }
}

/** Held by the process itself: however it dies, the lock goes with it. A file beside the database, which stays open to whoever looks into it. */
function lock(dataDir: string, waitMs: number): () => void {
  const file = new DatabaseSync(join(dataDir, 'voxpool.lock'), { timeout: waitMs })
  try {
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (isBusy(error)) throw new StorageError(`DATA_DIR (${dataDir}): another Voxpool uses this folder. End it, or give this one a folder of its own.`)
    throw error
  }
  return () => file.close()
}

interface Opened<T> {
  database: Database
  parts: T
}

function openSound<T>(dataDir: string, build: (database: Database) => T, now: Date, log: Log): Opened<T> {
  const file = fileIn(dataDir)
  const backup = backupIn(dataDir)
  const sizeBytes = statSync(file, { throwIfNoEntry: false })?.size
  let what = `${file} is ${sizeBytes === undefined ? 'gone' : 'empty'}.`
  if (sizeBytes || !existsSync(backup)) {
    try {
      return openBuilt(dataDir, build)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      what = `${file} is damaged (${error.message}); it was set aside as ${setAside(file, now)}.`
    }
  } else setAside(file, now)

  const restored = existsSync(backup) ? restore(dataDir, build, now) : undefined
  if (restored !== undefined) {
    log.error(`${what} The backup of ${restored.madeAt.toISOString()} took its place: what was changed since then is lost. For an empty start move ${backup} away too.`)
    return restored
  }
  log.error(
    `${what} No sound backup was there, so the bot starts with an empty one: what servers, members and dictionaries had kept is lost. ` +
      `To bring back a copy of your own, end the bot, remove ${file}-wal, put the copy in the place of ${file}, and start again.`
  )
  return openBuilt(dataDir, build)
}

/** The backup in the place of the database; a backup that is no better is set aside too. */
function restore<T>(dataDir: string, build: (database: Database) => T, now: Date): (Opened<T> & { madeAt: Date }) | undefined {
  const backup = backupIn(dataDir)
  copyFileSync(backup, fileIn(dataDir))
  try {
    return { ...openBuilt(dataDir, build), madeAt: statSync(backup).mtime }
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    for (const end of ENDS) rmSync(fileIn(dataDir) + end, { force: true })
    setAside(backup, now)
    return undefined
  }
}

/** The parts try their tables at once: somebody else's, or some that lost a column, are damage as malformed pages are. */
function openBuilt<T>(dataDir: string, build: (database: Database) => T): Opened<T> {
  const database = openDatabase(dataDir)
  try {
    return { database, parts: build(database) }
  } catch (error) {
    database.close()
    if (!isDamage(error)) throw error
    // Parts that fail on an empty database are at fault themselves: nobody's data is set aside for that.
    const empty = new DatabaseSync(':memory:')
    build(empty)
    empty.close()
    throw new DamagedError(error.message, { cause: error })
  }
}

/** SQLite's own files beside a database belong to it: what is in them would be written into another one. */
const ENDS = ['', '-wal', '-shm']

/** @returns the new name */
function setAside(file: string, now: Date): string {
  const aside = `${file}.damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}`
  for (const end of ENDS) if (existsSync(file + end)) renameSync(file + end, aside + end)
  return aside
}
