/** For whom an entry holds: a member wherever they write, everybody in a server, everybody. */
export type Scope = { of: 'mine'; userId: string } | { of: 'server'; guildId: string } | { of: 'all' }

/** Entries that one scope may have. */
export const ENTRIES_MAX = { mine: 200, server: 2_000, all: 5_000 } as const

/** A scope as one word, on disk and in memory. */
export function scopeKey(scope: Scope): string {
  if (scope.of === 'mine') return `mine:${scope.userId}`
  return scope.of === 'server' ? `server:${scope.guildId}` : 'all'
}
