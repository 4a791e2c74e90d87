import { credits } from './topics/credits.ts'
import { dictionary } from './topics/dictionary.ts'
import { fault } from './topics/fault.ts'
import { help } from './topics/help.ts'
import { keys } from './topics/keys.ts'
import { nodeTest } from './topics/node-test.ts'
import { nodes } from './topics/nodes.ts'
import { over } from './topics/over.ts'
import { queue } from './topics/queue.ts'
import { read } from './topics/read.ts'
import { reading } from './topics/reading.ts'
import { recording } from './topics/recording.ts'
import { refused } from './topics/refused.ts'
import { say } from './topics/say.ts'
import { session } from './topics/session.ts'
import { settings } from './topics/settings.ts'
import { silenced } from './topics/silenced.ts'
import { status } from './topics/status.ts'
import { voice } from './topics/voice.ts'

/** Every sentence that the bot says, by what it is about; a topic's file has it in all languages, one below the other. */
const topics = [credits, dictionary, fault, help, keys, nodes, nodeTest, over, queue, read, reading, recording, refused, say, session, silenced, settings, status, voice] as const

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
