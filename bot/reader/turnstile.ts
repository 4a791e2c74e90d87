import type { Clock } from '../core/clock.ts'

/** Who comes and goes and comes is told of once in this time. */
const QUIET_MS = 10_000

/** People in all servers who came or went within the last ten seconds; more at once are let through without a word. */
const WATCHED_MAX = 5_000

export interface Turnstile<Who> {
  /** Somebody came (`true`) or went. Of one key's `who` the newest is told. */
  pass(key: string, isIn: boolean, who: Who): void
  close(): void
}

/**
 * Tells of comings and goings at once, and then of the same person's only ten seconds later, when they are not where they were told to be: a line
 * that breaks and comes back is heard of once.
 */
export function createTurnstile<Who>(clock: Clock, tell: (who: Who, isIn: boolean) => void): Turnstile<Who> {
  const watched = new Map<string, { told: boolean; isIn: boolean; who: Who; cancel: () => void }>()
  function announce(key: string, isIn: boolean, who: Who): void {
    watched.set(key, { told: isIn, isIn, who, cancel: clock.after(QUIET_MS, () => settle(key)) })
    tell(who, isIn)
  }
  function settle(key: string): void {
    const one = watched.get(key)
    watched.delete(key)
    if (one !== undefined && one.isIn !== one.told) announce(key, one.isIn, one.who)
  }
  return {
    pass(key, isIn, who) {
      const one = watched.get(key)
      if (one !== undefined) Object.assign(one, { isIn, who })
      else if (watched.size < WATCHED_MAX) announce(key, isIn, who)
    },
    close() {
      for (const { cancel } of watched.values()) cancel()
      watched.clear()
    }
  }
}
