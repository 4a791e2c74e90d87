import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseMarkdown } from './parse.ts'
import type { Token } from './token.ts'

/** Tokens on one line: text in quotes, the rest by its kind. */
function shown(tokens: readonly Token[]): string {
  return tokens.map((token) => (token.kind === 'spoiler' ? `spoiler(${shown(token.inside)})` : token.kind === 'text' ? JSON.stringify(token.text) : `${token.kind}(${told(token)})`)).join(' ')
}

function told(token: Exclude<Token, { kind: 'text' | 'spoiler' }>): string {
  switch (token.kind) {
    case 'code':
      return token.text
    case 'link':
      return token.url
    case 'mention':
      return `${token.of} ${token.id}`
    case 'crowd':
      return token.who
    case 'command':
    case 'emoji':
      return token.name
    case 'place':
      return token.place
    case 'time':
      return `${token.seconds} ${token.style ?? ''}`
  }
}

describe('Discord’s markdown', () => {
  it.each([
    // Marks pair with the nearest; what crosses or stays open is text.
    ['***a** b*', '"a b"'],
    ['**a *b** c*', '"a b c"'],
    ['*a _b* c_', '"a _b c_"'],
    ['** a **', '" a "'],
    ['* a *', '"a *"'],
    ['2 * 3 * 4', '"2 * 3 * 4"'],
    ['a*b*c', '"abc"'],
    ['a_b_c __d__', '"a_b_c d"'],
    ['****a****', '"****a****"'],
    ['~a~ ~~b~~', '"~a~ b"'],
    // A spoiler ends at the next two bars, whatever crosses them.
    ['||a **b|| c**', 'spoiler("a **b") " c**"'],
    ['||a||||b||', 'spoiler("a") spoiler("b")'],
    ['||||a||||', 'spoiler("||a") "||"'],
    ['|||a|||', 'spoiler("|a") "|"'],
    ['|| ||a||', 'spoiler(" ") "a||"'],
    ['||a\\||', 'spoiler("a\\\\")'],
    ['||`a||` b', 'spoiler("`a") "` b"'],
    ['a ||b `||` c', '"a " spoiler("b `") "` c"'],
    ['**a ||b|| c**', '"a " spoiler("b") " c"'],
    ['[||a||](https://b.c)', 'spoiler("a")'],
    ['||||', '"||||"'],
    ['||a||b||c', 'spoiler("a") "b||c"'],
    ['||<@1> `x`||', 'spoiler(mention(user 1) " " code(x))'],
    ['`||a||`', 'code(||a||)'],
    ['\\||a||', '"||a||"'],
    // Code.
    ['`a``b`', 'code(a``b)'],
    ['`a', '"`a"'],
    ['` `', '"` `"'],
    ['```a```', 'code(a)'],
    ['```py\nprint("*a*")\n```', 'code(print("*a*"))'],
    ['```a b\nc```', 'code(a b\nc)'],
    ['```\na\n', '"```\\na\\n"'],
    // Lines.
    ['a\n> b\nc > d', '"a\\nb\\nc > d"'],
    ['> - # a', '"a"'],
    ['#### a', '"#### a"'],
    ['-a', '"-a"'],
    // Links.
    ['[a](https://b.c "title")', '"a"'],
    ['[a](<https://b.c>)', '"a"'],
    ['[a [b] c](https://d.e)', '"a [b] c"'],
    ['[a](ftp://b.c)', '"[a](ftp://b.c)"'],
    ['a](https://b.c)', '"a](" link(https://b.c) ")"'],
    ['**https://a.b**', 'link(https://a.b)'],
    ['||https://a.b||', 'spoiler(link(https://a.b))'],
    ['https://a.b/c_(d), e', 'link(https://a.b/c_(d)) ", e"'],
    ['(https://a.b/c)', '"(" link(https://a.b/c) ")"'],
    ['https://a.bを', 'link(https://a.b) "を"'],
    ['https://a.b/日本、', 'link(https://a.b/日本) "、"'],
    ['HTTPS://A.B', 'link(HTTPS://A.B)'],
    ['awww.b', '"awww.b"'],
    // What stands between angles.
    ['<@1><@!2><@&3><#4>', 'mention(user 1) mention(user 2) mention(role 3) mention(channel 4)'],
    ['</a b c:1><id:guide><t:-5:R><a:b:1>', 'command(a b c) place(guide) time(-5 R) emoji(b)'],
    ['<https://a.b> <x@y.z> <+123456>', 'link(https://a.b) " x@y.z +123456"'],
    ['<@> <id:other> <t:> <:a b:1> <>', '"<@> <id:other> <t:> <:a b:1> <>"'],
    ['\\<@1>', '"<@1>"'],
    ['@everyone, x@here @hereabouts', 'crowd(everyone) ", x@here @hereabouts"']
  ])('%j is %s', (content, tokens) => {
    expect(shown(parseMarkdown(content))).toBe(tokens)
  })

  it('loses no word and makes up none, whatever surrounds it', () => {
    const piece = fc.constantFrom('*', '**', '_', '__', '~~', '||', '`', '```', '[', ']', '\\', '<', '\n', '> ', '# ', '- ', ' ')
    const words = (tokens: readonly Token[]): string[] =>
      tokens.flatMap((token) => (token.kind === 'spoiler' ? words(token.inside) : 'text' in token ? (token.text.match(/\d+é/g) ?? []) : []))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const content = pieces.map((each, index) => `${each}${index}é`).join('')
        expect(words(parseMarkdown(content))).toEqual(pieces.map((_, index) => `${index}é`))
      })
    )
  })

  it('gives no two texts side by side and no empty one', () => {
    const check = (tokens: readonly Token[]): boolean =>
      tokens.every((token, index) => (token.kind === 'spoiler' ? check(token.inside) : token.kind !== 'text' || (token.text !== '' && tokens[index + 1]?.kind !== 'text')))
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom('*', '_', '~', '|', '`', '[', ']', '(', ')', '<', '>', '\\', 'a', ' ', '\n', '#', '-'), maxLength: 200 }), (content) => check(parseMarkdown(content))))
  })
})
