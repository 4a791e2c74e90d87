/** Sentences by their keys, in one language; the arguments of each are typed by the English one. */
export type Sentences = Record<string, (args: never) => string>

/** The same keys with the same arguments in another language, which may leave an argument out. */
export type Language<English extends Sentences> = {
  [K in keyof English]: English[K] extends () => string ? () => string : (args: Parameters<English[K]>[0]) => string
}
