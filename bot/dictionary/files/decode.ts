import type { LanguageCode } from '../../i18n/index.ts'

const MARKS = [
  { bytes: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' }
] as const

/** What programs of the country write that mark nothing; the bytes of the one are often good ones of the other too. */
const NATIONAL = { en: ['shift_jis', 'euc-kr'], ja: ['shift_jis', 'euc-kr'], ko: ['euc-kr', 'shift_jis'] } as const

/** A text file's characters: UTF-8, UTF-16 with its mark, or else what is usual in the reader's country. Undefined when it is no text. */
export function decodeText(bytes: Uint8Array, language: LanguageCode): string | undefined {
  const mark = MARKS.find((each) => each.bytes.every((byte, index) => bytes[index] === byte))
  for (const encoding of mark === undefined ? (['utf-8', ...NATIONAL[language]] as const) : [mark.encoding]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      // A spreadsheet or a picture has these.
      return /(?![\t\n\v\f\r])\p{Cc}/u.test(text) ? undefined : text
    } catch {
      // Not in this one.
    }
  }
  return undefined
}
