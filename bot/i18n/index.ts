import { en } from './en.ts'
import { ja } from './ja.ts'
import { ko } from './ko.ts'

type Sentences = typeof en
export type Key = keyof Sentences
type ArgsOf<K extends Key> = Parameters<Sentences[K]>

/** A language's sentences: the same keys with the same arguments as English. */
export type Language = { [K in Key]: Sentences[K] extends () => string ? () => string : (args: ArgsOf<K>[0]) => string }

/** One language's sentences by their keys. */
export type Translate = <K extends Key>(key: K, ...args: ArgsOf<K>) => string

const languages: ReadonlyMap<string, Language> = new Map(Object.entries({ en, ja, ko }))

/** The sentences of a Discord locale (`ja`, `en-GB`, ...); English where there are none. */
export function translator(locale: string): Translate {
  const language = languages.get(locale.split('-')[0] ?? '') ?? en
  return (key, ...args) => (language[key] as (...args: ArgsOf<typeof key>) => string)(...args)
}
