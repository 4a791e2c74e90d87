import type { IncomingMessage } from 'node:http'

/** What a request asks for, as it came. */
export interface Target {
  /** As it came, with port and case. */
  host: string
  /** As it came over the wire, still encoded: an address that was normalised on the way no longer shows what somebody tried. */
  rawPath: string
  /** With its question mark; empty where there is none. */
  query: string
}

const WHOLE_ADDRESS = /^https?:\/\/([^/?#]*)(.*)$/is

/** Some callers send the whole address, as to a proxy: then the host in it counts, and the `Host` header does not. */
export function targetOf({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Target {
  const [, host = headers.host ?? '', inside = url] = (url.startsWith('/') ? null : WHOLE_ADDRESS.exec(url)) ?? []
  const at = inside.indexOf('?')
  const rawPath = at < 0 ? inside : inside.slice(0, at)
  return { host, rawPath: rawPath === '' ? '/' : rawPath, query: at < 0 ? '' : inside.slice(at) }
}
