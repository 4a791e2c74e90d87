import { languageOf, translator } from '../../i18n/index.ts'
import { spokenAttached } from './attached.ts'
import type { ReadingContext } from './context.ts'
import { cutText } from './cut.ts'
import { joined, tidied } from './join.ts'
import { languageOfText } from './language.ts'
import type { Posted } from './posted.ts'
import { isSpeakable } from './speakable.ts'
import { spokenParts } from './spoken.ts'
import type { Wording } from './spoken.ts'
import { written, writtenPlain } from './written.ts'
import type { Written } from './written.ts'

export { DEFAULT_RULES } from './context.ts'
export type { ReadingContext, ReadingRules } from './context.ts'
export { readName } from './name.ts'

/** Characters (UTF-16 units) that may be said at once; Discord's own limit for a message is the same. */
export const TEXT_MAX = 2000

/** Mentions, timestamps and emoji are longer spoken than written, but not without bound. */
const SPOKEN_MAX = 4 * TEXT_MAX

/** Discord's own limit. */
const ANSWERS_MAX = 10

/** What is spoken; `language` is a BCP 47 tag, where it is sure. */
export type Read = { ok: true; text: string; language: string | undefined } | { ok: false; reason: 'empty' | 'prefix' | 'tooLong' }

/** A message, its texts in plain letters. */
interface Prepared {
  posted: Posted
  own: Written[]
  poll: { question: Written[]; answers: Written[][] } | undefined
  forwarded: Prepared | undefined
}

/**
 * A message as people post it -> what is spoken, of at most `maxLength` graphemes and a word for the rest. What is left may be nothing: markup
 * around nothing, punctuation, or only what the rules leave out. Takes time by the length of the message and by nothing else.
 */
export function readPosted(posted: Posted, context: ReadingContext): Read {
  const { rules, overlong } = context
  if (overlong === 'refuse' && posted.content.length > TEXT_MAX) return { ok: false, reason: 'tooLong' }
  const content = withoutSkipped(posted.content, rules.skipPrefix)
  if (content === undefined) return { ok: false, reason: 'prefix' }

  const prepared = prepare({ ...posted, content }, context)
  const text = textOf(prepared)
  const textLanguage = languageOfText(text, rules.language)
  const language = languageOf(rules.language === 'auto' ? (textLanguage ?? 'en') : rules.language)
  const wording: Wording = { language, words: translator(language), comma: language === 'ja' ? '、' : ', ', textLanguage }

  const spoken = tidied(sections(prepared, context, wording).join('\n').slice(0, SPOKEN_MAX).replace(/[\ud800-\udbff]$/, ''))
  if (!isSpeakable(spoken)) return { ok: false, reason: 'empty' }
  return {
    ok: true,
    text: cutText(spoken, rules.maxLength, wording.words('reading.andSoOn')),
    // A message without letters of its own is in the language of the names and words that stand for them.
    language: /\p{L}/u.test(text) ? textLanguage : languageOfText(spoken, rules.language)
  }
}

/**
 * The lines that don't begin with the prefix, which an input method may have made a wide one; undefined when all do. Of the others an end of a spoiler or
 * a code block stays: without it the lines before or behind would be uncovered.
 */
function withoutSkipped(content: string, prefix: string): string | undefined {
  if (prefix === '') return content
  const isSkipped = (line: string) => line.trimStart().slice(0, prefix.length).normalize('NFKC').startsWith(prefix.normalize('NFKC'))
  const lines = content.split('\n')
  const kept = lines.filter((line) => !isSkipped(line))
  if (kept.length === lines.length) return content
  return kept.every((line) => line.trim() === '') ? undefined : lines.flatMap((line) => (isSkipped(line) ? openEnds(line) : [line])).join('\n')
}

/** The marks of a line that have no partner in it. */
function openEnds(line: string): string[] {
  const open = ['||', '```'].filter((mark) => line.split(mark).length % 2 === 0)
  return open.length === 0 ? [] : [open.join('')]
}

/** A forwarded message holds no other one. */
function prepare(posted: Posted, context: ReadingContext, isForwarded = false): Prepared {
  const { content, poll, forwarded } = posted
  const plain = (text: string): Written[] => [{ kind: 'text', text: writtenPlain(text.slice(0, TEXT_MAX), context) }]
  return {
    posted,
    own: written(content, context),
    poll: poll && { question: plain(poll.question), answers: poll.answers.slice(0, ANSWERS_MAX).map(plain) },
    forwarded: forwarded === undefined || isForwarded ? undefined : prepare(forwarded, context, true)
  }
}

/** All that was written, for its language. */
function textOf({ own, poll, forwarded }: Prepared): string {
  const pieces = [...own, ...(poll?.question ?? []), ...(poll?.answers.flat() ?? [])]
  const texts = pieces.map((piece) => (piece.kind === 'text' ? piece.text : ''))
  return [...texts, forwarded === undefined ? '' : textOf(forwarded)].join(' ')
}

/** What a message says, each on its own line: its text, what hangs on it, its poll, and what it forwards. */
function sections({ posted, own, poll, forwarded }: Prepared, context: ReadingContext, wording: Wording): string[] {
  const { words, comma } = wording
  const say = (pieces: Written[]) => joined(spokenParts(pieces, context, wording))
  const all = [say(own), spokenAttached(posted, context, wording)]
  if (poll !== undefined) all.push(`${words('reading.poll')} ${say(poll.question)}`, poll.answers.map(say).join(comma))
  const inside = forwarded === undefined ? '' : sections(forwarded, context, wording).join('\n').trim()
  if (isSpeakable(inside)) all.push(`${words('reading.forwarded')} ${inside}`)
  return all.filter((each) => each.trim() !== '')
}
