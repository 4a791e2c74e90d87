import type { IncomingMessage } from 'node:http'
import { PROXY_HEADER } from './proxy-headers.ts'

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i

/** What is looked at of a request to know who asks. */
export type Asking = Pick<IncomingMessage, 'headers' | 'httpVersion'> & { socket: { remoteAddress?: string | undefined } }

/**
 * Whether a program of this machine itself asks: not somebody for whom a proxy or a tunnel on this machine does, and no page of another site that is open
 * in a browser here, by its own name for this machine (`Host`) or across sites (`Origin`, `Sec-Fetch-Site`).
 */
export function isLocal(incoming: Asking): boolean {
  const { socket, headers } = incoming
  const { host = '', origin } = headers
  const site = headers['sec-fetch-site']
  return (
    LOOPBACK.test(socket.remoteAddress ?? '') &&
    !cameByProxy(incoming) &&
    isLoopbackHost(host) &&
    (origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
}

/** A `Host` by which only this machine itself is called, with or without a port. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host)
}

/** Whether a proxy or a tunnel passed this on, as far as it shows. HTTP/1.0 is what nginx speaks unless told otherwise, without any header of its own; programs have left it long ago. */
export function cameByProxy({ headers, httpVersion }: Pick<Asking, 'headers' | 'httpVersion'>): boolean {
  return httpVersion === '1.0' || headers.forwarded !== undefined || headers.via !== undefined || Object.keys(headers).some((name) => PROXY_HEADER.test(name))
}
