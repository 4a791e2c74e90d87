import type { Clock } from '../../core/clock.ts'
import { hashOf, newSecret } from '../secrets.ts'

export const SESSION_MS = 12 * 3_600_000

/** At once, of all admins; the oldest gives way. */
const SESSIONS_MAX = 100

export interface AdminSession {
  userId: string
  /** By the bot's clock. */
  untilMs: number
}

export interface AdminSessions {
  /** What the browser keeps. */
  begin(userId: string): string
  /** Undefined where it is over, was never there, or its holder is no admin any more. */
  find(secret: string | undefined): AdminSession | undefined
  end(secret: string | undefined): void
}

/** Who acts as an admin on the status page: for 12 hours, and only while they are one. In memory: none outlives the bot. */
export function createAdminSessions(clock: Pick<Clock, 'now' | 'monotonic'>, isAdmin: (userId: string) => boolean): AdminSessions {
  const sessions = new Map<string, AdminSession & { endMs: number }>()
  return {
    begin(userId) {
      const secret = newSecret()
      for (const [hash, { endMs }] of sessions) if (clock.monotonic() >= endMs) sessions.delete(hash)
      sessions.set(hashOf(secret), { userId, untilMs: clock.now() + SESSION_MS, endMs: clock.monotonic() + SESSION_MS })
      const [oldest] = sessions.keys()
      if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest)
      return secret
    },
    find(secret) {
      const session = secret === undefined ? undefined : sessions.get(hashOf(secret))
      if (session === undefined || clock.monotonic() >= session.endMs || !isAdmin(session.userId)) return undefined
      return { userId: session.userId, untilMs: session.untilMs }
    },
    end(secret) {
      if (secret !== undefined) sessions.delete(hashOf(secret))
    }
  }
}
