import { LANGUAGES, languageOf } from './index.ts'
import type { LanguageCode } from './index.ts'

const names = new Map<LanguageCode, Intl.DisplayNames>(LANGUAGES.map((language) => [language, new Intl.DisplayNames([language], { type: 'language' })]))

/** What was looked up, since a look-up takes some 10 µs and a search through all voices wants thousands; nodes may name any language they like. */
const known = new Map<string, string>()
const KNOWN_MAX = 1000

/** What a language is called in ours that is nearest to a Discord locale, e.g. `ja` in `en-GB`: Japanese; its tag where there is no name for it. */
export function languageName(tag: string, locale: string): string {
  const language = languageOf(locale)
  const key = `${language} ${tag}`
  const before = known.get(key)
  if (before !== undefined) return before
  const name = lookUp(tag, language)
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(key, name)
  return name
}

function lookUp(tag: string, language: LanguageCode): string {
  try {
    return names.get(language)?.of(tag) ?? tag
  } catch {
    return tag
  }
}
