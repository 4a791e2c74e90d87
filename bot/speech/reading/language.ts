import { eld } from 'eld/extrasmall'

/** Characters that are looked at, and those that are enough for the detector. */
const LOOK_MAX = 600
const DETECT_MAX = 300

/** A text in Latin letters with less than this could be anything: it would be guessed at, not detected. */
const LATIN_MIN = { letters: 16, words: 4 }

/** Kana, what is written with nothing else, and the laugh (`草www`). */
const JAPANESE = /[\u3041-\u3096\u30a1-\u30fc々]|(?<=\p{Script=Han})[wｗ]+(?![\p{L}\p{N}])/gu

/** One of these says as much as several Latin letters: `ラーメン is great`. */
const WEIGHT = 3

/**
 * The language of what was written, as a BCP 47 tag; undefined when it is not sure. Kana and hangul tell it by themselves; the detector is asked
 * for the rest, and believed when there is enough for it. Characters alone may be Chinese or Japanese: in a Japanese server they are Japanese.
 */
export function languageOfText(whole: string, serverLanguage: string): string | undefined {
  const text = whole.slice(0, LOOK_MAX)
  const kana = count(text, JAPANESE)
  const hangul = count(text, /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/g)
  const han = count(text, /\p{Script=Han}/gu)
  const latin = count(text, /\p{Script=Latin}/gu)
  if (kana > 0 && (kana + han) * WEIGHT >= latin && kana + han >= hangul) return 'ja'
  if (hangul > 0 && hangul * WEIGHT >= latin) return 'ko'
  if (han * WEIGHT > latin && serverLanguage === 'ja') return 'ja'
  const sample = text.slice(0, DETECT_MAX)
  if (latin > 0 && han * WEIGHT <= latin && (latin < LATIN_MIN.letters || differentWords(sample) < LATIN_MIN.words)) return undefined
  const found = eld.detect(sample)
  return found.isReliable() && found.language !== '' ? found.language : undefined
}

function differentWords(text: string): number {
  return new Set(text.toLowerCase().match(/\p{L}+/gu)).size
}

function count(text: string, of: RegExp): number {
  let found = 0
  for (const _ of text.matchAll(of)) found += 1
  return found
}
