import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Database = DatabaseSync

/** Of the tables as this version makes them. A change that an older file does not fit raises it, and brings older files along. */
const SCHEMA_VERSION = 1

/** The file can't be used, for a reason that the operator can mend: one clear line, no stack. */
export class StorageError extends Error {}

/** SQLite's own words about a file that is no sound database. */
export class DamagedError extends Error {}

export const fileIn = (dataDir: string): string => join(dataDir, 'voxpool.db')

/**
 * The one SQLite file of the bot, in WAL mode. Each part that keeps something makes its own tables.
 * What was written is there after a kill at any moment. `synchronous = NORMAL` syncs only now and then: a power cut may take the last writes back, never
 * the soundness of the file. `FULL` would stop the event loop for 1 to 40 ms at every write, and packets are due every 20.
 * @throws DamagedError when it is no database or its pages are malformed; StorageError when a newer version wrote it; SQLite's error when it can't be used
 */
export function openDatabase(dataDir: string): Database {
  mkdirSync(dataDir, { recursive: true })
  const database = new DatabaseSync(fileIn(dataDir), { timeout: 5000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
    const faults = faultsOf(database)
    if (faults !== undefined) throw new DamagedError(faults)
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version > SCHEMA_VERSION) {
      throw new StorageError(`${fileIn(dataDir)} was written by a newer Voxpool (its version is ${version}, this one knows ${SCHEMA_VERSION}). Start the newer one, or give this one another DATA_DIR.`)
    }
    if (version < SCHEMA_VERSION) database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
    return database
  } catch (error) {
    database.close()
    throw isDamage(error) ? new DamagedError(error.message, { cause: error }) : error
  }
}

/** What is wrong with the pages, or undefined. It reads all of the file. */
export function faultsOf(database: Database): string | undefined {
  const found = String(database.prepare('PRAGMA quick_check(1)').get()?.['quick_check'])
  return found === 'ok' ? undefined : found.replaceAll(/\s+/g, ' ').slice(0, 200)
}

/** SQLite's primary result codes. */
const CODE = { error: 1, busy: 5, readOnly: 8, io: 10, corrupt: 11, full: 13, notADatabase: 26 }

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

/** `error`: what SQLite says of a format or of tables that it can't work with. A full disk, a lock or a missing right is no damage. */
export function isDamage(error: unknown): error is Error {
  const code = codeOf(error)
  return error instanceof DamagedError || code === CODE.corrupt || code === CODE.notADatabase || code === CODE.error
}

export const isBusy = (error: unknown): boolean => codeOf(error) === CODE.busy

/** The disk is full, failing or locked: what was to be kept is not, through no fault of the code. */
export function isDiskFault(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && [CODE.busy, CODE.readOnly, CODE.io, CODE.corrupt, CODE.full].includes(code)
}

/** Runs `work` in one transaction: all of it is kept, or none. */
export function transaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // With a full disk SQLite has taken it back already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
