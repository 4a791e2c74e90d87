const ELEMENT = '\\p{Extended_Pictographic}(?:\\p{EMod}|\\ufe0f|[\\u{e0020}-\\u{e007f}]+)*\\u20e3?'

/** Flags, keycaps, and pictures with all that is joined to them. */
const EMOJI = new RegExp(`\\p{RI}\\p{RI}|[0-9#*]\\ufe0f?\\u20e3|${ELEMENT}(?:\\u200d${ELEMENT})*`, 'gu')

/** Shown as a picture; others (© ™ ↔) only when they are followed by the selector. */
const PICTURE = /^\p{Emoji_Presentation}|\ufe0f|\u200d|^\p{RI}|^(?=\p{Emoji})[\u2600-\u27bf]/u

/** Text and emoji in order. A keycap is its digit, and letters in frames that make no flag are letters: they stay text. */
export function splitEmoji(text: string): { text: string; isEmoji: boolean }[] {
  const parts: { text: string; isEmoji: boolean }[] = []
  let at = 0
  for (const { 0: emoji, index } of text.matchAll(EMOJI)) {
    if (!PICTURE.test(emoji) || emoji.endsWith('\u20e3') || text.charAt(index + emoji.length) === '\ufe0e') continue
    if (index > at) parts.push({ text: text.slice(at, index), isEmoji: false })
    parts.push({ text: emoji, isEmoji: true })
    at = index + emoji.length
  }
  if (at < text.length) parts.push({ text: text.slice(at), isEmoji: false })
  return parts
}

/** Regional indicators as the letters that they show. */
export function framedLetters(text: string): string {
  return text.replace(/\p{RI}/gu, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - 0x1f1e6 + 65))
}
