import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainLetters, visible } from './letters.ts'
import { DEFAULT_RULES, TEXT_MAX, readName, readPosted } from './read.ts'
import type { ReadingContext } from './read.ts'
import { isSpeakable } from './speakable.ts'

const context: ReadingContext = {
  names: { user: () => '𝓜ina 🌸', role: () => '@everyone', channel: () => '<#1>' },
  rules: DEFAULT_RULES,
  replace: (text) => text,
  nowMs: 0
}
const rules = fc.record({
  language: fc.constantFrom('auto', 'en', 'ja', 'ko'),
  links: fc.constantFrom('skip', 'word', 'site'),
  attachments: fc.constantFrom('skip', 'kind'),
  emoji: fc.constantFrom('skip', 'name'),
  spoilers: fc.constantFrom('skip', 'word', 'read'),
  code: fc.constantFrom('skip', 'word', 'read'),
  maxLength: fc.integer({ min: 10, max: 2000 }),
  skipPrefix: fc.constantFrom('', ';', '> ')
} as const)
const markup = fc.constantFrom(
  '<@1>', '<@&2>', '<#3>', '<:a:4>', '<t:5:R>', '<t:5>', '</a:1>', '<id:guide>', '||', '**', '_', '~~', '`', '```', 'https://x.y/z', '[', '](https://x.y)', '\\', '@here', 'word', 'これ', '네', '👍', '👨‍👩‍👧', '1️⃣',
  '🇯🇵', '\u0351\u0352\u0357', '\u200b', '\u202e', '\ue000', '\ue001', '\ud83d', ' ', '\n', '> ', ';', '<', '>', '&', 'wwww', '<b>', '&lt;'
)
const content = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }), fc.array(markup, { maxLength: 120 }).map((parts) => parts.join('')))
const posted = fc.record({ content, stickers: fc.array(content, { maxLength: 5 }), forwarded: fc.option(fc.record({ content }), { nil: undefined }) }).map(({ forwarded, ...rest }) => ({ ...rest, ...(forwarded && { forwarded }) }))

/** What must not be left: controls, marks of direction, joiners, private and lone code units. */
const UNHEARD = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}]|(?!\n)\p{Cc}/u

describe('whatever is posted', () => {
  it('is read without a throw, to something with a sound and nothing unheard in it, or refused', () => {
    fc.assert(
      fc.property(posted, rules, (given, chosen) => {
        const read = readPosted(given, { ...context, rules: chosen })
        if (!read.ok) return
        expect(isSpeakable(read.text)).toBe(true)
        expect(read.text).not.toMatch(UNHEARD)
        expect(read.text).not.toMatch(/<[/!?]?[a-z][^<>\n]*>|&#?\w+;|\p{RI}|^\s|\s$|[ \n]{2}/iu)
      })
    )
  })

  it('is never read at more than the length that the server chose, and a word for the rest', () => {
    const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    fc.assert(
      fc.property(posted, rules, (given, chosen) => {
        const read = readPosted(given, { ...context, rules: chosen })
        const length = read.ok ? [...graphemes.segment(read.text)].length : 0
        expect(length).toBeLessThanOrEqual(chosen.maxLength + '\nand so on'.length)
      })
    )
  })

  it('is bounded even where each character stands for a long name', () => {
    const names = { user: () => 'a'.repeat(5000), role: () => undefined, channel: () => undefined }
    const read = readPosted({ content: '<@1> '.repeat(800) }, { ...context, names, rules: { ...DEFAULT_RULES, maxLength: TEXT_MAX } })
    expect(read.ok && read.text.length).toBeLessThanOrEqual(4 * TEXT_MAX)
  })

  it('is read the same again once it is read, when it was words', () => {
    const words = fc.array(fc.constantFrom('Hello', 'there', 'これ', '見て', '네', '좋아요', '１２', 'Ｗide', 'z\u0351\u0352', 'haaaaa', 'wwww', '👍', '😂', ' ', ', ', '. ', '。', '!', '\n'), { maxLength: 60 })
    fc.assert(
      fc.property(words.map((parts) => parts.join('')), (text) => {
        const once = readPosted({ content: text }, context)
        if (once.ok) expect(readPosted({ content: once.text }, context)).toMatchObject({ text: once.text })
      })
    )
  })

  it('has plain letters that stay as they are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const plain = plainLetters(visible(text))
        expect(plainLetters(visible(plain))).toBe(plain)
      })
    )
  })

  it('is a name of letters and numbers, or none', () => {
    fc.assert(fc.property(content, (name) => /^(?:[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}.'’・ ]*)?$/u.test(readName(name, context))))
  })
})
