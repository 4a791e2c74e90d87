import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkEntry } from '../entry.ts'
import type { Entry } from '../entry.ts'
import { formatCsv } from './csv.ts'
import { decodeText } from './decode.ts'
import { formatJson } from './json.ts'
import { parseFile } from './parse-file.ts'

function rowsOf(text: string) {
  const parsed = parseFile(text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.file.rows
}
const wordsOf = (text: string) => rowsOf(text).map((row) => ('draft' in row ? [row.draft.from, row.draft.to] : [row.at, row.reason]))

const entry: fc.Arbitrary<Entry> = fc
  .record({
    from: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }), fc.constantFrom('=1+1', "'x", "'=x", "''", '@a', '+', '-1', '\u{ff1d}x', 'a,b;c', '"', 'a"b', '"q"', 'from', '[w]', '{"')),
    to: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('=cmd|/c calc', "'", ',,,', 'から\u3099', '')),
    priority: fc.integer({ min: 0, max: 10 }),
    wholeWord: fc.boolean()
  })
  .map((draft) => checkEntry(draft))
  .filter((checked) => checked.ok)
  .map((checked) => checked.entry)
const entries = fc.array(entry, { minLength: 1, maxLength: 20 })
const patterns: Entry[] = ['=\\d+', 'a{2,}', '"(x)",', '\\+', ' w'].map((from) => ({ from, to: '$1', kind: 'regex', priority: 5, wholeWord: false }))

describe.each([
  ['CSV', formatCsv],
  ['JSON', formatJson]
])('%s', (_name, format) => {
  it('brings every entry back as it was', () => {
    const back = (text: string) => rowsOf(text).map((row) => ('draft' in row ? checkEntry(row.draft) : row))
    fc.assert(
      fc.property(entries, (given) => {
        expect(back(format(given))).toEqual(given.map((each) => ({ ok: true, entry: each })))
      })
    )
    expect(back(format(patterns))).toEqual(patterns.map((each) => ({ ok: true, entry: each })))
  })
})

describe('CSV', () => {
  it('has no cell that a spreadsheet would run', () => {
    fc.assert(
      fc.property(entries, (given) => {
        // As a spreadsheet reads it: cells are quoted where they hold a quotation mark, a comma or a line's end.
        const cells = [...formatCsv(given).slice(1).matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^,\r\n"]*))/g)].map(([, quoted, bare]) => (quoted ?? bare ?? '').replaceAll('""', '"'))
        expect(cells.length).toBeGreaterThan(given.length * 5)
        expect(cells.filter((cell) => /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(cell))).toEqual([])
      })
    )
  })

  it('begins with its mark and its columns', () => {
    expect(formatCsv([{ from: '=A1', to: 'b', kind: 'literal', priority: 5, wholeWord: true }])).toBe("\ufefffrom,to,kind,priority,wholeWord\r\n'=A1,b,literal,5,yes\r\n")
  })

  it.each<[string, string, unknown[][]]>([
    ['two columns', 'GPU,ジーピーユー\nw,わら\n', [['GPU', 'ジーピーユー'], ['w', 'わら']]],
    ['names in another order', 'priority;To;From\n7;b;a', [['a', 'b']]],
    ['Japanese names', '単語\t読み\n東京\tとうきょう', [['東京', 'とうきょう']]],
    ['Korean names', '단어,발음\r\n낱말,난말', [['낱말', '난말']]],
    ['tabs', 'a,b\tc', [['a,b', 'c']]],
    ['quotes and lines in them', '"a ""b""","c\nd"\ne,f', [['a "b"', 'c\nd'], ['e', 'f']]],
    ['a loose quote', 'a"b,c', [['a"b', 'c']]],
    ['empty lines', '\n\na,b\n,\n   \nc,d\n\n', [['a', 'b'], ['c', 'd']]],
    ['old Macs', 'a,b\rc,d', [['a', 'b'], ['c', 'd']]],
    ['a single column', 'a,b\nonly\nc,d', [['a', 'b'], [2, 'columns'], ['c', 'd']]],
    ['a quote that is not closed', 'a,b\n"c,d\ne,f', [['a', 'b'], [2, 'quote']]],
    ['a line that is too long', `a,b\n${'x'.repeat(3_000)},y\nc,d`, [['a', 'b'], [2, 'lineTooLong'], ['c', 'd']]],
    ['fields of the wrong kind', 'from,to,kind,priority\na,b,magic,1\nc,d,,eleven\ne,f,regex,11\ng,h,LITERAL,10', [[2, 'kind'], [3, 'priority'], [4, 'priority'], ['g', 'h']]],
    ['a bracket first', '[w],わら', [['[w]', 'わら']]]
  ])('is read with %s', (_what, text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it('takes priority and whole words from their columns', () => {
    expect(rowsOf('from,to,priority,whole word\na,b,0,no\nc,d,10,yes\ne,f,,')).toMatchObject([
      { at: 2, draft: { priority: 0, wholeWord: false } }, { at: 3, draft: { priority: 10, wholeWord: true } }, { at: 4, draft: { from: 'e', to: 'f' } }
    ])
  })
})

describe('JSON', () => {
  const voicevox = {
    '00000000-0000-4000-8000-000000000001': { surface: 'ＧＰＵ　２', pronunciation: 'ジーピーユーツー', accent_type: 1, word_type: 'PROPER_NOUN', priority: 8, mora_count: 5 },
    '00000000-0000-4000-8000-000000000002': { surface: '東京①', pronunciation: 'トウキョウ', accent_type: 0 },
    '00000000-0000-4000-8000-000000000003': { surface: 'x', priority: 5 },
    '00000000-0000-4000-8000-000000000004': { surface: 5, pronunciation: 'ゴ' },
    '00000000-0000-4000-8000-000000000005': { surface: 'y', pronunciation: 'ワイ', priority: 11 }
  }

  it('of VOICEVOX’s user dictionary gives its words at their usual width, with their priority', () => {
    expect(rowsOf(JSON.stringify(voicevox))).toEqual([
      { at: 1, draft: { from: 'GPU 2', to: 'ジーピーユーツー', priority: 8 } },
      { at: 2, draft: { from: '東京①', to: 'トウキョウ' } },
      { at: 3, reason: 'fields' },
      { at: 4, reason: 'fields' },
      { at: 5, reason: 'priority' }
    ])
  })

  it.each<[string, unknown, unknown[][]]>([
    ['a bare list', [{ from: 'a', to: 'b' }, { from: 'c' }, null, 'x'], [['a', 'b'], [2, 'fields'], [3, 'fields'], [4, 'fields']]],
    ['readings by words', { a: 'b', c: 'd' }, [['a', 'b'], ['c', 'd']]],
    ['ours', { version: 1, entries: [{ from: 'a', to: '', kind: 'literal', priority: 5, wholeWord: true }] }, [['a', '']]],
    ['the names of everything', { __proto__x: 'a', constructor: 'b', toString: 'c' }, [['__proto__x', 'a'], ['constructor', 'b'], ['toString', 'c']]]
  ])('is read as %s', (_what, given, words) => {
    expect(wordsOf(JSON.stringify(given))).toEqual(words)
  })

  it.each<[string, string]>([
    ['{"a":', 'badJson'],
    ['{"a": 1}', 'unknownJson'],
    ['{"entries": 5}', 'unknownJson'],
    ['[]', 'empty'],
    ['{}', 'empty'],
    [' \n ', 'empty'],
    ['from,to\n', 'empty']
  ])('%j is refused: %s', (text, reason) => {
    expect(parseFile(text)).toEqual({ ok: false, reason })
  })
})

describe('a hostile file', () => {
  const size = 512 * 1024
  it.each<[string, string]>([
    ['only commas', ','.repeat(size)],
    ['short lines', 'a,b\n'.repeat(size / 4)],
    ['a JSON list of nothing', `[${'1,'.repeat(size / 2 - 1)}1]`.replace('[1', '[[]')],
    ['many cells a line', `${','.repeat(900)}\n`.repeat(560)]
  ])('of %s is too long', (_what, text) => {
    expect(parseFile(text)).toEqual({ ok: false, reason: 'tooManyRows' })
  })

  it.each<[string, string, string]>([
    ['deep brackets', '['.repeat(size), 'badJson'],
    ['deep objects', '{"a":'.repeat(size / 5), 'badJson']
  ])('of %s is no JSON', (_what, text, reason) => {
    expect(parseFile(text)).toEqual({ ok: false, reason })
  })

  it.each<[string, string]>([
    ['quotation marks', '"'.repeat(size)],
    ['an open quote', `a,b\n"${'x\n'.repeat(size / 3)}`]
  ])('of %s has a bad line', (_what, text) => {
    expect(wordsOf(text)).toContainEqual([expect.any(Number), expect.stringMatching(/quote|lineTooLong/)])
  })

  it('of anything at all is answered', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => typeof parseFile(text).ok === 'boolean'))
    fc.assert(fc.property(fc.json(), (text) => typeof parseFile(text).ok === 'boolean'))
  })
})

describe('the characters of a file', () => {
  const utf16 = (text: string, bigEndian = false) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
    return bigEndian ? bytes.swap16() : bytes
  }
  it.each<[string, Uint8Array, 'en' | 'ja' | 'ko', string | undefined]>([
    ['UTF-8', Buffer.from('東京,とうきょう'), 'en', '東京,とうきょう'],
    ['UTF-8 with its mark', Buffer.from('\ufeff東京'), 'en', '東京'],
    ['UTF-16', utf16('東京,x'), 'en', '東京,x'],
    ['UTF-16, the other way round', utf16('東京,x', true), 'en', '東京,x'],
    ['Shift_JIS', Uint8Array.of(0x93, 0x8c, 0x8b, 0x9e, 0x2c, 0x61), 'ja', '東京,a'],
    ['Shift_JIS of somebody who reads English', Uint8Array.of(0x93, 0x8c, 0x8b, 0x9e), 'en', '東京'],
    ['EUC-KR of somebody who reads Korean', Uint8Array.of(0xbc, 0xad, 0xbf, 0xef), 'ko', '서울'],
    ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13), 'en', undefined],
    ['nothing known', Uint8Array.of(0xff, 0xff, 0xff), 'ja', undefined],
    ['zeros', new Uint8Array(8), 'en', undefined]
  ])('%s', (_what, bytes, language, text) => {
    expect(decodeText(bytes, language)).toBe(text)
  })
})
