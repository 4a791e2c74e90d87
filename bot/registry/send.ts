import { request } from 'undici'
import type { Dispatcher } from 'undici'
import { limited, sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { Call } from '../../gas/call.ts'

/** Carries one call to a registry and brings back its answer as parsed JSON, not yet checked. */
export type Send = (call: Call, signal?: AbortSignal) => Promise<unknown>

export interface SendOptions {
  /** The web app's `/exec`, or the `/registry` of a bot. */
  url: string
  clock: Clock
  dispatcher?: Dispatcher
}

/** A call of 4 to 7 s is normal for Apps Script, and it can hang. */
const TOTAL_LIMIT_MS = 30_000
/** One try to fetch an answer that is ready. */
const FETCH_LIMIT_MS = 8_000
const FETCH_TRIES = 4
const FETCH_PAUSE_MS = 300
const BODY_MAX_BYTES = 4_000_000
const REDIRECTS_MAX = 3

interface Response {
  status: number
  location: string | undefined
  text: string
}

/**
 * Apps Script answers in two hops: the first runs the script and sends the caller on (302), the second gives the answer to a GET.
 * The hops are made by hand: the second is tried again alone, since sending the first again would write twice.
 * @throws VoxError `REGISTRY_UNREACHABLE` (network), `REGISTRY_SILENT` (30 s), `REGISTRY_BAD_REPLY` (HTML, too large, a redirect that
 * leaves https), `CANCELLED` (the caller's signal). Neither the query nor the body is in its context: both may hold the key.
 */
export function createSend({ url, clock, dispatcher }: SendOptions): Send {
  const base = new URL(url)

  async function hop(target: URL, call: Call | undefined, signal: AbortSignal): Promise<Response> {
    try {
      const reply = await request(target, {
        method: call?.method ?? 'GET',
        signal,
        ...(dispatcher && { dispatcher }),
        ...(call?.method === 'POST' && { body: call.body ?? '', headers: { 'content-type': 'application/json' } })
      })
      const { location } = reply.headers
      return {
        status: reply.statusCode,
        location: typeof location === 'string' ? location : undefined,
        text: await readText(reply.body)
      }
    } catch (error) {
      if (error instanceof VoxError) throw error
      if (signal.aborted) throw signal.reason instanceof VoxError ? signal.reason : new VoxError('CANCELLED')
      throw new VoxError('REGISTRY_UNREACHABLE', { host: target.host, reason: reasonOf(error) })
    }
  }

  /** Fetches what the first hop has made ready. Only this is safe to repeat. */
  async function fetchAnswer(target: URL, signal: AbortSignal): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const { signal: tryOnly, release } = limited(clock, FETCH_LIMIT_MS, () => new VoxError('REGISTRY_SILENT', { host: target.host }), signal)
      try {
        const response = await hop(target, undefined, tryOnly)
        if (response.status < 400 || attempt === FETCH_TRIES) return response
      } catch (error) {
        const isOver = signal.aborted || !(error instanceof VoxError) || error.code === 'REGISTRY_BAD_REPLY'
        if (isOver || attempt === FETCH_TRIES) throw error
      } finally {
        release()
      }
      await sleep(clock, FETCH_PAUSE_MS * 2 ** (attempt - 1), signal)
    }
  }

  return async (call, caller) => {
    const target = new URL(base)
    for (const [name, value] of Object.entries(call.query)) target.searchParams.set(name, value)
    const { signal, release } = limited(clock, TOTAL_LIMIT_MS, () => new VoxError('REGISTRY_SILENT', { host: base.host }), caller)
    try {
      let at = target
      let response = await hop(target, call, signal)
      for (let count = 0; response.location !== undefined && response.status >= 300 && response.status < 400; count++) {
        if (count === REDIRECTS_MAX) throw new VoxError('REGISTRY_BAD_REPLY', { host: at.host, reason: 'too many redirects' })
        at = nextHop(response.location, at, base)
        response = await fetchAnswer(at, signal)
      }
      return parseAnswer(response, at.host, call.query.key)
    } finally {
      release()
    }
  }
}

/** Where a redirect may lead: https anywhere, plain http from loopback to loopback. */
function nextHop(location: string, from: URL, base: URL): URL {
  const target = URL.canParse(location, from.href) ? new URL(location, from) : undefined
  const isPlain = target?.protocol === 'http:' && base.protocol === 'http:' && isLoopback(target) && isLoopback(base)
  if (!target || !(target.protocol === 'https:' || isPlain) || target.username !== '' || target.password !== '') {
    throw new VoxError('REGISTRY_BAD_REPLY', { host: from.host, reason: 'a redirect to where it must not lead' })
  }
  if (target.host === 'accounts.google.com') {
    throw new VoxError('REGISTRY_BAD_REPLY', { host: from.host, reason: 'it asks for a login: deploy the web app with access for anyone' })
  }
  return target
}

const isLoopback = ({ hostname }: URL) => hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > BODY_MAX_BYTES) throw new VoxError('REGISTRY_BAD_REPLY', { reason: `more than ${BODY_MAX_BYTES} bytes` })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Apps Script's faults are pages with status 200, in the account's language: their words go to the log, and nothing depends on them. */
function parseAnswer({ status, text }: Response, host: string, key: string | undefined): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const plain = text.slice(0, 20_000).replace(/<(?:script|style|title)[^]*?<\/(?:script|style|title)>|<[^>]*>/gi, ' ').replace(/\s+/g, ' ').trim()
    const shown = key ? plain.replaceAll(key, '[hidden]') : plain
    throw new VoxError('REGISTRY_BAD_REPLY', { host, status, page: shown.slice(0, 160) })
  }
}

/** The code or name of a network error. Not its message: it may quote the address, and the address holds the key. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
