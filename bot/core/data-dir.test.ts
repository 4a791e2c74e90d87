import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDataDir } from './data-dir.ts'
import type { DataDir } from './data-dir.ts'
import { StorageError } from './database.ts'
import type { Database } from './database.ts'
import { createLog } from './log.ts'
import { manualClock } from './manual-clock.ts'

let dir: string
let said: string[]
let open: DataDir<Words>[]

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'voxpool-data-'))
  said = []
  open = []
})
afterEach(async () => {
  for (const each of open) await each.close()
  rmSync(dir, { recursive: true, force: true })
})

interface Words {
  add(word: string): void
  all(): string[]
}

/** A part that keeps something. */
function createWords(database: Database): Words {
  database.exec('CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT')
  const write = database.prepare('INSERT INTO words (word, note) VALUES (?, ?)')
  const read = database.prepare('SELECT word FROM words ORDER BY rowid')
  return { add: (word) => void write.run(word, 'note '.repeat(20)), all: () => read.all().map((row) => String(row['word'])) }
}

const clock = manualClock(Date.UTC(2026, 4, 6, 7, 8, 9, 10))
const log = createLog('info', [], { write: (line) => said.push(String((JSON.parse(line) as { msg: unknown }).msg)) })

function openHere(build = createWords, more: { clock?: typeof clock; waitMs?: number } = {}): DataDir<Words> {
  const opened = openDataDir(dir, build, { clock, log, ...more })
  open.push(opened)
  return opened
}
async function end(): Promise<void> {
  for (const each of open.splice(0)) await each.close()
}

const file = (name = 'voxpool.db') => join(dir, name)
const ASIDE = 'voxpool.db.damaged-2026-05-06T07-08-09-010Z'
const FIVE = ['one', 'two', 'three', 'four', 'five']

/** A file of some pages, as an orderly end leaves it. */
async function keepFive(): Promise<void> {
  const { parts, database } = openHere()
  for (const word of FIVE) parts.add(word)
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 300) INSERT INTO words SELECT 'filler' || i, '' FROM n; DELETE FROM words WHERE note = ''`)
  await end()
}

/** What a day of running leaves behind. */
async function backUp(): Promise<void> {
  const day = manualClock(clock.now())
  openHere(createWords, { clock: day })
  await day.advance(10 * 60_000)
  await end()
}

function overwrite(name: string, at: number, bytes: Uint8Array): void {
  const content = readFileSync(file(name))
  if (at < content.length) content.set(bytes.subarray(0, content.length - at), at)
  writeFileSync(file(name), content)
}

describe('a sound database', () => {
  it('is opened with all that was kept, without a word', async () => {
    await keepFive()
    expect(openHere().parts.all()).toEqual(FIVE)
    expect(said).toEqual([])
  })

  it('of a newer version is refused in a clear line, and left as it is', async () => {
    await keepFive()
    const newer = new DatabaseSync(file())
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    expect(() => openHere()).toThrow(/was written by a newer Voxpool \(its version is 99/)
    expect(readdirSync(dir).filter((name) => name.includes('damaged'))).toEqual([])
  })

  it('is not set aside because a part is at fault', async () => {
    await keepFive()
    expect(() => openHere((database) => (database.prepare('SELECT word FROM nowhere'), createWords(database)))).toThrow(/no such table: nowhere/)
    expect(openHere().parts.all()).toEqual(FIVE)
  })

  it('that can’t be read is refused, and left where it is', () => {
    mkdirSync(file())
    expect(() => openHere()).toThrow(/unable to open database file/)
    expect(readdirSync(dir).sort()).toEqual(['voxpool.db', 'voxpool.lock'])
  })
})

describe('a folder that another bot uses', () => {
  it('is refused in a clear line, and free as soon as that one has ended', async () => {
    await keepFive()
    openHere()
    expect(() => openHere(createWords, { waitMs: 50 })).toThrow(new StorageError(`DATA_DIR (${dir}): another Voxpool uses this folder. End it, or give this one a folder of its own.`))
    await end()
    expect(openHere().parts.all()).toEqual(FIVE)
  })
})

const damages: [string, () => void][] = [
  ['is no database at all', () => writeFileSync(file(), 'Not Found\n'.repeat(500))],
  ['has lost its end', () => truncateSync(file(), 5000)],
  ['has lost all but a few bytes', () => truncateSync(file(), 60)],
  ['has garbage in its first page', () => overwrite('voxpool.db', 100, new Uint8Array(200).fill(0xa5))],
  ['has garbage in another page', () => overwrite('voxpool.db', 4096, new Uint8Array(4096).fill(0xa5))],
  [
    'has somebody else’s table under our name',
    () => {
      const foreign = new DatabaseSync(file())
      foreign.exec('DROP TABLE words; CREATE TABLE words (id INTEGER PRIMARY KEY)')
      foreign.close()
    }
  ]
]

describe.each(damages)('a database that %s', (_, damage) => {
  it('is set aside as it is, with a line that says what is lost, and the bot starts with an empty one', async () => {
    await keepFive()
    damage()
    const bytes = readFileSync(file())
    const { parts } = openHere()
    expect(parts.all()).toEqual([])
    parts.add('new')
    expect(readFileSync(file(ASIDE)).equals(bytes)).toBe(true)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/voxpool\.db is damaged \(.+\); it was set aside as .+voxpool\.db\.damaged-2026.+ is lost\. To bring back a copy of your own, end the bot/)
    await end()
    expect(openHere().parts.all()).toEqual(['new'])
  })

  it('is replaced by the backup, with a line that says of when it is', async () => {
    await keepFive()
    await backUp()
    openHere().parts.add('six')
    await end()
    damage()
    expect(openHere().parts.all()).toEqual(FIVE)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/it was set aside as .+ The backup of \d{4}-.+ took its place: what was changed since then is lost/)
  })
})

describe('the log that a kill leaves beside a database', () => {
  /** What was written last stands only there. */
  async function kill(): Promise<void> {
    openHere().parts.add('six')
    const copies = [file(), file('voxpool.db-wal')].map((name) => [name, readFileSync(name)] as const)
    await end()
    for (const [name, bytes] of copies) writeFileSync(name, bytes)
  }

  it('is read by the next start', async () => {
    await keepFive()
    await kill()
    expect(openHere().parts.all()).toEqual([...FIVE, 'six'])
  })

  it('may be torn at its end, which costs what stood there alone', async () => {
    await keepFive()
    await kill()
    truncateSync(file('voxpool.db-wal'), readFileSync(file('voxpool.db-wal')).length - 100)
    expect(openHere().parts.all()).toEqual(FIVE)
    expect(said).toEqual([])
  })

  it('never gets into the database that takes the place of the damaged one', async () => {
    await keepFive()
    await backUp()
    await kill()
    overwrite('voxpool.db', 0, new Uint8Array(300).fill(0xa5))
    expect(openHere().parts.all()).toEqual(FIVE)
  })

  it('is set aside when its database is gone', async () => {
    await keepFive()
    await backUp()
    await kill()
    rmSync(file())
    expect(openHere().parts.all()).toEqual(FIVE)
    expect(readdirSync(dir)).toContain(`${ASIDE}-wal`)
  })
})

describe('a database that is gone or empty', () => {
  it.each([['gone', () => rmSync(file())], ['empty', () => truncateSync(file(), 0)]])('(%s) comes back from the backup', async (what, lose) => {
    await keepFive()
    await backUp()
    lose()
    expect(openHere().parts.all()).toEqual(FIVE)
    expect(said[0]).toContain(`voxpool.db is ${what}. The backup of`)
  })
})

describe('a backup', () => {
  it('is a file of its own, made anew every day', async () => {
    const day = manualClock(clock.now())
    const { parts } = openHere(createWords, { clock: day })
    parts.add('one')
    const words = () => {
      copyFileSync(file('voxpool.db.bak'), file('copy.db'))
      const copy = new DatabaseSync(file('copy.db'))
      const all = createWords(copy).all()
      copy.close()
      return all
    }
    await day.advance(10 * 60_000)
    await expect.poll(words).toEqual(['one'])
    parts.add('two')
    await expect.poll(() => day.pending()).toBe(1)
    await day.advance(24 * 3_600_000)
    await expect.poll(words).toEqual(['one', 'two'])
    await end()
    expect(day.pending()).toBe(0)
    expect(readdirSync(dir).sort()).toEqual(['copy.db', 'voxpool.db', 'voxpool.db.bak', 'voxpool.lock'])
  })

  it('that is damaged too is set aside too', async () => {
    await keepFive()
    await backUp()
    for (const name of ['voxpool.db', 'voxpool.db.bak']) overwrite(name, 0, new Uint8Array(300).fill(0xa5))
    expect(openHere().parts.all()).toEqual([])
    expect(said[0]).toContain('No sound backup was there')
    expect(readdirSync(dir).filter((name) => name.includes('.bak.damaged'))).toHaveLength(1)
  })

  it('is not replaced by one of a database that was damaged meanwhile', async () => {
    await keepFive()
    await backUp()
    const day = manualClock(clock.now())
    const { database } = openHere(createWords, { clock: day })
    overwrite('voxpool.db', 4096, new Uint8Array(4096).fill(0xa5))
    // Else the copy is made of what is still in memory.
    database.exec('PRAGMA shrink_memory')
    await day.advance(10 * 60_000)
    await end()
    expect(said).toEqual(['the database was not backed up'])
    said = []
    expect(openHere().parts.all()).toEqual(FIVE)
  })
})

describe('whatever happened to the file', () => {
  const change = fc.oneof(
    fc.record({ kind: fc.constant('cut' as const), at: fc.nat(20_000) }),
    fc.record({ kind: fc.constant('write' as const), at: fc.nat(20_000), bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }) })
  )

  it('the bot starts, and without what was kept only with a line that says so', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        rmSync(dir, { recursive: true, force: true })
        mkdirSync(dir)
        said = []
        await keepFive()
        for (const each of changes) {
          if (each.kind === 'cut') truncateSync(file(), Math.min(each.at, readFileSync(file()).length))
          else overwrite('voxpool.db', each.at, each.bytes)
        }
        try {
          const { parts } = openHere()
          const all = parts.all()
          parts.add('afterwards')
          await end()
          // SQLite has no checksums: what was overwritten inside a text is another text to it.
          return said.length === 1 ? all.length === 0 : said.length === 0
        } catch (error) {
          // Four of the bytes are the version.
          return error instanceof StorageError && /newer/.test(error.message)
        }
      }),
      { numRuns: 60 }
    )
  })
})
