/** What one key may ask of the entry. */
export interface KeyLimits {
  /** Requests a minute, the burst as well. */
  perMinute: number
  /** Requests at once. */
  concurrency: number
}

export interface ApiKey extends KeyLimits {
  /** Eight hex digits; no secret, so it may stand in a list. */
  id: string
  /** Whom it is for. */
  name: string
  createdAtMs: number
  /** To the hour; null: never. */
  usedAtMs: number | null
}

export interface ApiKeys {
  /** A new key; its secret is told here and never again. Undefined when there are too many. On disk when it returns. */
  make(name: string, limits?: Partial<KeyLimits>): { key: ApiKey; secret: string } | undefined
  list(): readonly ApiKey[]
  /** False when there is no such key. From then on its secret opens nothing. */
  revoke(id: string): boolean
  /** Whose secret this is. */
  keyOf(secret: string): ApiKey | undefined
}
