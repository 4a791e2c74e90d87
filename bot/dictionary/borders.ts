/** Scripts that are written without spaces between words: a word of theirs may stand anywhere. Kana's signs are of no script, hence the extensions. */
const UNSPACED = /[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Yiii}]/u

/** What is a part of the word before the apostrophe, though it looks like a word: the m in "I'm", not the one in "12 m". */
const CONTRACTED = /^(?:s|t|m|d|ll|re|ve)$/i

const NONE = 0
const LETTER = 1
const DIGIT = 2

/** For one text: whether no word goes on beyond a piece of it. Between a letter and a digit a word ends, so that the kg in 5kg is one. */
export function bordersOf(text: string): (start: number, end: number) => boolean {
  let known: Uint8Array | undefined
  return (start, end) => {
    const parts = (known ??= wordParts(text))
    const goesOn = (at: number) => at > 0 && parts[at] !== NONE && parts[at - 1] === parts[at]
    if (goesOn(start) || goesOn(end)) return false
    const isAfterApostrophe = start > 1 && /['\u2019]/.test(text.charAt(start - 1)) && parts[start - 2] === LETTER
    return !isAfterApostrophe || end - start > 2 || !CONTRACTED.test(text.slice(start, end))
  }
}

/** What each UTF-16 unit belongs to; beyond the text there is nothing. */
function wordParts(text: string): Uint8Array {
  const parts = new Uint8Array(text.length + 1)
  let at = 0
  for (const character of text) {
    parts.fill(wordPart(character), at, (at += character.length))
  }
  return parts
}

function wordPart(character: string): number {
  const code = character.charCodeAt(0)
  // Kana, Han and Hangul, without a look at the tables.
  if (code > 0x3040 && code < 0xa000) return NONE
  if (/\p{Nd}/u.test(character)) return DIGIT
  return /[\p{L}\p{M}]/u.test(character) && !UNSPACED.test(character) ? LETTER : NONE
}
