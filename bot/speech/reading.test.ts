import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSpeakable, readText } from './reading.ts'

const names = {
  user: (id: string) => (id === '100000000000000001' ? 'Mina' : undefined),
  role: (id: string) => (id === '100000000000000002' ? 'Helpers' : undefined),
  channel: (id: string) => (id === '100000000000000003' ? 'general' : undefined)
}

describe('what is spoken', () => {
  it.each([
    ['Hello there.', 'Hello there.'],
    ['  こんにちは  ', 'こんにちは'],
    ['hi <@100000000000000001>!', 'hi Mina!'],
    ['hi <@!100000000000000009>', 'hi someone'],
    ['<@&100000000000000002> in <#100000000000000003>', 'Helpers in general'],
    ['<#100000000000000009>', 'a channel'],
    ['</say:100000000000000004> it', 'say it'],
    ['nice <:thumbs_up:100000000000000005>', 'nice thumbs up'],
    ['<a:party:100000000000000005>', 'party'],
    ['see https://example.com/a?b=c ok', 'see link ok'],
    ['<https://example.com>', 'link'],
    ['[the page](https://example.com)', 'the page'],
    ['**bold** and *it* and ~~gone~~ and __under__', 'bold and it and gone and under'],
    ['`code` here', 'code here'],
    ['```js\nlet a = 1\n```', 'code'],
    ['the ||butler|| did it', 'the spoiler did it'],
    ['# Title\n> quoted\n- item', 'Title\nquoted\nitem'],
    ['5 * 3 = 15', '5 * 3 = 15'],
    ['a_b_c', 'a_b_c'],
    ['<t:0:R>', '1970-01-01 00:00'],
    ['zero\u200bwidth\u202e', 'zerowidth'],
    ['haaaaaaaaaaaaaaaa', 'haaaaa'],
    ['wwwwwww', 'wwwww'],
    ['1000000000', '1000000000'],
    ['z\u0351\u0352\u0357\u035ba', 'z\u0351\u0352a'],
    ['𝓗𝓮𝓵𝓵𝓸 Ｗｏｒｌｄ', 'Hello World'],
    ['a < b & c > d', 'a < b & c > d']
  ])('%j is read as %j', (text, read) => {
    expect(readText(text, names)).toBe(read)
  })

  it.each(['', '   ', '...', '!?', '****', '||||', '👍', '\u200b', '___'])('%j has nothing to speak', (text) => {
    expect(isSpeakable(readText(text, names))).toBe(false)
  })

  it('has no markup of Discord’s left in it, whatever was written', () => {
    const piece = fc.constantFrom('<@1>', '<@&2>', '<#3>', '<:a:4>', '<t:5:R>', '||', '**', '`', '```', 'https://x.y', 'word', ' ', '\n', '> ', '<', '>')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')), (text) => !/<[@#]|<a?:\w+:|<t:|https?:|\|\|[^|]+\|\|/.test(readText(text, names)))
    )
  })

  it('makes at most a few times as much of 2,000 characters of markup', () => {
    const nasty = ['|'.repeat(2000), '`'.repeat(2000), '*'.repeat(2000), '<@'.repeat(1000), '['.repeat(2000), '||a'.repeat(666), '**a'.repeat(666), 'https://'.repeat(250)]
    expect(nasty.every((text) => readText(text, names).length <= 5000)).toBe(true)
  })
})
