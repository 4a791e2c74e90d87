import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyOf } from './entry.ts'
import type { Draft } from './entry.ts'
import { compileLiterals } from './literals.ts'
import { compilePatterns } from './patterns.ts'
import { GROWN_MAX, replaceWords } from './replace.ts'
import type { Finder, Kept } from './replace.ts'
import { createWork } from './work.ts'

type Given = [from: string, to: string] | Draft

function finder(...given: Given[]): Finder {
  const entries = given.map((each, id): Kept => {
    const draft = Array.isArray(each) ? { from: each[0], to: each[1] } : each
    const entry = { to: '', kind: 'literal' as const, priority: 5, wholeWord: true, ...draft }
    return { ...entry, id, key: keyOf(entry) }
  })
  const of = (kind: Kept['kind']) => entries.filter((entry) => entry.kind === kind)
  return { literals: compileLiterals(of('literal')), patterns: compilePatterns(of('regex')) }
}

const spoken = (text: string, ...given: Given[]) => replaceWords(text, [finder(...given)]).text
const regex = (from: string, to: string, more: Partial<Draft> = {}): Given => ({ from, to, kind: 'regex', ...more })

describe('one entry', () => {
  it.each<[string, string, string, string]>([
    ['cat', 'neko', 'the cat sat', 'the neko sat'],
    ['cat', 'neko', 'category, concat, cats', 'category, concat, cats'],
    ['cat', 'neko', 'Cat CAT ｃａｔ 𝒄𝒂𝒕', 'neko neko neko neko'],
    ['ＣＡＴ', 'neko', 'cat', 'neko'],
    ['cat', 'neko', '猫catが', '猫nekoが'],
    ['cat', 'neko', "cat's cat’s", "neko's neko’s"],
    ['t', 'tee', "don't T", "don't tee"],
    ['amour', 'love', "l'amour", "l'love"],
    ['kg', 'kilo', '5kg 5 kg kgs', '5kilo 5 kilo kgs'],
    ['1', 'one', '1 10 21 1a', 'one 10 21 onea'],
    ['кот', 'cat', 'кот котик', 'cat котик'],
    ['東京', 'とうきょう', '東京都東京', 'とうきょう都とうきょう'],
    ['서울', 'Seoul', '서울은 서울', 'Seoul은 Seoul'],
    ['ガ', 'ga', 'ガ ｶﾞ か\u3099', 'ga ga か\u3099'],
    ['が', 'ga', 'か\u3099', 'ga'],
    ['か', 'ka', 'か\u3099か', 'か\u3099ka'],
    ['e', 'E!', 'e e\u0301', 'E! e\u0301'],
    ['é', 'E!', 'e\u0301 é É', 'E! E! E!'],
    ['👍', 'good', 'ok👍👍', 'okgoodgood'],
    ['👨', 'man', '👨‍👩‍👧 👨', '👨‍👩‍👧 man'],
    ['👧', 'girl', '👨‍👩‍👧 👧', '👨‍👩‍👧 girl'],
    ['\u0301', 'accent', 'x\u0301', 'x\u0301'],
    ['❤', 'heart', '❤️❤', 'heartheart'],
    ['🇯', 'J', '🇯🇵', '🇯🇵'],
    ['straße', 'road', 'STRASSE Straße', 'road road'],
    ['fi', 'x', 'ﬁ fi', 'x x'],
    ['i', 'x', 'ﬁ', 'ﬁ'],
    ['①', 'まるいち', '① 1', 'まるいち 1'],
    ['hello world', 'hi', 'Hello　World', 'hi'],
    ['don’t', 'x', "don't", 'x'],
    ['w', '', 'w ok', ' ok'],
    ['$1', '$2', 'cost $1', 'cost $2'],
    ['a.c', 'x', 'abc a.c', 'abc x']
  ])('%j spoken %j makes of %j: %j', (from, to, text, result) => {
    expect(spoken(text, [from, to])).toBe(result)
  })

  it('is found inside words where that is wanted', () => {
    expect(spoken('category', { from: 'cat', to: 'dog', wholeWord: false })).toBe('dogegory')
  })
})

describe('several entries', () => {
  it.each<[string, string, ...Given[]]>([
    ['東京都', 'みやこ', ['東京', 'とうきょう'], ['東京都', 'みやこ']],
    ['東京', '京都', ['東京', '京都'], ['京都', 'きょうと']],
    ['ab', 'ba', { from: 'a', to: 'b', wholeWord: false }, { from: 'b', to: 'a', wholeWord: false }],
    ['あいう', 'Xう', ['あい', 'X'], ['いう', 'Y']],
    ['あいう', 'あY', ['あい', 'X'], { from: 'いう', to: 'Y', priority: 6 }],
    ['東京都', 'とうきょう都', { from: '東京', to: 'とうきょう', priority: 6 }, ['東京都', 'みやこ']],
    ['あいう', 'Zう', { from: 'い', to: 'z', priority: 4 }, { from: 'あい', to: 'Z', priority: 4 }],
    ['www', 'わらわら', regex('w+', 'わらわら'), { from: 'w', to: 'x', wholeWord: false }],
    ['www', 'old', regex('w+', 'old'), { from: 'www', to: 'young' }],
    ['www', 'young', regex('w+', 'old'), { from: 'www', to: 'young', priority: 7 }]
  ])('%j is spoken %j', (text, result, ...given) => {
    expect(spoken(text, ...given)).toBe(result)
  })

  it('of the narrower scope go first, whatever their length, unless the priority says otherwise', () => {
    const [mine, server, all] = [finder(['京', 'mine']), finder(['東京都', 'server']), finder({ from: '都', to: 'all', priority: 9 })]
    expect(replaceWords('東京都', [mine, server]).text).toBe('東mine都')
    expect(replaceWords('東京都', [finder(), server]).text).toBe('server')
    expect(replaceWords('東京都', [finder(), server, all]).text).toBe('東京all')
  })

  it('tell where they were used', () => {
    const { uses } = replaceWords('a 東京 b', [finder(), finder(['東京', 'x'])])
    expect(uses).toMatchObject([{ scope: 1, start: 2, end: 4, entry: { from: '東京' } }])
  })
})

describe('a regular expression', () => {
  it.each<[string, string, string, string]>([
    ['(\\d+)月(\\d+)日', '$1がつ$2にち', '7月12日', '7がつ12にち'],
    ['w{2,}', 'わら', 'wwww w', 'わら w'],
    ['(a)|(b)', '[$1$2]', 'ab', '[a][b]'],
    ['x', '$0$0$$1$7', 'x', 'xx$1$7'],
    ['a*', '-', 'baab', 'b-b'],
    ['', '-', 'ab', 'ab'],
    ['\\b', '-', 'a b', 'a b'],
    ['か', 'x', 'か\u3099か', 'か\u3099x'],
    ['👨', 'x', '👨‍👩‍👧', '👨‍👩‍👧'],
    ['(?i)lol', 'haha', 'LOL lol', 'haha haha'],
    ['[あ-ん]+', 'kana', '👍かなカナ', '👍kanaカナ']
  ])('%j spoken %j makes of %j: %j', (from, to, text, result) => {
    expect(spoken(text, regex(from, to))).toBe(result)
  })

  it('that would take a backtracking one for ever ends at once', () => {
    const many = 'a'.repeat(2_000)
    expect(spoken(many, regex('(a+)+$', 'x'))).toBe('x')
    expect(spoken(`${many}b`, regex('(a+)+$', 'x'))).toBe(`${many}b`)
    expect(spoken(many, regex('(a|a)*b', 'x'), regex('(.*)(.*)(.*)(.*)b', 'y'))).toBe(many)
    // Each of these matches looks as far as the end: the search stops where its work is done, and the rest stays.
    expect(spoken(many, regex('(a*)*b|(a)', 'b'))).toMatch(/^b{20,}a+$/)
  })
})

describe('words that begin alike', () => {
  /** `a`, `ab`, `aba` ... of a text that repeats itself: at each place as many begin as there are. */
  const nested = (count: number, more: Partial<Draft> = {}) => Array.from({ length: count }, (_, index): Given => ({ from: 'ab'.repeat(50).slice(0, index + 1), to: 'x', wholeWord: false, ...more }))

  it('are found by the longest, also where one of them ends between letters that two others share', () => {
    const given: Given[] = [['東京都庁', '4'], ['東京', '2'], ['東京タワー', '5'], ['東', '1'], ['東京都', '3']]
    expect(spoken('東京都庁、東京都、東京タワ、東京タワー、東北', ...given)).toBe('4、3、2タワ、5、1北')
  })

  it('take a bounded time: the rest of a text that holds thousands of them stays as it is', () => {
    const text = 'ab'.repeat(2_000)
    const { text: result, uses } = replaceWords(text, [finder(...nested(100))])
    expect(uses.length).toBeGreaterThan(0)
    expect(result).toMatch(/^x+[ab]+$/)
    expect(replaceWords(text, [finder(...nested(2))]).text).toBe('x'.repeat(2_000))
  })

  it('of one scope leave the others their time', () => {
    const text = `${'ab'.repeat(1_000)} word`
    expect(replaceWords(text, [finder(...nested(100)), finder(['word', 'heard'])]).text).toMatch(/ heard$/)
  })

  it('take it once for all texts of a message', () => {
    const scopes = [finder(...nested(100))]
    const work = createWork(1)
    expect(replaceWords('ab'.repeat(2_000), scopes, work).uses.length).toBeGreaterThan(0)
    expect(replaceWords('ab', scopes, work).text).toBe('ab')
  })
})

describe('any text', () => {
  const alphabet = fc.constantFrom('a', 'b', 'A', 'ａ', 'é', 'e\u0301', 'か', 'か\u3099', '漢', '👍', '👨‍👩‍👧', ' ', "'", '1', 'ﬁ', '\ud800', '\r\n', '\u200d', '❤️')
  const text = fc.array(alphabet, { maxLength: 30 }).map((parts) => parts.join(''))
  const word = fc.array(alphabet, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''))
  const draft = fc.record({ from: word, to: text, priority: fc.integer({ min: 0, max: 10 }), wholeWord: fc.boolean() })
  const unique = fc.uniqueArray(draft, { maxLength: 12, selector: ({ from }) => keyOf({ kind: 'literal', from }) }).map((all) => all.filter(({ from }) => keyOf({ kind: 'literal', from }) !== ''))
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

  it('stays as it is without entries', () => {
    fc.assert(fc.property(text, (given) => spoken(given) === given))
  })

  it('is put together of what was not matched, and of what is spoken, once, between graphemes', () => {
    fc.assert(
      fc.property(text, unique, unique, (given, mine, server) => {
        const { text: result, uses } = replaceWords(given, [finder(...mine), finder(...server)])
        const boundaries = new Set([...graphemes.segment(given)].map(({ index }) => index).concat(given.length))
        let expected = ''
        let from = 0
        for (const { start, end, entry } of uses) {
          expect(start).toBeGreaterThanOrEqual(from)
          expect(boundaries.has(start) && boundaries.has(end)).toBe(true)
          // What stands there folds to what was looked for.
          expect(keyOf({ kind: 'literal', from: given.slice(start, end) })).toBe(entry.key)
          expected += given.slice(from, start) + entry.to
          from = end
        }
        expect(result).toBe(expected + given.slice(from))
      })
    )
  })

  it('has no entry left over that would still fit: a free place means that nothing was found there', () => {
    fc.assert(
      fc.property(text, unique, (given, entries) => {
        const { uses } = replaceWords(given, [finder(...entries)])
        const free = (start: number, end: number) => uses.every((use) => end <= use.start || start >= use.end)
        for (const { from, ...more } of entries) {
          for (const { start, end } of replaceWords(given, [finder({ from, ...more })]).uses) expect(free(start, end)).toBe(false)
        }
      })
    )
  })

  it('gives way to the longest of one priority at a place', () => {
    fc.assert(
      fc.property(text, unique, (given, entries) => {
        const level = entries.map((entry) => ({ ...entry, priority: 5 }))
        for (const use of replaceWords(given, [finder(...level)]).uses) {
          const alone = level.flatMap((entry) => replaceWords(given, [finder(entry)]).uses)
          const here = alone.filter(({ start, entry }) => start === use.start && entry.key !== use.entry.key)
          // A longer one may be hidden from its own search by an earlier match of itself, never from this one.
          expect(here.every(({ end }) => end <= use.end)).toBe(true)
        }
      })
    )
  })

  it('grows to a bound, and is cut between graphemes', () => {
    const family = '👨‍👩‍👧'
    const grown = spoken('あ'.repeat(500), ['あ', family.repeat(24)])
    expect(grown.length).toBeLessThanOrEqual(GROWN_MAX)
    expect(grown.length).toBeGreaterThan(GROWN_MAX - family.length)
    expect(grown.replaceAll(family, '')).toBe('')
    const doubled = spoken('x'.repeat(2_000), regex('(x+)', '$1'.repeat(90)))
    expect(doubled).toBe('x'.repeat(GROWN_MAX))
  })
})
