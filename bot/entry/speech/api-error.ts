import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What went wrong, as the OpenAI API says it. The message never holds an address, a key or a text. */
export interface ApiError {
  status: ContentfulStatusCode
  /** For programs; the names are contract 2's where it has one. */
  code: string
  message: string
  /** The field of the request that is to blame. */
  param?: string
  retryAfterS?: number
  /** With 405: what the path takes. */
  allow?: string
}

const TYPES: Readonly<Record<number, string>> = { 401: 'authentication_error', 429: 'rate_limit_error', 500: 'server_error', 503: 'server_error' }

export function apiErrorBody({ status, code, message, param }: ApiError): { error: { message: string; type: string; param: string | null; code: string } } {
  return { error: { message, type: TYPES[status] ?? 'invalid_request_error', param: param ?? null, code } }
}

export function refuseApi(context: Context, error: ApiError): Response {
  const { status, retryAfterS, allow } = error
  return context.json(apiErrorBody(error), status, {
    'cache-control': 'no-store',
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
    // What still comes of the body is no next request.
    ...((status === 408 || status === 413) && { connection: 'close' }),
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
    ...(allow !== undefined && { allow })
  })
}

/** For the global bound: so many are served at once, whoever asks. */
export const ALL_BUSY: ApiError = { status: 503, code: 'busy', message: 'Too much is being said right now. Try again in a moment.', retryAfterS: 1 }

export const UNSPEAKABLE: ApiError = { status: 422, code: 'input_unspeakable', message: 'There is nothing in this text that can be spoken.', param: 'input' }
