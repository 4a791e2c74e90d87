import { Agent, request } from 'undici'
import type { Dispatcher } from 'undici'
import type * as z from 'zod/mini'
import { parseOggOpus } from '../audio/ogg.ts'
import type { OpusStream } from '../audio/ogg.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import { Health, LoggedRequest, REQUEST_NOT_FOUND, Voices } from '../wire/node.ts'
import type { SpeechRequest, Voice } from '../wire/node.ts'
import { isAllowedAddress } from './address.ts'
import { faultOfStatus, faultOfThrown } from './faults.ts'
import type { About } from './node.ts'
import { isTunnelsOwn } from './tunnel-page.ts'
import { PROBE_LIMITS, SPEAK_LIMITS, startWatch } from './watch.ts'
import type { Limits } from './watch.ts'

export interface NodeClientOptions {
  clock: Clock
  nodeKey?: string | undefined
  hosts: readonly string[]
  speakLimits?: Limits
  probeLimits?: Limits
}

/** Every call throws a `VoxError`; its kind says whether the node, the text or nobody is to blame. */
export interface NodeClient {
  /** One segment as a checked, complete Ogg Opus stream: it is returned only once it has wholly arrived. */
  speak(apiUrl: string, ask: SpeechRequest, options: { requestId: string; firstByteMs?: number; signal?: AbortSignal }): Promise<OpusStream>
  /** Whether it answers and can speak, and whether it has as much to do as it can. A server without our `/health` is well when it answers at all. */
  health(apiUrl: string, signal?: AbortSignal): Promise<Condition>
  voices(apiUrl: string, signal?: AbortSignal): Promise<Voice[]>
  /** What its own log has of a request. `missing`: it keeps one, and the id is not in it. `noLog`: a server that keeps none that can be asked. */
  logged(apiUrl: string, requestId: string, signal?: AbortSignal): Promise<LoggedRequest | 'missing' | 'noLog'>
  close(): Promise<void>
}

/** A host that does not even take the connection is not worth the time that a synthesis may take. */
const CONNECT_LIMIT_MS = 2_000

export interface Condition {
  ready: boolean
  saturated: boolean
  /** Undefined of a server without our `/health`. */
  about: About | undefined
}

/** A segment's audio is some hundred kilobytes; a list of all voices too. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024

export function createNodeClient({ clock, nodeKey, hosts, speakLimits = SPEAK_LIMITS, probeLimits = PROBE_LIMITS }: NodeClientOptions): NodeClient {
  // The times are ours, by the clock; undici's own limits would be a second truth.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_LIMIT_MS } })
  const authorization: Record<string, string> = nodeKey === undefined ? {} : { authorization: `Bearer ${nodeKey}` }

  async function ask(apiUrl: string, path: string, init: Init, limits: Limits, signal?: AbortSignal) {
    if (!isAllowedAddress(apiUrl, hosts)) throw new VoxError('NODE_FORBIDDEN_HOST', {})
    const watch = startWatch(clock, limits, signal)
    try {
      const response = await request(apiUrl.replace(/\/+$/, '') + path, {
        ...init,
        headers: { ...authorization, 'ngrok-skip-browser-warning': '1', ...init.headers },
        signal: watch.signal,
        dispatcher
      })
      watch.heard()
      const chunks: Uint8Array[] = []
      let sizeBytes = 0
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        watch.heard()
        chunks.push(chunk)
        sizeBytes += chunk.length
        if (sizeBytes > ANSWER_MAX_BYTES) throw new VoxError('NODE_BAD_REPLY', { reason: 'an answer that is too large' })
      }
      const body = Buffer.concat(chunks)
      if (response.statusCode !== 200 || isTunnelsOwn(response.statusCode, response.headers)) throw faultOfStatus(response.statusCode, response.headers, body)
      return { headers: response.headers, body }
    } catch (error) {
      throw faultOfThrown(error, watch.signal)
    } finally {
      watch.release()
    }
  }

  async function askJson<S extends z.ZodMiniType>(apiUrl: string, path: string, schema: S, signal?: AbortSignal): Promise<z.infer<S>> {
    const { body } = await ask(apiUrl, path, { method: 'GET', headers: {} }, probeLimits, signal)
    return parseAnswer(schema, body)
  }

  return {
    async speak(apiUrl, speech, { requestId, firstByteMs = speakLimits.firstByteMs, signal }) {
      const init: Init = {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'audio/ogg', 'x-request-id': requestId },
        body: JSON.stringify({ ...speech, response_format: 'opus' })
      }
      const limits = { ...speakLimits, firstByteMs: Math.min(firstByteMs, speakLimits.firstByteMs) }
      const { headers, body } = await ask(apiUrl, '/v1/audio/speech', init, limits, signal)
      return checkedAudio(headers, body, requestId, speech)
    },
    async health(apiUrl, signal) {
      try {
        const { body } = await ask(apiUrl, '/health', { method: 'GET', headers: {} }, probeLimits, signal)
        return conditionOf(body)
      } catch (error) {
        if (error instanceof VoxError && error.context['status'] === 404 && error.context['by'] !== 'tunnel') return UNKNOWN_SERVER
        throw error
      }
    },
    voices: async (apiUrl, signal) => (await askJson(apiUrl, '/v1/audio/voices', Voices, signal)).voices,
    async logged(apiUrl, requestId, signal) {
      try {
        const entry = await askJson(apiUrl, `/v1/requests/${encodeURIComponent(requestId)}`, LoggedRequest, signal)
        return entry.requestId === requestId ? entry : 'missing'
      } catch (error) {
        if (!(error instanceof VoxError)) throw error
        const { code, context } = error
        if (context['said'] === REQUEST_NOT_FOUND) return 'missing'
        const isUnknownPath = context['by'] !== 'tunnel' && (code === 'TEXT_REFUSED' || (code === 'NODE_STATUS' && NO_SUCH_PATH.includes(Number(context['status']))))
        // A page with status 200, for whatever path: that is no log either.
        if (isUnknownPath || code === 'NODE_BAD_REPLY') return 'noLog'
        throw error
      }
    },
    close: () => dispatcher.destroy()
  }
}

/** What servers say of a path that they do not know. */
const NO_SUCH_PATH: readonly number[] = [400, 404, 405, 422, 501]

interface Init {
  method: Dispatcher.HttpMethod
  headers: Record<string, string>
  body?: string
}

function checkedAudio(headers: Readonly<Record<string, string | string[] | undefined>>, body: Uint8Array, requestId: string, { input, speed }: SpeechRequest): OpusStream {
  const type = String(headers['content-type'] ?? '')
  // Other speech servers call the same bytes by either name.
  if (!/^(?:audio|application)\/(?:ogg|opus)\b/i.test(type)) throw new VoxError('NODE_BAD_REPLY', { reason: 'not audio', type: type.slice(0, 80) })
  const echoed = headers['x-request-id']
  // An answer to somebody else's request would be somebody else's words. Servers that echo nothing are taken at their word.
  if (echoed !== undefined && echoed !== requestId) throw new VoxError('NODE_BAD_REPLY', { reason: 'the answer to another request' })
  const parsed = parseOggOpus(body)
  if (!parsed.ok) throw new VoxError('NODE_BAD_REPLY', { reason: parsed.reason })
  const { durationMs } = parsed.stream
  if (!isPlausible(durationMs, input.length, speed)) throw new VoxError('NODE_BAD_REPLY', { reason: 'not the length of the text', durationMs })
  return parsed.stream
}

/** No voice says a hundred characters in less than half a second, or takes more than a second for each. */
function isPlausible(durationMs: number, chars: number, speed: number): boolean {
  return durationMs * speed >= Math.max(40, chars * 5) && durationMs * speed <= 10_000 + chars * 1_000
}

const UNKNOWN_SERVER: Condition = { ready: true, saturated: false, about: undefined }

function conditionOf(body: Uint8Array): Condition {
  try {
    const said = Health.safeParse(JSON.parse(Buffer.from(body).toString('utf8')))
    if (said.success) {
      const { ready, inFlight, concurrency, engine, version } = said.data
      return { ready, saturated: inFlight >= concurrency, about: { engine, version } }
    }
  } catch {
    // Another server's words: that it answers with 200 is what counts.
  }
  return UNKNOWN_SERVER
}

function parseAnswer<S extends z.ZodMiniType>(schema: S, body: Uint8Array): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(body).toString('utf8')))
  } catch (error) {
    throw new VoxError('NODE_BAD_REPLY', { reason: 'not the JSON of contract 2' }, error)
  }
}
