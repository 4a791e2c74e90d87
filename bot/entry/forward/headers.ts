import { ADMIN_COOKIE } from '../admin-cookie.ts'
import { PROXY_HEADER } from '../proxy-headers.ts'
import { FORWARDED_SECURITY_HEADERS } from '../security-headers.ts'
import type { Exchange } from './exchange.ts'
import { withHop } from './hops.ts'

/** They belong to one connection and end there (RFC 9110, 7.6.1, and what clients send beside it). */
const HOP_BY_HOP = [
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info', 'proxy-connection', 'te', 'trailer', 'transfer-encoding',
  'upgrade', 'http2-settings'
]

/** Not for an upstream. */
const NOT_SENT = new Set([
  ...HOP_BY_HOP,
  // Made anew by whoever sends.
  'host', 'content-length', 'expect', 'x-request-id', 'forwarded', 'via',
  // A key of the entry's own: a node must never see it.
  'authorization',
  // Some servers take the path or the method from here, and not the ones that were let through.
  'x-original-url', 'x-rewrite-url', 'x-http-method', 'x-http-method-override', 'x-method-override'
])

/** Not for a caller: the entry's own, and what speaks for a whole host, which is the entry's and not an upstream's. */
const NOT_ANSWERED = new Set([
  ...HOP_BY_HOP,
  'x-request-id', ...Object.keys(FORWARDED_SECURITY_HEADERS),
  // What tunnels and proxies on the way say of where it came from.
  'ngrok-agent-ips', 'x-served-by', 'forwarded', 'via',
  'alt-svc', 'strict-transport-security', 'clear-site-data', 'service-worker-allowed', 'report-to', 'reporting-endpoints', 'nel', 'public-key-pins', 'x-accel-redirect'
])

/** The entry's own headers of every answer that is not of its own making. */
const OWN_ANSWERED = Object.entries(FORWARDED_SECURITY_HEADERS).flat()

/**
 * The headers of a request for an upstream, name and value in turn: hop-by-hop ones and those that `Connection` names are gone; our own (the request's
 * id, `Forwarded`, `Via`, `own`) come last, so that no caller can take them away or set them.
 * @param hop how this entry calls itself in `Via`
 * @param named the host that the request line names, which comes before the header `Host`
 * @param own such as the upstream's own `authorization`, names in lower case
 */
export function requestHeaders({ incoming, requestId }: Exchange, hop: string, named: string | undefined, own: Readonly<Record<string, string>>): string[] {
  const { rawHeaders, socket, httpVersion } = incoming
  let unwanted: Set<string> | undefined
  let forwarded = ''
  let via = ''
  let host = named ?? ''
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    const lower = name.toLowerCase()
    if (lower === 'host') host ||= value
    else if (lower === 'connection') unwanted = namedBy(value, unwanted)
    else if (lower === 'forwarded') forwarded = forwarded === '' ? value : `${forwarded}, ${value}`
    else if (lower === 'via') via = via === '' ? value : `${via}, ${value}`
    else if (!NOT_SENT.has(lower) && !PROXY_HEADER.test(lower) && !Object.hasOwn(own, lower)) kept.push(name, value)
  }
  const headers = unwanted === undefined ? kept : without(unwanted, kept)
  const who = `for=${quoted(node(socket.remoteAddress))};host=${quoted(host)};proto=${'encrypted' in socket ? 'https' : 'http'}`
  headers.push('x-request-id', requestId, 'forwarded', withHop(forwarded, who), 'via', `${via === '' ? '' : `${via}, `}${httpVersion} ${hop}`)
  for (const name in own) headers.push(name, own[name] ?? '')
  return headers
}

/** As an upstream sent them, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** What is known of an upstream's place, so that no answer tells it. */
export interface Place {
  /** In lower case, with its port where that is not the usual one. */
  host: string
  /** What stands before every path there; '' where nothing does. */
  base: string
  /** Whether another upstream may live there. */
  isUpstream: (hostname: string) => boolean
}

/**
 * The headers of an answer for the caller, name and value in turn. The entry's own come last, whatever the upstream said of them, by name or in its
 * `Connection`. A redirect to an upstream is made relative to the entry; what else names its host is left out. A 204 says no length: who believed it would wait for a body.
 */
export function responseHeaders(status: number, upstream: AnswerHeaders, requestId: string, place: Place): string[] {
  const named = upstream['connection'] === undefined ? undefined : namedBy(String(upstream['connection']), undefined)
  const headers: string[] = []
  for (const name in upstream) {
    if (NOT_ANSWERED.has(name) || name === 'content-length' || PROXY_HEADER.test(name) || named?.has(name)) continue
    const value = upstream[name]
    if (typeof value === 'string') add(name, value)
    else for (const each of value ?? []) add(name, each)
  }
  headers.push('x-request-id', requestId, ...OWN_ANSWERED)
  // Behind a length Node takes a `Content-Disposition` for another encoding than it has, and refuses it.
  const length = upstream['content-length']
  if (typeof length === 'string' && status !== 204) headers.push('content-length', length)
  return headers

  function add(name: string, value: string) {
    // An admin's session is the status page's alone.
    if (name === 'set-cookie' && SETS_ADMIN_COOKIE.test(value)) return
    const told = name === 'location' || name === 'content-location' ? relative(value, place) : name === 'set-cookie' ? withoutBaseIn(value, place.base) : value
    if (told.length < place.host.length || !told.toLowerCase().includes(place.host)) headers.push(name, told)
  }
}

/** As browsers read it: without the blanks around a name, and with a first `=` for a cookie without one. */
const SETS_ADMIN_COOKIE = new RegExp(`^\\s*=?\\s*${ADMIN_COOKIE}\\s*=`)

/** Whatever its scheme: behind a tunnel that ends TLS an upstream believes itself to be on plain HTTP. */
function relative(location: string, { host, base, isUpstream }: Place): string {
  const from = `http://${host}`
  if (!URL.canParse(location, from)) return location
  const url = new URL(location, from)
  const isAbsolute = URL.canParse(location) || location.startsWith('//')
  if (!isAbsolute) return withoutBase(location, base)
  return url.host === host || isUpstream(url.hostname) ? withoutBase(url.pathname, base) + url.search + url.hash : location
}

/** A path as callers of the entry know it: with one slash at its start, since two would begin a host. */
function withoutBase(path: string, base: string): string {
  return base !== '' && /^(?:[/?#]|$)/.test(path.slice(base.length)) && path.startsWith(base) ? path.slice(base.length).replace(/^\/*/, '/') : path
}

/** A cookie is set for a path. */
function withoutBaseIn(cookie: string, base: string): string {
  return base === '' ? cookie : cookie.replace(/(;\s*path=)([^;]*)/i, (_, name: string, path: string) => name + withoutBase(path.trim(), base))
}

/** What a `Connection` names, without the words that name no header. */
function namedBy(value: string, known: Set<string> | undefined): Set<string> | undefined {
  let named = known
  for (const part of value.split(',')) {
    const name = part.trim().toLowerCase()
    if (name === '' || name === 'keep-alive' || name === 'close') continue
    named ??= new Set()
    named.add(name)
  }
  return named
}

function without(named: ReadonlySet<string>, headers: readonly string[]): string[] {
  return headers.filter((_, at) => !named.has((headers[at - (at % 2)] ?? '').toLowerCase()))
}

/** RFC 7239: an IPv6 address stands in brackets, and what is unknown says so. */
function node(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
  return plain.includes(':') ? `[${plain}]` : plain
}

function quoted(value: string): string {
  return /^[\w.!#$%&'*+^`|~-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
