/** Names for what a text refers to by id; what is unknown is spoken as a plain word. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
}

/** Characters of a message that can be spoken at most; Discord's own limit for a message is the same. */
export const TEXT_MAX = 2000

type Step = (text: string, names: Names) => string

/**
 * Text as people post it -> what is spoken, in small steps of one thing each. What is left may be empty: an emoji-less sticker, a link alone,
 * or markup around nothing say nothing, and the author is told so.
 */
export function readText(text: string, names: Names): string {
  return steps.reduce((read, step) => step(read, names), text).trim()
}

const steps: readonly Step[] = [invisible, styled, code, mentions, emoji, timestamps, links, spoilers, markup, stacks, repeats, spaces]

/** The gate before anything is queued: something in it must have a sound. */
export function isSpeakable(read: string): boolean {
  return /[\p{L}\p{N}]/u.test(read)
}

function invisible(text: string): string {
  return text.normalize('NFC').replace(/(?!\u200d)\p{Cf}|\p{Co}|\p{Cn}|(?![\n\t])\p{Cc}/gu, '')
}

/** Styled letters (𝓗𝓮𝓵𝓵𝓸, Ｈｅｌｌｏ) as plain ones; only those, since the same for all would change what numbers and symbols mean. */
function styled(text: string): string {
  return text.replace(/[\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f169}\u{1f170}-\u{1f189}\uff01-\uff5e\u2100-\u214f\u24b6-\u24e9]+/gu, (letters) => letters.normalize('NFKC'))
}

function code(text: string): string {
  return text.replace(/```[^`]*(?:`{1,2}[^`]+)*```/g, ' code ').replace(/`([^`\n]+)`/g, '$1')
}

function mentions(text: string, names: Names): string {
  return text
    .replace(/<@!?(\d{1,21})>/g, (_, id: string) => names.user(id) ?? 'someone')
    .replace(/<@&(\d{1,21})>/g, (_, id: string) => names.role(id) ?? 'a role')
    .replace(/<#(\d{1,21})>/g, (_, id: string) => names.channel(id) ?? 'a channel')
    .replace(/<\/([^:>]{1,100}):\d{1,21}>/g, '$1')
}

function emoji(text: string): string {
  return text.replace(/<a?:(\w{1,32}):\d{1,21}>/g, (_, name: string) => ` ${name.replaceAll('_', ' ')} `)
}

function timestamps(text: string): string {
  return text.replace(/<t:(-?\d{1,13})(?::[tTdDfFR])?>/g, (_, seconds: string) => {
    const date = new Date(Number(seconds) * 1000)
    return Number.isNaN(date.getTime()) ? 'a time' : date.toISOString().slice(0, 16).replace('T', ' ')
  })
}

function links(text: string): string {
  return text.replace(/\[([^\]\n]{1,200})\]\(<?https?:\/\/[^\s)]+\)/g, '$1').replace(/<?https?:\/\/[^\s<>]+>?/g, ' link ')
}

function spoilers(text: string): string {
  return text.replace(/\|\|[^|]+(?:\|[^|]+)*\|\|/g, ' spoiler ')
}

function markup(text: string): string {
  return text
    .replace(/^(?:>{1,3}|#{1,3}|-#|[-*])\s+/gm, '')
    .replace(/(\*{1,3}|~~|__)(?=\S)([^*~_]+)\1/g, '$2')
    .replace(/\\([*_~`|>#<:-])/g, '$1')
}

/** Letters with dozens of marks on them ("zalgo"): two marks are language, more are noise. */
function stacks(text: string): string {
  return text.replace(/(\p{M}{2})\p{M}+/gu, '$1')
}

/** One character hundreds of times is held, not spelled. */
function repeats(text: string): string {
  return text.replace(/(\P{N})\1{5,}/gu, '$1$1$1$1$1')
}

function spaces(text: string): string {
  return text.replace(/[^\S\n]+/gu, ' ').replace(/ ?\n\s*/g, '\n')
}
