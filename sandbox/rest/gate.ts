import { createMiddleware } from 'hono/factory'
import type { ForcedAnswer, Switches } from '../switches.ts'
import type { RestDeps } from './deps.ts'
import { refused } from './errors.ts'
import { createLimits } from './limits.ts'

/** Interactions and their webhooks carry a token of their own in the path. */
const WITHOUT_BOT_TOKEN = /^\/(?:interactions|webhooks)\/|^\/gateway$/

/** `/api/...` whether or not the version stands in it; discord.js writes `@me` and `@original` with `%40`. */
export const apiPath = (url: string): string => new URL(url).pathname.replace(/^\/api\/v10(?=\/)/, '/api').replaceAll('%40', '@')

/** The answer that a test forces, when one waits for this request; it is used up after its `times`. */
function takeForced({ forced }: Switches, asked: string, path: string): ForcedAnswer | undefined {
  const row = forced.find(({ method, path: pattern, times }) => times > 0 && (method ?? asked) === asked && pattern.test(path))
  if (row && --row.times === 0) forced.splice(forced.indexOf(row), 1)
  return row
}

/** What every call must pass first: forced answers, the bot's token (401), rate limits (429). */
export function gate({ world, switches, wireClock }: RestDeps) {
  const limits = createLimits(wireClock)
  return createMiddleware(async (c, next) => {
    const path = apiPath(c.req.url).replace(/^\/api/, '')
    const limited = (retryAfterSecs: number, global: boolean) => {
      c.header('Retry-After', String(Math.ceil(retryAfterSecs * 1000) / 1000))
      c.header('X-RateLimit-Scope', global ? 'global' : 'user')
      if (global) c.header('X-RateLimit-Global', 'true')
      return c.json({ message: 'You are being rate limited.', retry_after: retryAfterSecs, global }, 429)
    }
    const forced = takeForced(switches, c.req.method, path)
    if (forced?.status === 429) return limited(forced.retryAfterSecs ?? 1, forced.global ?? false)
    if (forced) return c.json({ message: `${forced.status}: forced`, code: 0 }, forced.status)

    const needsToken = !WITHOUT_BOT_TOKEN.test(path)
    if (needsToken && c.req.header('authorization') !== `Bot ${world.application.token}`) throw refused.unauthorized()
    if (switches.rateLimits) {
      const { headers, over } = limits.check(c.req.method, path, needsToken)
      for (const [name, value] of Object.entries(headers)) c.header(name, value)
      if (over) return limited(over.retryAfterSecs, over.global)
    }
    return next()
  })
}
