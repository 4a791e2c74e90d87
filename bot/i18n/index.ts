import { en } from './en.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'
import type { ArgsOf, Key, Language } from './language.ts'

/** One language's sentences by their keys. */
export type Translate = <K extends Key>(key: K, ...args: ArgsOf<K>) => string

const languages: ReadonlyMap<string, Language> = new Map(Object.entries({ en, ja, ko }))

/** The sentences of a Discord locale (`ja`, `en-GB`, ...); English where there are none. */
export function translator(locale: string): Translate {
  const language = languages.get(locale.split('-')[0] ?? '') ?? en
  return (key, ...args) => (language[key] as (...args: ArgsOf<typeof key>) => string)(...args)
}
