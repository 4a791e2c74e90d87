/** Letters of other fonts, widths and frames: mathematical, circled, squared, full-width, and those that were kept in the letterlike symbols. Not ½, ㎏, ™. */
const STYLED =
  /[\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u2102\u210a-\u210e\u2110-\u2112\u2115\u2119-\u211d\u2124\u2128\u212c\u212d\u212f-\u2131\u2133\u2134\u2145-\u2149]+/gu

/** Framed white on black, which have no plain letter by Unicode's tables; each block begins with A. */
const FRAMED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu

/** Words in small capitals or raised letters; a single one may be phonetics or a note. */
const SMALL = /[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ]{3,}/gu
const RAISED = /[ᴬ-ᵀᵁᵂⱽᵃ-ᵏᵐᵒᵖᵗ-ᵛᶜᶠᶻʰʲʳʷʸˡˢˣⁱⁿ]{3,}/gu
const PLAIN: Readonly<Record<string, string>> = Object.fromEntries(Array.from('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡʏᴢ', (letter, index) => [letter, 'abcdefghijklmnopqrstuvwyz'.charAt(index)]))

/** Half-width katakana and hangul; whole runs, since a mark of voice is a character of its own there (ｶﾞ). */
const HALF_WIDTH = /[\uff65-\uffdc]+/gu

/** Marks of no particular language, for any letter; those that choose a picture or frame a key belong to emoji. */
const ANY_MARKS = /[[\p{M}&&\p{Script=Inherited}]--[\p{Variation_Selector}\u20e3]]+/gv
const STRUCK = /[\u0334-\u0338]/

/** Neither sound nor shape: controls, directions, fillers, unassigned and private characters. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t\p{Join_Control}\p{Variation_Selector}\u{e0020}-\u{e007f}]]/gv

/** Text of one message -> plain letters in sensible numbers. */
export function plainLetters(text: string): string {
  return held(unmarked(unstyled(unmarked(text.normalize('NFC'))).normalize('NFC')))
}

/** Letters, signs and line breaks of the scripts that most write in: nothing in them needs a second look. */
const ORDINARY = /^[\n\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Text without what can't be seen. Emoji need their joiners and tags a little longer. */
export function visible(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(/[\u2028\u2029]/g, '\n').replace(INVISIBLE, '')
}

/** At the end, when no emoji is left: their joiners, tags, colours and frames. */
export function withoutJoiners(text: string): string {
  return text.replace(/[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u20e3]/gu, '')
}

/** Styled letters (𝓗𝓮𝓵𝓵𝓸, Ｈｅｌｌｏ, ⓗⓔⓛⓛⓞ) as plain ones; only those, since the same for all would change what numbers and symbols mean. */
function unstyled(text: string): string {
  if (ORDINARY.test(text)) return text
  return text
    .replace(FRAMED, (letter) => String.fromCharCode(65 + (((letter.codePointAt(0) ?? 0) - 0x1f150) % 32)))
    .replace(STYLED, (letters) => letters.normalize('NFKC'))
    .replace(HALF_WIDTH, (letters) => letters.normalize('NFKC'))
    .replace(SMALL, (letters) => Array.from(letters, (letter) => PLAIN[letter] ?? '').join(''))
    .replace(RAISED, (letters) => letters.normalize('NFKC'))
}

/** Letters with dozens of marks on them, and struck out ones: what NFC could not join to a letter is language only when it is single. */
function unmarked(text: string): string {
  return ORDINARY.test(text) ? text : text.replace(ANY_MARKS, (marks) => (marks.length > 1 || STRUCK.test(marks) ? '' : marks)).replace(/(\p{M}{4})\p{M}+/gu, '$1')
}

/** What is repeated for long is held, not spelled: characters, syllables (hahaha), words. Numbers may be long, but not as long as a message. */
function held(text: string): string {
  return text
    .replace(/(\P{N})\1{3,}/gu, '$1$1$1')
    .replace(/(\p{N})\1{15,}/gu, (digits, digit: string) => digit.repeat(Math.min(15, digits.length)))
    .replace(/((?!\p{N})\S{2,8}?)\1{3,}/gu, '$1$1$1')
    .replace(/(?<!\S)(\S+)(?:\s+\1){3,}(?!\S)/gu, '$1 $1 $1')
}
