import { joined } from './joined.ts'
import { pairEmphasis } from './pair.ts'
import { scan } from './scan.ts'
import type { Item, Token } from './token.ts'

/**
 * Discord's markdown -> what it stands for, in order, texts that touch as one. In linear time, whatever is written: the parsers that there are
 * for Discord's dialect try patterns at every position, and those for CommonMark would know neither spoilers, mentions and small print nor
 * that an open code block is only text.
 */
export function parseMarkdown(content: string): Token[] {
  const items = scan(content)
  pairEmphasis(items)
  return joined(items.map(tokenOf))
}

/** A mark that is left becomes text again. What a spoiler covers begins with an open `||` at most, so this goes no deeper than its inside. */
function tokenOf(item: Item): Token {
  if (item.kind === 'mark') return { kind: 'text', text: item.char.repeat(item.left) }
  return item.kind === 'spoiler' ? { kind: 'spoiler', inside: parseMarkdown(item.inside) } : item
}
