import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LanguageCode } from '../../i18n/index.ts'

/** Variation selectors and skin colours: the same emoji with and without. */
const VARIANT = /\p{Variation_Selector}|\p{Emoji_Modifier}/gu

const FILES: Readonly<Record<LanguageCode, string>> = {
  en: import.meta.resolve('emojibase-data/en/compact.json'),
  ja: import.meta.resolve('emojibase-data/ja/compact.json'),
  ko: import.meta.resolve('emojibase-data/ko/compact.json')
}

const named = new Map<LanguageCode, Map<string, string>>()

/** What an emoji is called (Unicode's CLDR); a joined one that has no name yet, by its first part. Undefined when nobody calls it anything. */
export function emojiName(emoji: string, language: LanguageCode): string | undefined {
  const names = namesIn(language)
  const plain = emoji.replace(VARIANT, '')
  return names.get(plain) ?? names.get(plain.split('\u200d')[0] ?? '')
}

/** Read from the package when a language is first met: of its half a megabyte only the names stay. */
function namesIn(language: LanguageCode): Map<string, string> {
  const known = named.get(language)
  if (known !== undefined) return known
  const entries = JSON.parse(readFileSync(fileURLToPath(FILES[language]), 'utf8')) as { unicode: string; label: string }[]
  const names = new Map(entries.map(({ unicode, label }) => [unicode.replace(VARIANT, ''), spoken(unicode, label)]))
  named.set(language, names)
  return names
}

/** "flag: Japan" is Japan; "family: man, woman, boy" a family. */
function spoken(unicode: string, label: string): string {
  const [what = '', which = ''] = label.split(': ')
  return /^[\u{1f1e6}-\u{1f1ff}]|\u{e007f}$/u.test(unicode) && which !== '' ? which : what.replace(/[“”]/g, '')
}
