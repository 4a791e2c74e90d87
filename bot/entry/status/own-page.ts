import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { EntryEnvironment } from '../environment.ts'
import { refuse } from '../errors.ts'

export const BODY_MAX_BYTES = 4 * 1024

/**
 * For what changes something: only a page of the entry itself may ask for it, with its reader's cookie. A form of another site can't set this
 * content type, and a script there not without asking first, which nobody answers; the browser's own word about where the request comes from counts besides.
 */
export function fromOwnPage(entryUrl: () => string): MiddlewareHandler<EntryEnvironment> {
  return async (context, next) => {
    const { 'content-type': type = '', origin, host } = context.env.incoming.headers
    const site = context.env.incoming.headers['sec-fetch-site']
    const isJson = /^application\/json\s*(?:;|$)/i.test(type)
    const isOwn = site === undefined ? isAt(origin, [host?.toLowerCase(), new URL(entryUrl()).host]) : site === 'same-origin'
    if (!isJson || !isOwn) return refuse(context, 'cross_site', 'Only the status page itself may ask for this.')
    await next()
  }
}

/** Whether the page is at one of these hosts. Its scheme is not compared: a proxy in front may have another. */
function isAt(origin: string | undefined, hosts: readonly (string | undefined)[]): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host !== '' && hosts.includes(new URL(origin).host)
}

export const withSmallBody: MiddlewareHandler<EntryEnvironment> = bodyLimit({
  maxSize: BODY_MAX_BYTES,
  onError: (context) => refuse(context, 'too_large', `A body has ${String(BODY_MAX_BYTES)} bytes at most here.`)
})
