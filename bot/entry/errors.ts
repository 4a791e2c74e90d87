import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { SECURITY_HEADERS } from './security-headers.ts'

/** What the entry says when it can't do what was asked: the code, and the status that goes with it. */
export const ENTRY_ERRORS = {
  bad_request: 400,
  unauthorized: 401,
  link_used: 401,
  link_expired: 401,
  link_unknown: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  unknown_node: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  last_node: 409,
  already_disabled: 409,
  too_large: 413,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  upstream_failed: 502,
  registry: 502,
  old_registry: 502,
  registry_silent: 504,
  busy: 503,
  unavailable: 503,
  upstream_timeout: 504,
  loop_detected: 508
} as const satisfies Record<string, ContentfulStatusCode>
export type EntryErrorCode = keyof typeof ENTRY_ERRORS

/** The one shape of errors. The message never holds an address, a path on disk or a stack. */
export function errorBody(code: EntryErrorCode, message: string, requestId: string): string {
  return JSON.stringify({ ok: false, error: { code, message, requestId } })
}

export function refuse(context: Context, code: EntryErrorCode, message: string, headers: Record<string, string> = {}): Response {
  const requestId = String(context.get('requestId') ?? '')
  return context.body(errorBody(code, message, requestId), ENTRY_ERRORS[code], { ...headers, 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
}

/** The same, past hono: with the entry's own headers. Does nothing where an answer has begun or nobody is there any more. */
export function answerError(outgoing: ServerResponse, code: EntryErrorCode, message: string, requestId: string, headers: Record<string, string> = {}): void {
  if (outgoing.headersSent || outgoing.destroyed) return
  const body = errorBody(code, message, requestId)
  outgoing.writeHead(ENTRY_ERRORS[code], { ...headers, ...errorHeaders(requestId, body) })
  outgoing.end(body)
}

/** Of an answer in the one shape of errors, the entry's own among them. */
export function errorHeaders(requestId: string, body: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    ...SECURITY_HEADERS
  }
}
