import { Hono } from 'hono'
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as z from 'zod'
import { ADMIN_COOKIE } from '../admin-cookie.ts'
import type { EntryEnvironment } from '../environment.ts'
import { refuse } from '../errors.ts'
import type { AdminLinks } from './admin-links.ts'
import { SESSION_MS } from './admin-sessions.ts'
import type { AdminSession, AdminSessions } from './admin-sessions.ts'
import { fromOwnPage, withSmallBody } from './own-page.ts'

const Ask = z.object({ token: z.string().min(1).max(256) })

const MESSAGES = {
  link_used: 'This link has been used. The panel of /nodes makes a new one.',
  link_expired: 'This link is too old. The panel of /nodes makes a new one.',
  link_unknown: 'There is no such link. The panel of /nodes makes a new one.'
} as const

/** `/api/session`: a link's token becomes a cookie that no script can read; and its end. */
export function serveSession({ links, sessions, isAdmin, entryUrl }: {
  links: AdminLinks
  sessions: AdminSessions
  isAdmin: (userId: string) => boolean
  /** Where others reach the entry. */
  entryUrl: () => string
}): Hono<EntryEnvironment> {
  const app = new Hono<EntryEnvironment>()
  const cookie = () => ({ path: '/api', httpOnly: true, sameSite: 'Strict', secure: entryUrl().startsWith('https:') }) as const
  const ownPage = fromOwnPage(entryUrl)

  app.get('/api/session', (context) => {
    const session = sessionOf(context, sessions)
    return context.json({ isAdmin: session !== undefined, until: session?.untilMs ?? null }, 200, { 'cache-control': 'no-store' })
  })

  app.post('/api/session', ownPage, withSmallBody, async (context) => {
    const asked = Ask.safeParse(await context.req.json().catch(() => undefined))
    if (!asked.success) return refuse(context, 'bad_request', 'Expected {"token": "..."}.')
    const used = links.use(asked.data.token)
    if (!used.ok) return refuse(context, used.reason, MESSAGES[used.reason])
    if (!isAdmin(used.userId)) return refuse(context, 'forbidden', 'Whom this link was made for is no admin of the bot any more.')
    // Who comes back by a new link needs the old session no longer.
    sessions.end(getCookie(context, ADMIN_COOKIE))
    setCookie(context, ADMIN_COOKIE, sessions.begin(used.userId), { ...cookie(), maxAge: SESSION_MS / 1_000 })
    return context.body(null, 204, { 'cache-control': 'no-store' })
  })

  app.delete('/api/session', ownPage, withSmallBody, (context) => {
    sessions.end(getCookie(context, ADMIN_COOKIE))
    deleteCookie(context, ADMIN_COOKIE, cookie())
    return context.body(null, 204, { 'cache-control': 'no-store' })
  })
  return app
}

/** Whose session a request is of. */
export function sessionOf(context: Context<EntryEnvironment>, sessions: Pick<AdminSessions, 'find'>): AdminSession | undefined {
  return sessions.find(getCookie(context, ADMIN_COOKIE))
}
