import type { ReadingContext, ReadingRules } from './context.ts'
import { plainLetters, visible } from './letters.ts'
import { joined } from './markdown/joined.ts'
import { parseMarkdown } from './markdown/parse.ts'
import type { Token } from './markdown/token.ts'

/** A token that is spoken: what the server's rules hide is gone, or only told of. */
export type Written = Exclude<Token, { kind: 'spoiler' | 'code' }> | { kind: 'hidden'; what: 'spoiler' | 'code' }

/** Characters (UTF-16 units) that are looked at: the most that Discord lets anybody write. */
const CONTENT_MAX = 4000

/** Inline code is a part of its sentence up to this length, and like a block above. */
const INLINE_CODE_MAX = 60

/** A message's markdown -> what was written, in plain letters, with the members' readings in place. */
export function written(content: string, context: ReadingContext): Written[] {
  const pieces = uncovered(parseMarkdown(visible(content.slice(0, CONTENT_MAX))), context.rules)
  return joined(pieces).map((piece) => (piece.kind === 'text' ? { kind: 'text', text: writtenPlain(piece.text, context) } : piece))
}

/** The same for a text without markup. */
export function writtenPlain(text: string, { replace }: Pick<ReadingContext, 'replace'>): string {
  return visible(replace(plainLetters(visible(text))))
}

function uncovered(tokens: readonly Token[], rules: ReadingRules): Written[] {
  return tokens.flatMap((token): Written[] => {
    switch (token.kind) {
      case 'code':
        if (!token.isBlock && token.text.length <= INLINE_CODE_MAX) return [{ kind: 'text', text: token.text }]
        return rules.code === 'read' ? [{ kind: 'text', text: `\n${token.text}\n` }] : hidden('code', rules.code)
      case 'spoiler':
        return rules.spoilers === 'read' ? uncovered(token.inside, rules) : hidden('spoiler', rules.spoilers)
      default:
        return [token]
    }
  })
}

function hidden(what: 'spoiler' | 'code', rule: 'skip' | 'word'): Written[] {
  return rule === 'skip' ? [] : [{ kind: 'hidden', what }]
}
