import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../core/database.ts'
import type { Database } from '../core/database.ts'
import { createDictionaries } from './dictionaries.ts'
import type { Dictionaries } from './dictionaries.ts'
import type { Draft } from './entry.ts'
import { PATTERNS_MAX } from './patterns.ts'
import { ENTRIES_MAX } from './scope.ts'
import type { Scope } from './scope.ts'

const mina: Scope = { of: 'mine', userId: '10' }
const haru: Scope = { of: 'mine', userId: '11' }
const here: Scope = { of: 'server', guildId: '20' }
const all: Scope = { of: 'all' }

let dataDir: string
let database: Database
let dictionaries: Dictionaries

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'voxpool-dictionary-'))
  reopen()
})
afterEach(() => {
  database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function reopen() {
  database = openDatabase(dataDir)
  dictionaries = createDictionaries(database)
}
const say = (text: string, userId = '10', guildId = '20') => dictionaries.replacerFor(guildId, userId)(text)
const words = (scope: Scope) => dictionaries.list(scope).map(({ from, to }) => `${from}=${to}`)

describe('entries', () => {
  it('hold for whom they were made', () => {
    dictionaries.add(all, { from: 'a', to: 'all' })
    dictionaries.add(here, { from: 'b', to: 'here' })
    dictionaries.add(mina, { from: 'c', to: 'mina' })
    expect(say('a b c')).toBe('all here mina')
    expect(say('a b c', '11')).toBe('all here c')
    expect(say('a b c', '10', '21')).toBe('all b mina')
    const uses: unknown[] = []
    dictionaries.replacerFor('20', '10', (use) => uses.push(use))('x c a')
    expect(uses).toMatchObject([{ of: 'mine', start: 2, end: 3, entry: { from: 'c', to: 'mina' } }, { of: 'all', start: 4, end: 5 }])
  })

  it('of the narrower scope go first', () => {
    for (const [scope, to] of [[all, 'all'], [here, 'here'], [mina, 'mina']] as const) dictionaries.add(scope, { from: 'x', to })
    expect([say('x'), say('x', '11'), say('x', '11', '21')]).toEqual(['mina', 'here', 'all'])
  })

  it('hold at once when they change, also for who asked for the replacer before', () => {
    const replacer = dictionaries.replacerFor('20', '10')
    expect(replacer('w')).toBe('w')
    dictionaries.add(mina, { from: 'w', to: 'わら' })
    expect(replacer('w')).toBe('わら')
    dictionaries.add(mina, { from: 'w', to: 'ダブリュー' })
    expect(replacer('w')).toBe('ダブリュー')
    dictionaries.remove(mina, 'w')
    expect(replacer('w')).toBe('w')
  })

  it('of a server’s own emoji are those of its name, however it was chosen', () => {
    expect(dictionaries.add(mina, { from: '<a:party_blob:123456789012345678>', to: 'わーい' })).toMatchObject({ ok: true, entry: { from: 'party_blob' } })
    expect(say('party_blob')).toBe('わーい')
    expect(dictionaries.add(mina, { from: '<:x:1>', to: '$0', kind: 'regex' })).toMatchObject({ entry: { from: '<:x:1>' } })
    expect(dictionaries.remove(mina, '<:party_blob:876543210987654321>')).toMatchObject({ to: 'わーい' })
  })

  it('that are written the same are one: it is changed, keeps its age, and what it was is told', () => {
    dictionaries.add(mina, { from: 'GPU', to: 'old' })
    dictionaries.add(mina, { from: 'CPU', to: 'x' })
    expect(dictionaries.add(mina, { from: 'ｇｐｕ', to: 'new', priority: 7 })).toMatchObject({ ok: true, was: { from: 'GPU', to: 'old' }, entry: { to: 'new', priority: 7 } })
    expect(words(mina)).toEqual(['ｇｐｕ=new', 'CPU=x'])
    expect(dictionaries.add(mina, { from: 'GPU', to: 'r', kind: 'regex' })).toMatchObject({ ok: true, was: undefined })
    expect(dictionaries.remove(mina, ' gpu ')).toMatchObject({ kind: 'literal', to: 'new' })
    expect(dictionaries.remove(mina, 'GPU')).toMatchObject({ kind: 'regex', to: 'r', wholeWord: false })
    expect(dictionaries.remove(mina, 'GPU')).toBeUndefined()
  })

  it('that begin with a space can be removed, though Discord trims what is typed', () => {
    dictionaries.add(mina, { from: ' w+', to: 'x', kind: 'regex' })
    expect(dictionaries.remove(mina, 'w+')).toMatchObject({ from: ' w+' })
  })

  it('are there after the database was opened again', () => {
    dictionaries.add(mina, { from: 'w', to: 'わら', priority: 9, wholeWord: false })
    dictionaries.add(here, { from: '(\\d)x', to: '$1かける', kind: 'regex' })
    const before = dictionaries.list(mina)
    database.close()
    reopen()
    expect(dictionaries.list(mina)).toEqual(before)
    expect(say('2x ww')).toBe('2かける わらわら')
  })

  it.each<[Draft, object]>([
    [{ from: '  ' }, { reason: 'fromEmpty' }],
    [{ from: '\u200b\ufe0f' }, { reason: 'fromEmpty' }],
    [{ from: '', kind: 'regex' }, { reason: 'fromEmpty' }],
    [{ from: 'x'.repeat(101) }, { reason: 'fromTooLong' }],
    [{ from: 'x', to: 'y'.repeat(201) }, { reason: 'toTooLong' }],
    [{ from: 'x', priority: 11 }, { reason: 'priority' }],
    [{ from: 'x', priority: -1 }, { reason: 'priority' }],
    [{ from: 'x', priority: 2.5 }, { reason: 'priority' }],
    [{ from: '(a', kind: 'regex' }, { reason: 'regexBad', detail: 'missing closing ): `(a`' }],
    [{ from: '(?=a)', kind: 'regex' }, { reason: 'regexBad', detail: expect.stringContaining('(?=') as string }],
    [{ from: '(a)\\1', kind: 'regex' }, { reason: 'regexBad', detail: expect.stringContaining('\\1') as string }],
    [{ from: '\\p{L}{500}', kind: 'regex' }, { reason: 'regexTooLarge' }],
    [{ from: '((a{9}){9}){9}', kind: 'regex' }, { reason: 'regexTooLarge' }],
    [{ from: '(((((a{99}){99}){99}){99}){99}', kind: 'regex' }, { reason: 'regexBad' }]
  ])('like %j are refused', (draft, refused) => {
    expect(dictionaries.add(mina, { to: 'x', ...draft })).toMatchObject({ ok: false, ...refused })
    expect(dictionaries.list(mina)).toEqual([])
  })

  it('are kept as they can be seen: on one line, without invisible characters', () => {
    expect(dictionaries.add(mina, { from: ' a\u200bb\nc ', to: 'か\u3099\u202e\tx ' })).toMatchObject({ ok: true, entry: { from: 'ab c', to: 'が x' } })
    expect(dictionaries.add(mina, { from: '👨‍👩‍👧', to: 'family' })).toMatchObject({ ok: true, entry: { from: '👨‍👩‍👧' } })
  })

  it('have a bound', () => {
    for (let count = 0; count < ENTRIES_MAX.mine; count++) dictionaries.add(mina, { from: `w${count}`, to: 'x' })
    expect(dictionaries.add(mina, { from: 'more', to: 'x' })).toEqual({ ok: false, reason: 'full' })
    expect(dictionaries.add(mina, { from: 'w0', to: 'y' })).toMatchObject({ ok: true })
    expect(dictionaries.add(haru, { from: 'more', to: 'x' })).toMatchObject({ ok: true })
    dictionaries.remove(mina, 'w1')
    expect(dictionaries.add(mina, { from: 'more', to: 'x' })).toMatchObject({ ok: true })
  })

  it('that are regular expressions have bounds of their own, in number and in size together', () => {
    for (let count = 0; count < PATTERNS_MAX; count++) expect(dictionaries.add(mina, { from: `a${count}`, to: 'x', kind: 'regex' }).ok).toBe(true)
    expect(dictionaries.add(mina, { from: 'b', to: 'x', kind: 'regex' })).toEqual({ ok: false, reason: 'regexTooMany' })
    expect(dictionaries.add(mina, { from: 'a0', to: 'y', kind: 'regex' })).toMatchObject({ ok: true })
    const refused = Array.from({ length: 10 }, (_, count) => dictionaries.add(here, { from: `x{80}${count}`, to: 'x', kind: 'regex' })).filter(({ ok }) => !ok)
    expect(refused.length).toBeGreaterThan(3)
    expect(refused).toEqual(refused.map(() => ({ ok: false, reason: 'regexTooLargeTogether' })))
  })

  it('that no longer compile are left out, and the others hold', () => {
    database.prepare('INSERT INTO dictionary (scope, kind, key, written, spoken, priority, whole_word) VALUES (?, ?, ?, ?, ?, 5, 0)').run('mine:10', 'regex', '(', '(', 'x')
    dictionaries.add(mina, { from: 'b+', to: 'y', kind: 'regex' })
    expect(say('(bb')).toBe('(y')
  })

  it('are found by a part of what is written or spoken, the best first', () => {
    for (const [from, to] of [['Kubernetes', 'クバネティス'], ['kubectl', 'キューブコントロール'], ['東京', 'トウキョウ']] as const) dictionaries.add(here, { from, to })
    const found = (query: string) => dictionaries.search(here, query, 25).map(({ from }) => from)
    expect(found('KUBECTL')[0]).toBe('kubectl')
    expect(found('kbrnts')).toEqual(['Kubernetes'])
    expect(found('トウキョ')).toEqual(['東京'])
    expect(found('nothing of it')).toEqual([])
    expect(dictionaries.search(here, '', 2).length).toBe(2)
  })
})

describe('filling a dictionary', () => {
  const many = (count: number): Draft[] => Array.from({ length: count }, (_, index) => ({ from: `w${index}`, to: `v${index}` }))

  it('adds, changes and counts', async () => {
    dictionaries.add(mina, { from: 'a', to: '1' })
    dictionaries.add(mina, { from: 'b', to: '2' })
    const filled = await dictionaries.fill(mina, [{ from: 'A', to: '1' }, { from: 'b', to: '2' }, { from: 'c', to: '3' }, { from: '', to: 'x' }, { from: '(', to: 'x', kind: 'regex' }], 'merge')
    expect(filled).toMatchObject({ added: 1, changed: 1, same: 1, removed: 0, refused: [{ index: 3, reason: 'fromEmpty' }, { index: 4, reason: 'regexBad', detail: expect.any(String) as string }] })
    expect(words(mina)).toEqual(['A=1', 'b=2', 'c=3'])
  })

  it('in the place of what is there removes the rest', async () => {
    dictionaries.add(mina, { from: 'a', to: '1' })
    dictionaries.add(mina, { from: 'b', to: '2' })
    expect(await dictionaries.fill(mina, [{ from: 'b', to: 'x' }, { from: 'c', to: '3' }, { from: 'c', to: '4' }], 'replace')).toEqual({ added: 1, changed: 1, same: 1, removed: 1, refused: [] })
    expect(words(mina)).toEqual(['b=x', 'c=4'])
    expect(say('a b c')).toBe('a x 4')
  })

  it('with nothing that fits removes nothing', async () => {
    dictionaries.add(mina, { from: 'a', to: '1' })
    expect(await dictionaries.fill(mina, [{ from: '' }], 'replace')).toMatchObject({ added: 0, removed: 0 })
    expect(words(mina)).toEqual(['a=1'])
  })

  it('goes up to the bound, and takes a whole new set in the place of a full one', async () => {
    expect(await dictionaries.fill(mina, many(ENTRIES_MAX.mine + 50), 'merge')).toMatchObject({ added: ENTRIES_MAX.mine, refused: { length: 50, 0: { index: ENTRIES_MAX.mine, reason: 'full' } } })
    const others = many(ENTRIES_MAX.mine).map(({ from, to }) => ({ from: `x${from}`, to: to ?? '' }))
    expect(await dictionaries.fill(mina, others, 'replace')).toMatchObject({ added: ENTRIES_MAX.mine, removed: ENTRIES_MAX.mine, refused: [] })
    expect(dictionaries.list(mina).length).toBe(ENTRIES_MAX.mine)
  })

  it('keeps the bound while others add, and is done one after the other', async () => {
    const fills = [dictionaries.fill(here, many(1_900), 'merge'), dictionaries.fill(here, many(2_500).slice(1_900), 'merge')]
    let added = 0
    for (let count = 0; count < 200; count++) if (dictionaries.add(here, { from: `own${count}`, to: 'x' }).ok) added++
    const filled = await Promise.all(fills)
    expect(dictionaries.list(here).length).toBe(ENTRIES_MAX.server)
    expect(added + filled.reduce((sum, each) => sum + each.added, 0)).toBe(ENTRIES_MAX.server)
    expect([added, filled[1]?.added]).toEqual([200, 0])
  })

  it('lets all else go on, and does not try patterns without end', async () => {
    const bad = Array.from({ length: 5_000 }, (_, index): Draft => ({ from: `(${index}`, to: 'x', kind: 'regex' }))
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const filled = await dictionaries.fill(all, [...bad, { from: 'good', to: 'x' }], 'merge')
    isDone = true
    expect(turns).toBeGreaterThan(10)
    expect(filled).toMatchObject({ added: 1, refused: { length: 5_000, 4_999: { reason: 'regexTooMany' } } })
  })
})

it('a full dictionary of each scope speaks a long text', async () => {
  const full = (count: number, sign: string): Draft[] => Array.from({ length: count }, (_, index) => ({ from: `${sign}${index}`, to: sign.repeat(3) }))
  await dictionaries.fill(all, full(ENTRIES_MAX.all, '語'), 'merge')
  await dictionaries.fill(here, full(ENTRIES_MAX.server, '言'), 'merge')
  await dictionaries.fill(mina, full(ENTRIES_MAX.mine, '葉'), 'merge')
  expect(say('語4999 言1999 葉199 語5000 言12。'.repeat(40))).toBe('語語語 言言言 葉葉葉 語5000 言言言。'.repeat(40))
})
