import type { en } from './en.ts'

export type Sentences = typeof en
export type Key = keyof Sentences
export type ArgsOf<K extends Key> = Parameters<Sentences[K]>

/** A language's sentences: the same keys with the same arguments as English. */
export type Language = { [K in Key]: Sentences[K] extends () => string ? () => string : (args: ArgsOf<K>[0]) => string }
