/** A text as words are looked for in it, and how to come back from there. */
export interface Folded {
  /** In lower case, at normal width, composed. */
  text: string
  /** Where a grapheme of the original begins, by its place in `text`, ends included; -1 inside one. */
  originalAt: Int32Array
  /** 1 where a grapheme of the original begins or the text ends, by the original's UTF-16 units. */
  isBoundary: Uint8Array
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Texts of these alone have one unit a grapheme: ASCII, kana, Han, Hangul syllables, wide letters; what may combine with its neighbour is left out. */
const SIMPLE = /^[\t\n\x20-\x7e\u3000-\u3029\u3030-\u3098\u309b-\u30ff\u3105-\u312f\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/

/** Letters in another dress: wide and narrow ones, those of mathematics, of ligatures, in circles and squares. A sign of its own, such as ①, ℃ or ㌔, stays one. */
const STYLED = /[\u2102\u210a-\u2115\u2119-\u211d\u2124\u2128\u212c-\u2131\u2133\u2134\u2145-\u2149\u24b6-\u24e9\u3000\ufb00-\ufb06\uff01-\uffee\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f169}\u{1f170}-\u{1f189}]+/gu

/** Folds a text grapheme by grapheme, so that each place in it has one in the original. */
export function foldText(original: string): Folded {
  const isBoundary = new Uint8Array(original.length + 1)
  const pieces: string[] = []
  const starts: number[] = []
  const add = (grapheme: string, start: number) => {
    isBoundary[start] = 1
    pieces.push(foldGrapheme(grapheme))
    starts.push(start)
  }
  if (SIMPLE.test(original)) for (let start = 0; start < original.length; start++) add(original.charAt(start), start)
  else for (const { segment, index } of graphemes.segment(original)) add(segment, index)
  isBoundary[original.length] = 1

  const text = pieces.join('')
  const originalAt = new Int32Array(text.length + 1).fill(-1)
  let at = 0
  pieces.forEach((piece, index) => {
    // A grapheme that folds to nothing goes with what follows.
    if (originalAt[at] === -1) originalAt[at] = starts[index] ?? 0
    at += piece.length
  })
  originalAt[text.length] = original.length
  return { text, originalAt, isBoundary }
}

/** A word as it is looked for. */
export function foldWord(word: string): string {
  return foldText(word).text
}

function foldGrapheme(grapheme: string): string {
  const code = grapheme.charCodeAt(0)
  if (grapheme.length === 1) {
    if (code < 0x80) return code <= 0x20 ? ' ' : grapheme.toLowerCase()
    // Kana, Han and Hangul have neither case nor dress.
    if ((code > 0x3040 && code < 0xa000) || (code >= 0xac00 && code < 0xd7a4)) return grapheme
  }
  const plain = grapheme.replace(/[\ufe0e\ufe0f]/g, '').replace(STYLED, (letters) => letters.normalize('NFKC')).normalize('NFC')
  // By way of upper case, so that ß, ſ and ς are found as ss, s and σ.
  return plain.toUpperCase().toLowerCase().replace(/\s/g, ' ').replace(/[\u2019\u02bc]/g, "'")
}
