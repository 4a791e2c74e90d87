import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Clock } from '../core/clock.ts'
import { STALL_LIMIT_MS } from './cut.ts'
import { ENTRY_ERRORS, errorBody, errorHeaders } from './errors.ts'
import type { EntryErrorCode } from './errors.ts'
import { requestIdOf } from './request-id.ts'

export interface ListenOptions {
  host: string
  port: number
  clock: Clock
  listener: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown
  upgrade: ((incoming: IncomingMessage, socket: Duplex, head: Buffer) => void) | undefined
  /** How long a whole request may take to come, where that is longer than 5 min. */
  longestMs?: number | undefined
  /** A caller that takes nothing for this long of an answer that is all there has gone: a minute. */
  stallMs?: number | undefined
}

const HEADERS_LIMIT_MS = 20_000
/** Longer than proxies in front keep theirs: they must be the ones to close. */
const KEEP_ALIVE_MS = 75_000
/** A whole request has come by then, unless a service takes longer ones. */
const REQUEST_LIMIT_MS = 300_000
/** Requests of one connection without an answer: each holds what it has opened until its turn comes. Whoever sends more is no client that there is. */
const UNANSWERED_MAX = 16
/** A caller is left this long to read why it was refused. */
const LINGER_MS = 1_000

/** Listens for HTTP/1.1 in its strict form. Whatever is no request is answered in the one shape of errors, and ends its connection. */
export async function listen({ host, port, clock, listener, upgrade, longestMs = 0, stallMs = STALL_LIMIT_MS }: ListenOptions): Promise<Server> {
  const unanswered = new WeakMap<Duplex, number>()
  const isAwaited = (socket: Duplex) => (unanswered.get(socket) ?? 0) > 0
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    const count = (unanswered.get(socket) ?? 0) + 1
    unanswered.set(socket, count)
    outgoing.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    outgoing.once('prefinish', () => endIfStalled(outgoing, stallMs))
    if (count > UNANSWERED_MAX) socket.destroy()
    else void listener(incoming, outgoing)
  }
  const server = createServer(
    {
      headersTimeout: HEADERS_LIMIT_MS,
      requestTimeout: Math.max(REQUEST_LIMIT_MS, longestMs),
      keepAliveTimeout: KEEP_ALIVE_MS,
      insecureHTTPParser: false,
      // Its absence is told in our own words.
      requireHostHeader: false,
      // Other offers, such as HTTP/2 in plain text, are passed over; so is one behind a request that is not answered yet, whose answer has the connection.
      ...(upgrade !== undefined && { shouldUpgradeCallback: ({ headers, socket }: IncomingMessage) => headers.upgrade?.toLowerCase() === 'websocket' && !isAwaited(socket) })
    },
    take
  )
  // Of more than its default number Node would drop the rest without a word.
  server.maxHeadersCount = 0
  if (upgrade !== undefined) server.on('upgrade', upgrade)
  // Node would refuse whatever is expected beside 100-continue, past the one shape of errors; it may be passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', take)
  // Of requests that wait behind each other on one connection each listens for its end.
  server.on('connection', (socket) => socket.setMaxListeners(0))
  server.on('connect', (_, socket) => {
    if (isAwaited(socket)) socket.destroy()
    else reject(socket, 'method_not_allowed', 'This is no proxy.', clock)
  })
  server.on('clientError', (error: Error & { code?: string }, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) socket.destroy()
    else reject(socket, ...(REFUSALS[error.code ?? ''] ?? NO_REQUEST), clock)
  })
  await new Promise<void>((resolve, rejectStart) => {
    server.once('error', rejectStart)
    server.listen(port, host, () => {
      server.off('error', rejectStart)
      resolve()
    })
  })
  return server
}

/** Limits what is left of an answer that is all there, by Node's own timer: that alone sees whether the bytes of one large piece still go out. */
function endIfStalled(outgoing: ServerResponse, stallMs: number) {
  const { socket } = outgoing
  if (socket === null || socket.writableLength === 0) return
  socket.setTimeout(stallMs)
  outgoing.once('timeout', () => outgoing.destroy())
  // Before Node sets it for the next request on the same connection.
  outgoing.prependOnceListener('finish', () => socket.setTimeout(0))
}

/** How a browser on this machine reaches what listens there; everywhere is here, too. */
export function addressOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${String(port)}`
}

const NO_REQUEST: [code: EntryErrorCode, message: string] = ['bad_request', 'This is no request as HTTP/1.1 has them.']
const REFUSALS: Readonly<Record<string, [code: EntryErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of this request are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['too_large', 'The chunks of this request say too much beside their bytes.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not come in time.']
}

/** Node keeps the answer that is under way here, and looks there itself before it answers what is no request. */
function isAnswering(socket: Duplex): boolean {
  const answer: unknown = Reflect.get(socket, '_httpMessage')
  return typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true
}

function reject(socket: Duplex, code: EntryErrorCode, message: string, clock: Clock) {
  socket.on('error', () => {})
  const requestId = requestIdOf(undefined)
  const body = errorBody(code, message, requestId)
  const headers = Object.entries({ ...errorHeaders(requestId, body), connection: 'close' })
  socket.end(`HTTP/1.1 ${ENTRY_ERRORS[code]} Refused\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`)
  letRead(socket, clock)
}

/** After an answer that ends its connection: what still comes is let go by (unread, it would reset the connection before the answer is read), then nothing is left of it. */
export function letRead(socket: Duplex, clock: Clock): void {
  socket.resume()
  clock.after(LINGER_MS, () => socket.destroy())
}
