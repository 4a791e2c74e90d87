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
  for (const { segment } of sentences.segment(text)) {
    const limit = first ? FIRST_MAX : SEGMENT_MAX
    first = false
    if (spokenLength(segment) <= limit) yield segment
    else yield* piecesOf(segment, limit)
  }
}

/** After these a reader breathes. */
const CLAUSE_END = /[,;:、，；：·)\]」』）】\n]\s*$/u

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

/** A syllable or more each, where a Latin letter is a part of one. */
const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]/

/** Length for the ear: graphemes, those of Chinese, Japanese and Korean twice. */
export function spokenLength(text: string): number {
  let length = 0
  for (const { segment } of graphemes.segment(text)) length += WIDE.test(segment) ? 2 : 1
  return length
}
