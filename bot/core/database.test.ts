import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DamagedError, fileIn, isDamage, isDiskFault, openDatabase, transaction } from './database.ts'
import type { Database } from './database.ts'

let dir: string
const open: Database[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'voxpool-database-'))
})
afterEach(() => {
  for (const database of open.splice(0)) database.close()
  rmSync(dir, { recursive: true, force: true })
})

function openHere(): Database {
  const database = openDatabase(dir)
  open.push(database)
  database.exec('CREATE TABLE IF NOT EXISTS words (word TEXT NOT NULL) STRICT')
  return database
}
const count = (database: Database) => Number(database.prepare('SELECT count(*) AS words FROM words').get()?.['words'])
const fill = (database: Database) => {
  const add = database.prepare('INSERT INTO words VALUES (?)')
  for (let at = 0; at < 10_000; at++) add.run('word '.repeat(50))
}
function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

describe('the database', () => {
  it('writes a log ahead and lets SQLite sync when it must, not at every write', () => {
    const database = openHere()
    expect([database.prepare('PRAGMA journal_mode').get(), database.prepare('PRAGMA synchronous').get()]).toEqual([{ journal_mode: 'wal' }, { synchronous: 1 }])
  })

  it('that is none is damage; a full disk and a mistake of ours in SQL are no fault of the file', () => {
    writeFileSync(fileIn(dir), 'x'.repeat(5000))
    expect(thrownBy(() => openDatabase(dir))).toBeInstanceOf(DamagedError)
    rmSync(fileIn(dir))
    const database = openHere()
    database.exec('PRAGMA max_page_count = 3')
    const full = thrownBy(() => fill(database))
    const constraint = thrownBy(() => database.prepare('INSERT INTO words VALUES (NULL)').run())
    expect([isDiskFault(full), isDamage(full)]).toEqual([true, false])
    expect([isDiskFault(constraint), isDamage(constraint), isDiskFault(new Error('other'))]).toEqual([false, false, false])
  })
})

describe('a transaction', () => {
  it('is kept as a whole, or not at all', () => {
    const database = openHere()
    expect(transaction(database, () => (database.exec("INSERT INTO words VALUES ('one')"), 'done'))).toBe('done')
    const failing = () =>
      transaction(database, () => {
        database.exec("INSERT INTO words VALUES ('two')")
        throw new Error('half way')
      })
    expect(failing).toThrow('half way')
    expect(count(database)).toBe(1)
  })

  it('that finds the disk full says so, and leaves the next one free to begin', () => {
    const database = openHere()
    database.exec('PRAGMA max_page_count = 3')
    expect(isDiskFault(thrownBy(() => transaction(database, () => fill(database))))).toBe(true)
    expect(count(database)).toBe(0)
    transaction(database, () => database.exec("INSERT INTO words VALUES ('one')"))
    expect(count(database)).toBe(1)
  })
})
