import type { IncomingMessage } from 'node:http'
import type { EntryErrorCode } from '../errors.ts'
import type { ForwardFailure } from '../forward/forward.ts'
import { isLoop } from '../forward/hops.ts'
import { hasOneHost } from '../one-host.ts'
import type { Service } from './manifest.ts'

export interface Refusal {
  code: EntryErrorCode
  message: string
  headers?: Record<string, string>
}

const FAILED = 'What stands behind this path failed. Try again in a moment.'
const LATE = 'What stands behind this path did not answer in time. Try again in a moment.'
const FULL = 'All places here are taken. Try again in a moment.'

/** What a caller is told when a request could not be forwarded: never where to. */
export const REFUSALS: Readonly<Record<ForwardFailure, Refusal>> = {
  connect: { code: 'upstream_failed', message: FAILED },
  reset: { code: 'upstream_failed', message: FAILED },
  status: { code: 'upstream_failed', message: FAILED },
  connectTimeout: { code: 'upstream_timeout', message: LATE },
  timeout: { code: 'upstream_timeout', message: LATE },
  slow: { code: 'request_timeout', message: 'The body stopped coming.' },
  tooLarge: { code: 'too_large', message: 'The body is larger than this path takes.' },
  full: { code: 'busy', message: FULL },
  late: { code: 'busy', message: FULL },
  none: { code: 'unavailable', message: 'Nothing that could answer is there right now. Try again in a moment.' },
  gone: { code: 'unavailable', message: 'The caller has gone.' }
}

const UPSTREAMS_FAULT: ReadonlySet<string> = new Set<ForwardFailure>(['connect', 'connectTimeout', 'reset', 'timeout', 'status'])

/** Whether a kind of failure counts against the upstream, so that others are asked first for a while. */
export const isUpstreamsFault = (failure: string): boolean => UPSTREAMS_FAULT.has(failure)

const HEADERS_MAX = 500

/** What is refused before anybody is asked. @param hop how this entry calls itself in `Via` */
export function refusalOf({ methods: taken }: Service, incoming: IncomingMessage, isUpgrade: boolean, hop: string): Refusal | undefined {
  if (incoming.rawHeaders.length > 2 * HEADERS_MAX) return { code: 'headers_too_large', message: `A request has ${HEADERS_MAX} headers at most.` }
  if (isUpgrade && !hasOneHost(incoming.rawHeaders)) return { code: 'bad_request', message: 'A request has one Host.' }
  const { upgrade, 'transfer-encoding': encoding } = incoming.headers
  if (isLoop(incoming.headers, hop)) return { code: 'loop_detected', message: 'This request has been here before: nodes that are entries themselves send it in a circle.' }
  // HTTP/1.0 knows no chunks: whoever reads it by that takes the rest for something else (RFC 9112, 6.1).
  if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || incoming.httpVersion === '1.0')) return { code: 'bad_request', message: 'A body can come in chunks, and in no other encoding.' }
  if (isUpgrade && (upgrade?.toLowerCase() !== 'websocket' || incoming.method !== 'GET')) return { code: 'bad_request', message: 'Of all protocols only WebSocket can be asked for here, with GET.' }
  if (isUpgrade && (encoding !== undefined || (incoming.headers['content-length'] ?? '0') !== '0')) return { code: 'bad_request', message: 'A request for a WebSocket has no body.' }
  const methods: readonly string[] = taken
  if (methods.includes(incoming.method ?? '')) return undefined
  return { code: 'method_not_allowed', message: `This path takes ${methods.join(', ')}.`, headers: { allow: methods.join(', ') } }
}
