import type { Clock } from '../core/clock.ts'

/** Somebody who was named is not named again for this long, unless somebody else spoke in between. */
const SAME_SPEAKER_MS = 60_000

export interface Naming {
  /** Whether this speaker's name is due before their next words in this server. */
  isDue(guildId: string, speakerId: string): boolean
  /** Their words were queued with their name. */
  named(guildId: string, speakerId: string): void
  /** What carried the name was not heard: the next words name their speaker again. */
  forget(guildId: string): void
}

/** When a speaker is named: at their first words, after somebody else's, and every 60 s, so that who comes in later knows too who it is. */
export function createNaming(clock: Clock): Naming {
  const last = new Map<string, { speakerId: string; atMs: number }>()
  return {
    isDue(guildId, speakerId) {
      const before = last.get(guildId)
      return before?.speakerId !== speakerId || clock.monotonic() - before.atMs >= SAME_SPEAKER_MS
    },
    named: (guildId, speakerId) => void last.set(guildId, { speakerId, atMs: clock.monotonic() }),
    forget: (guildId) => void last.delete(guildId)
  }
}
