const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A sentence that ends earlier than this share of the length is no good place: too much would be lost. */
const SENTENCE_FROM = 0.6
const WORD_FROM = 0.8

/** The text's beginning of at most `maxLength` graphemes, up to the end of a sentence or a word where one is near; `more` is said in place of the rest. */
export function cutText(text: string, maxLength: number, more: string): string {
  const end = endOf(text, maxLength)
  if (end === text.length) return text
  const sentence = sentences.segment(text).containing(end)?.index ?? 0
  const word = words.segment(text).containing(end)?.index ?? 0
  const at = sentence >= end * SENTENCE_FROM ? sentence : word >= end * WORD_FROM ? word : end
  return `${text.slice(0, at).trimEnd()}\n${more}`
}

/** Where so many graphemes end. */
function endOf(text: string, maxLength: number): number {
  if (text.length <= maxLength) return text.length
  let left = maxLength
  for (const { index } of graphemes.segment(text)) if (left-- === 0) return index
  return text.length
}
