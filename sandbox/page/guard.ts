import type { Context, MiddlewareHandler } from 'hono'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Nothing from elsewhere is loaded, and no other site may frame, read or script the page. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff'
}

/**
 * Refuses what a foreign site could send to a server on this machine: a name that was rebound to loopback (`Host`), and
 * a POST from any page but our own (`Origin`). 403 with a plain line for both.
 */
export const guard: MiddlewareHandler = async (c, next) => {
  const host = c.req.header('host') ?? ''
  if (!LOOPBACK.has(host.replace(/:\d{1,5}$/, ''))) return refuse(c, 'This page answers on loopback names only.')
  if (c.req.method === 'POST' && c.req.header('origin') !== `http://${host}`) return refuse(c, 'Only the page itself may act.')
  await next()
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
  return undefined
}

const refuse = (c: Context, message: string) => c.json({ ok: false, message }, 403)
