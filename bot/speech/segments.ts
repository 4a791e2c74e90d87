/** Length of the longest piece that one request carries: some 15 s of speech, so that a node's slot is never held for long. */
export const SEGMENT_MAX = 180

/** Length of the first piece, where a sentence or a clause ends in time: the shorter it is, the sooner something is heard. */
export const FIRST_MAX = 60

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Cuts a text at ends of sentences into pieces that one request each can speak; a longer sentence at the end of a clause or a word, and a
 * longer word between graphemes. Joined, the pieces are the text again, to the letter.
 */
export function splitText(text: string): string[] {
  const segments: string[] = []
  let open = ''
  let openLength = 0
  const close = () => {
    if (open !== '') segments.push(open)
    open = ''
    openLength = 0
  }
  for (const part of partsOf(text)) {
    const length = spokenLength(part)
    const limit = segments.length === 0 ? FIRST_MAX : SEGMENT_MAX
    if (openLength > 0 && openLength + length > limit) close()
    open += part
    openLength += length
    if (segments.length === 0 && openLength >= FIRST_MAX / 2) close()
  }
  close()
  return segments
}

/** Sentences; the pieces of those that are too long for one request. */
function* partsOf(text: string): Generator<string> {
  let first = true
  for (const sentence of sentencesOf(text)) {
    const limit = first ? FIRST_MAX : SEGMENT_MAX
    first = false
    if (spokenLength(sentence) <= limit) yield sentence
    else yield* piecesOf(sentence, limit)
  }
}

/** A full stop that ends no sentence: after a title or an initial. */
const ABBREVIATED = /(?<![\p{L}\p{N}])(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|vs|\p{Lu})\.[^\S\n]*$/u

/** Quoted speech in Japanese goes on into its sentence: 「はい。」と言った。 */
const QUOTED = /[」』）]$/
const GOES_ON = /^(?:と|って|なんて)/

function* sentencesOf(text: string): Generator<string> {
  let open = ''
  for (const { segment } of sentences.segment(text)) {
    const goesOn = ABBREVIATED.test(open.slice(-8)) || (GOES_ON.test(segment) && QUOTED.test(open.slice(-1)))
    if (open !== '' && !goesOn) {
      yield open
      open = ''
    }
    open += segment
  }
  if (open !== '') yield open
}

/** After these a reader breathes. */
const CLAUSE_END = /[,;:.!?、，；：。！？…·)\]」』）】\n]\s*$/u

/** A sentence in pieces of at most `limit` (the later ones `SEGMENT_MAX`), at clauses where there are some in the second half. */
function* piecesOf(sentence: string, limit: number): Generator<string> {
  let open: string[] = []
  let length = 0
  let clauseAt = 0
  for (const part of wordsOf(sentence, limit)) {
    const partLength = spokenLength(part)
    if (length + partLength > limit && open.length > 0) {
      const cut = clauseAt > open.length / 2 ? clauseAt : open.length
      yield open.slice(0, cut).join('')
      open = open.slice(cut)
      length = open.reduce((sum, each) => sum + spokenLength(each), 0)
      clauseAt = 0
      limit = SEGMENT_MAX
    }
    open.push(part)
    length += partLength
    if (CLAUSE_END.test(part)) clauseAt = open.length
  }
  if (open.length > 0) yield open.join('')
}

function* wordsOf(sentence: string, limit: number): Generator<string> {
  for (const { segment } of words.segment(sentence)) {
    if (spokenLength(segment) <= limit) yield segment
    // A word that no request could carry: by its characters.
    else for (const part of graphemes.segment(segment)) yield part.segment
  }
}

const SILENT = /[\p{M}\p{Cf}]/u

/** Length for the ear: letters and signs, those of Chinese, Japanese and Korean twice, marks on them not at all. */
export function spokenLength(text: string): number {
  let length = 0
  for (const char of text) {
    const code = char.charCodeAt(0)
    if (code < 0x300) length += 1
    else if (isWide(code)) length += 2
    else if (!SILENT.test(char)) length += 1
  }
  return length
}

/** Kana, Han and hangul: a syllable or more each, where a Latin letter is a part of one. */
function isWide(code: number): boolean {
  return (code >= 0x3041 && code <= 0x3096) || (code >= 0x30a0 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)
}
