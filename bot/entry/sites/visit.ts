import type { IncomingMessage } from 'node:http'
import { weightsOf } from './weights.ts'

/** What a request asks of a site. */
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
  const [, host = headers.host ?? '', inside = url] = WHOLE_ADDRESS.exec(url) ?? []
  const at = inside.indexOf('?')
  const rawPath = at < 0 ? inside : inside.slice(0, at)
  return { host, rawPath: rawPath === '' ? '/' : rawPath, query: at < 0 ? '' : inside.slice(at) }
}

/** What a browser fetches to show it as a page. */
const PAGES = new Set(['document', 'iframe', 'frame'])

/** Whether somebody visits a page, and does not fetch what a page is made of: it takes HTML, and a browser does not say that it is for something else. */
export function isVisit(headers: IncomingMessage['headers']): boolean {
  const wantedFor = headers['sec-fetch-dest']
  if (typeof wantedFor === 'string' && !PAGES.has(wantedFor)) return false
  const weights = weightsOf(headers.accept ?? '*/*')
  return (weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0) > 0
}
