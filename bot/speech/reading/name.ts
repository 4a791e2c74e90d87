import type { ReadingContext } from './context.ts'
import { withoutJoiners } from './letters.ts'
import { isSpeakable } from './speakable.ts'
import { writtenPlain } from './written.ts'

/** Characters of a name that are looked at; Discord's own limit for one is 100 (channels, roles). */
const NAME_MAX = 100

/** A member's, role's or channel's name as it is spoken: its letters and numbers, without decoration. Empty when there are none. */
export function readName(name: string, context: Pick<ReadingContext, 'replace'>): string {
  const letters = withoutJoiners(writtenPlain(name.slice(0, NAME_MAX), context))
    .replace(/[^\p{L}\p{M}\p{N}.'’・]+/gu, ' ')
    .replace(/^[\s.'’・]+|[\s.'’・]+$/gu, '')
    .slice(0, NAME_MAX)
  return isSpeakable(letters) ? letters : ''
}
