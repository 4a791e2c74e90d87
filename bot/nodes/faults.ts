import { VoxError } from '../core/errors.ts'
import type { FaultCode } from '../core/errors.ts'
import { NodeError } from '../wire/node.ts'
import { isTunnelsOwn } from './tunnel-page.ts'

const BY_SYSTEM_CODE: Readonly<Record<string, FaultCode>> = {
  ENOTFOUND: 'NODE_UNRESOLVED',
  EAI_AGAIN: 'NODE_UNRESOLVED',
  ECONNREFUSED: 'NODE_UNREACHABLE',
  EHOSTUNREACH: 'NODE_UNREACHABLE',
  ENETUNREACH: 'NODE_UNREACHABLE',
  ETIMEDOUT: 'NODE_UNREACHABLE',
  UND_ERR_CONNECT_TIMEOUT: 'NODE_UNREACHABLE',
  ECONNRESET: 'NODE_RESET',
  EPIPE: 'NODE_RESET',
  UND_ERR_SOCKET: 'NODE_RESET',
  UND_ERR_HEADERS_OVERFLOW: 'NODE_BAD_REPLY'
}

/** What a thrown error of a request means. A caller's own abort is `CANCELLED`, never the node's fault. */
export function faultOfThrown(thrown: unknown, signal?: AbortSignal): VoxError {
  if (signal?.aborted) return signal.reason instanceof VoxError ? signal.reason : new VoxError('CANCELLED', {}, thrown)
  if (thrown instanceof VoxError) return thrown
  const code = systemCode(thrown)
  const known = BY_SYSTEM_CODE[code]
  if (known !== undefined) return new VoxError(known, { code }, thrown)
  // HTTP that can't be parsed, and TLS that can't be agreed on.
  if (code.startsWith('HPE_')) return new VoxError('NODE_BAD_REPLY', { code }, thrown)
  if (code !== '') return new VoxError('NODE_UNREACHABLE', { code }, thrown)
  return new VoxError('BUG', {}, thrown)
}

function systemCode(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return systemCode(thrown.errors[0])
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''
}

/**
 * What a status other than 200 means, or a tunnel's own answer with whatever status. 400, 413 and 422 are the text's own fault, and 403 the key's, only when
 * a node says so in JSON: a tunnel's HTML is about neither. 429 is busy, the tunnel's own too.
 */
export function faultOfStatus(status: number, headers: Readonly<Record<string, string | string[] | undefined>>, body: Uint8Array): VoxError {
  if (status === 429) return new VoxError('NODE_BUSY', { status, retryAfterMs: retryAfterMs(headers['retry-after']) })
  if (isTunnelsOwn(status, headers)) return new VoxError('NODE_STATUS', { status, by: 'tunnel' })
  const json = parseJson(body)
  if (status === 401 || (status === 403 && json !== undefined)) return new VoxError('NODE_UNAUTHORIZED', { status })
  const said = NodeError.safeParse(json)
  const code = said.success ? said.data.error.code?.slice(0, 64) : undefined
  if ((status === 400 || status === 413 || status === 422) && json !== undefined) {
    return new VoxError(code === 'voice_not_found' ? 'VOICE_NOT_HERE' : 'TEXT_REFUSED', { status, code })
  }
  return new VoxError('NODE_STATUS', { status, ...(code !== undefined && { said: code }) })
}

/** `Retry-After` in seconds, bounded to a minute; 1 s when there is none. */
function retryAfterMs(header: string | string[] | undefined): number {
  const seconds = Number(header)
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 60) * 1000 : 1000
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
