import { fault } from './topics/fault.ts'
import { nodes } from './topics/nodes.ts'
import { refused } from './topics/refused.ts'
import { say } from './topics/say.ts'
import { session } from './topics/session.ts'
import { status } from './topics/status.ts'

/** Every sentence that the bot says, by what it is about; a topic's file has it in all languages, one below the other. */
const topics = [fault, nodes, refused, say, session, status] as const

export const LANGUAGES = ['en', 'ja', 'ko'] as const
export type LanguageCode = (typeof LANGUAGES)[number]

type Topics = (typeof topics)[number]['en']
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
type English = Intersection<Topics>
export type Key = keyof English
type ArgsOf<K extends Key> = Parameters<English[K]>

/** One language's sentences by their keys. */
export type Translate = <K extends Key>(key: K, ...args: ArgsOf<K>) => string

export const sentences: Readonly<Record<LanguageCode, English>> = {
  en: Object.assign({}, ...topics.map(({ en }) => en)) as English,
  ja: Object.assign({}, ...topics.map(({ ja }) => ja)) as English,
  ko: Object.assign({}, ...topics.map(({ ko }) => ko)) as English
}

/** The language of a Discord locale (`ja`, `en-GB`, ...); English where we do not speak it. */
export function languageOf(locale: string): LanguageCode {
  const code = locale.split('-')[0]
  return LANGUAGES.find((each) => each === code) ?? 'en'
}

/** The sentences of a Discord locale. */
export function translator(locale: string): Translate {
  const language = sentences[languageOf(locale)]
  return (key, ...args) => (language[key] as (...args: ArgsOf<typeof key>) => string)(...args)
}
