import type { Clock } from '../../core/clock.ts'
import { hashOf, newSecret } from '../secrets.ts'

export const LINK_MS = 10 * 60_000

/** Links that may be open at once; the oldest gives way. */
const OPEN_MAX = 100
/** What became of a link is known for some time: whoever follows it too late is told why it does not work. */
const REMEMBERED_MAX = 1_000

export type LinkUse = { ok: true; userId: string } | { ok: false; reason: 'link_used' | 'link_expired' | 'link_unknown' }

export interface AdminLinks {
  /** The token of a new link for this admin: it works once, for 10 minutes. */
  make(userId: string): string
  use(token: string): LinkUse
}

/** Links that open the status page with an admin's rights. In memory: none outlives the bot. */
export function createAdminLinks(clock: Pick<Clock, 'monotonic'>): AdminLinks {
  /** The oldest first. */
  const open = new Map<string, { userId: string; untilMs: number }>()
  const over = new Map<string, 'link_used' | 'link_expired'>()

  function end(hash: string, how: 'link_used' | 'link_expired') {
    open.delete(hash)
    over.set(hash, how)
    const [oldest] = over.keys()
    if (over.size > REMEMBERED_MAX && oldest !== undefined) over.delete(oldest)
  }

  function expire() {
    for (const [hash, { untilMs }] of open) if (clock.monotonic() >= untilMs) end(hash, 'link_expired')
  }

  return {
    make(userId) {
      expire()
      const token = newSecret()
      open.set(hashOf(token), { userId, untilMs: clock.monotonic() + LINK_MS })
      const [oldest] = open.keys()
      if (open.size > OPEN_MAX && oldest !== undefined) end(oldest, 'link_expired')
      return token
    },
    use(token) {
      expire()
      const hash = hashOf(token)
      const link = open.get(hash)
      if (link === undefined) return { ok: false, reason: over.get(hash) ?? 'link_unknown' }
      end(hash, 'link_used')
      return { ok: true, userId: link.userId }
    }
  }
}
