import { joined } from './joined.ts'
import { pairEmphasis, pairSpoilers } from './pair.ts'
import { scan } from './scan.ts'
import type { Token } from './token.ts'

/**
 * Discord's markdown -> what it stands for, in order, texts that touch as one. In linear time, whatever is written: the parsers that there are
 * for Discord's dialect try patterns at every position, and those for CommonMark would know neither spoilers, mentions and small print nor
 * that an open code block is only text.
 */
export function parseMarkdown(content: string): Token[] {
  const items = scan(content)
  pairEmphasis(items)
  return joined(pairSpoilers(items)).map((token) => (token.kind === 'spoiler' ? { kind: 'spoiler', inside: joined(token.inside) } : token))
}
