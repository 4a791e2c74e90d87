import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../core/clock.ts'
import { LOOPBACK_NAMES } from '../core/loopback.ts'
import { cameByProxy } from './caller.ts'
import type { EntryEnvironment } from './environment.ts'

/**
 * For a registry without a key: any page that is open in a browser on this machine could register a node of its own, and be sent the nodes' key and
 * what members say. So a browser of another site may only tell a presence, only names of this machine are answered to, and nobody for whom a proxy asks.
 */
export function guardKeyless(httpHost: string, clock: Pick<Clock, 'now'>): MiddlewareHandler<EntryEnvironment> {
  return async (context, next) => {
    const { hostname, host, searchParams } = new URL(context.req.url)
    const named = LOOPBACK_NAMES.includes(hostname) || hostname === httpHost
    const origin = context.req.header('origin')
    const isForeign = cameByProxy(context.env.incoming) || (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host))
    const isPresence = searchParams.get('action') === 'presence' && searchParams.has('deviceId')
    if (named && (!isForeign || isPresence)) {
      await next()
      return
    }
    return context.json({ ok: false, now: clock.now(), error: { code: 'unauthorized', message: 'a registry without REGISTRY_KEY answers this machine’s own programs only' } }, 403)
  }
}
