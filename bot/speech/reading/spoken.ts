import type { LanguageCode, Translate } from '../../i18n/index.ts'
import type { ReadingContext } from './context.ts'
import { emojiName } from './emoji-names.ts'
import { splitEmoji } from './emoji.ts'
import { channelOfLink, siteOf } from './link.ts'
import { readName } from './name.ts'
import { spokenTime } from './time.ts'
import type { Written } from './written.ts'

/** Emoji of one message that are named; a wall of them says no more. */
const EMOJI_MAX = 8

/** How a message is put into words. */
export interface Wording {
  /** Of the words that stand for what is no text. */
  language: LanguageCode
  words: Translate
  /** Between the members of a list. */
  comma: string
  /** Of the text itself, where it is sure. */
  textLanguage: string | undefined
}

/** Text goes on where it stands, a name is a word of it, a thing stands apart. */
export type Part = { kind: 'text' | 'name' | 'thing'; text: string }

/** What was written -> the parts of what is spoken. */
export function spokenParts(pieces: readonly Written[], context: ReadingContext, wording: Wording): Part[] {
  const { rules, names, nowMs } = context
  const { words, language, textLanguage } = wording
  const known = new Map<string, string>()
  let emojiLeft = EMOJI_MAX

  /** A name cleaned once, however often it is mentioned. */
  function nameOf(of: 'user' | 'role' | 'channel', id: string): string | undefined {
    const key = of + id
    const name = known.get(key) ?? readName(names[of](id) ?? '', context)
    known.set(key, name)
    return name === '' ? undefined : name
  }

  const name = (text: string): Part[] => [{ kind: 'name', text }]
  const thing = (text: string): Part[] => [{ kind: 'thing', text }]
  const emoji = (called: string): Part[] => (rules.emoji === 'name' && called !== '' && emojiLeft-- > 0 ? thing(called) : thing(''))

  function link(url: string): Part[] {
    const channelId = channelOfLink(url)
    const channel = channelId === undefined ? undefined : nameOf('channel', channelId)
    if (channel !== undefined) return name(channel)
    const site = rules.links === 'site' ? siteOf(url) : undefined
    return thing(rules.links === 'skip' ? '' : site === undefined ? words('reading.link') : words('reading.site', { site }))
  }

  return pieces.flatMap((piece): Part[] => {
    switch (piece.kind) {
      case 'text':
        return splitEmoji(textLanguage === 'ja' ? laughed(piece.text) : piece.text).flatMap(({ text, isEmoji }) =>
          isEmoji ? emoji(emojiName(text, language) ?? '') : [{ kind: 'text', text } as const]
        )
      case 'mention':
        return name(nameOf(piece.of, piece.id) ?? words(piece.of === 'user' ? 'reading.someone' : `reading.${piece.of}`))
      case 'crowd':
        return name(words(`reading.${piece.who}`))
      case 'command':
        return name(readName(piece.name, context))
      case 'place':
        return name(words(`reading.${piece.place}`))
      case 'time':
        return name(spokenTime(piece.seconds, piece.style, language, nowMs) ?? words('reading.time'))
      case 'emoji':
        return emoji(readName(piece.name, context))
      case 'link':
        return link(piece.url)
      case 'hidden':
        return thing(words(`reading.${piece.what}`))
    }
  })
}

/** A `w` behind Japanese text is a laugh. */
function laughed(text: string): string {
  return text.replace(/(?<=[\u3001-\u30ff\u3400-\u9fff\uff01-\uff1f])w{1,3}(?![\p{L}\p{N}])/giu, 'わら')
}
