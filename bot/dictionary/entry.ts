import { foldWord } from './fold.ts'
import { checkPattern } from './pattern.ts'
import type { PatternFault } from './pattern.ts'

/** How a word is to be spoken. */
export interface Entry {
  /** What is written: 1 to `FROM_MAX` characters. A regular expression has RE2's syntax. */
  from: string
  /** What is spoken in its place: up to `TO_MAX` characters; of a regular expression with `$1` for its groups. Empty: nothing is. */
  to: string
  kind: 'literal' | 'regex'
  /** 0 to 10; the higher goes first. */
  priority: number
  /** A literal is no part of a longer word, in scripts that put spaces between words. */
  wholeWord: boolean
}

/** What somebody gives; what is absent is as usual. */
export type Draft = Pick<Entry, 'from'> & Partial<Entry>

export type EntryFault = 'fromEmpty' | 'fromTooLong' | 'toTooLong' | 'priority' | PatternFault

export type Checked = { ok: true; entry: Entry } | { ok: false; reason: EntryFault; detail?: string }

/** Characters are UTF-16 units, as Discord counts an option's. */
export const FROM_MAX = 100
export const TO_MAX = 200
export const PRIORITY = { min: 0, max: 10, usual: 5 }

/** What was given as an entry, without what can't be seen, or why it is none; `detail` is RE2's own word on a pattern. */
export function checkEntry({ from: givenFrom, to: givenTo = '', kind = 'literal', priority = PRIORITY.usual, wholeWord = true }: Draft): Checked {
  const from = kind === 'regex' ? givenFrom.toWellFormed() : namingEmoji(visible(givenFrom))
  const to = visible(givenTo)
  if (from.length > FROM_MAX) return { ok: false, reason: 'fromTooLong' }
  if (to.length > TO_MAX) return { ok: false, reason: 'toTooLong' }
  if (!Number.isInteger(priority) || priority < PRIORITY.min || priority > PRIORITY.max) return { ok: false, reason: 'priority' }
  if ((kind === 'regex' ? from : foldWord(from)).trim() === '') return { ok: false, reason: 'fromEmpty' }
  if (kind === 'regex') {
    const checked = checkPattern(from)
    if (!checked.ok) return checked
  }
  return { ok: true, entry: { from, to, kind, priority, wholeWord: kind === 'literal' && wholeWord } }
}

/** A server's own emoji by its name, which is what is looked through: `<:party:1>`, as Discord writes what people choose from its list, is `party`. */
export function namingEmoji(text: string): string {
  return text.replace(/<a?:(\w{1,32}):\d{1,21}>/g, '$1')
}

/** What makes an entry the same as another of its scope, so that adding it again changes it. */
export function keyOf({ kind, from }: Pick<Entry, 'kind' | 'from'>): string {
  return kind === 'regex' ? from : foldWord(from)
}

/** On one line, and without format characters but those that emoji are joined of. */
function visible(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(/\p{Cc}+/gu, ' ').replace(/(?![\u200d\u{e0020}-\u{e007f}])\p{Cf}/gu, '').trim()
}
