import type { IncomingMessage } from 'node:http'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** What a proxy adds: behind one on this machine everybody would look local. */
const FORWARDING = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'via']

/**
 * Whether a program of this machine itself asks: not somebody for whom a proxy or a tunnel on this machine does, and no page of another site that is open
 * in a browser here, by its own name for this machine (`Host`) or across sites (`Origin`, `Sec-Fetch-Site`).
 */
export function isLocal({ socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): boolean {
  const { host = '', origin } = headers
  const site = headers['sec-fetch-site']
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    FORWARDING.every((name) => headers[name] === undefined) &&
    LOOPBACK_HOST.test(host) &&
    (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
}
