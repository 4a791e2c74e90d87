import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import OpusScript from 'opusscript'
import { muxOggOpus } from '../bot/audio/ogg.ts'
import { PACKET_SAMPLES, SAMPLE_RATE_HZ } from '../bot/audio/opus.ts'
import { ANY_VOICE, REQUEST_NOT_FOUND, SpeechRequest } from '../bot/wire/node.ts'
import type { Health, LoggedRequest, NodeError, Voices } from '../bot/wire/node.ts'

/** A node without Python: the tone engine of colab/voxnode/engines/tone.py, note for note, in Ogg Opus. */

const QUEUE_MAX = 16
const LOGGED_MAX = 1000
const BODY_MAX_BYTES = 65_536
const NOTE_MS = 60
const BASE_HZ = 220
const NOTES = 25
const AMPLITUDE = 0.3
const EDGE_MS = 6
/** Frames between two looks at the rest of the process: about 10 ms of encoding. */
const FRAMES_AT_ONCE = 50

export interface ToneNode {
  url: string
  close: () => Promise<void>
}

/**
 * Starts a node on loopback; `port` 0 (the default) takes a free one. It speaks contract 2 with one voice (`tone`) and one format
 * (`opus`), one synthesis at a time, at most 16 waiting.
 */
export async function startToneNode(options: { serverId: string; nodeKey?: string; port?: number }): Promise<ToneNode> {
  const { serverId, nodeKey, port = 0 } = options
  let waiting = 0
  let busy: Promise<unknown> = Promise.resolve()
  const logged = new Map<string, LoggedRequest>()
  const app = new Hono<{ Variables: { inputLength: number } }>()

  app.use(async (c, next) => {
    const sent = c.req.header('x-request-id') ?? ''
    const requestId = /^[\w.:-]{1,128}$/.test(sent) ? sent : crypto.randomUUID()
    const receivedAt = Date.now()
    c.set('inputLength', 0)
    await next()
    c.header('X-Request-Id', requestId)
    const { status } = c.res
    if (c.req.path !== '/v1/audio/speech' || status === 401) return
    logged.delete(requestId)
    const durationMs = Math.max(0, Date.now() - receivedAt)
    logged.set(requestId, { requestId, receivedAt, status, durationMs, inputLength: c.get('inputLength'), ...(status === 200 && { engine: 'tone', voice: 'tone' }) })
    for (const oldest of logged.keys()) {
      if (logged.size <= LOGGED_MAX) break
      logged.delete(oldest)
    }
  })
  app.use('/v1/*', async (c, next) => {
    if (nodeKey && c.req.header('authorization') !== `Bearer ${nodeKey}`) return refuse(c, 401, 'invalid_api_key', 'A valid key is needed.')
    return next()
  })
  app.use(bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (c) => refuse(c, 413, 'body_too_large', 'The body is too large.') }))
  app.notFound((c) => refuse(c, 404, 'not_found', 'Not Found'))
  app.onError((_, c) => refuse(c, 500, 'internal_error', 'The node failed.'))

  app.get('/health', (c) => {
    const inFlight = Math.min(waiting, 1)
    return c.json({
      ok: true, serverId, engine: 'tone', ready: true, capacity: 10, concurrency: 1, inFlight, queued: waiting - inFlight, version: '0.1.0'
    } satisfies Health)
  })
  app.get('/v1/audio/voices', (c) =>
    c.json({ voices: [{ id: 'tone', name: 'Tone', language: 'mul', engine: 'tone' }] } satisfies Voices)
  )
  app.get('/v1/requests/:id', (c) => {
    const found = logged.get(c.req.param('id'))
    return found === undefined ? refuse(c, 404, REQUEST_NOT_FOUND, 'This id is not among the requests that are kept.') : c.json(found)
  })
  app.post('/v1/audio/speech', async (c) => {
    const request = SpeechRequest.safeParse(await c.req.json().catch(() => undefined))
    if (!request.success) return refuse(c, 400, 'invalid_request', request.error.issues[0]?.message ?? 'bad request')
    const { data } = request
    c.set('inputLength', data.input.length)
    if (data.response_format !== 'opus') return refuse(c, 400, 'format_not_supported', 'This node makes opus only.')
    if (data.voice !== ANY_VOICE && data.voice !== 'tone') return refuse(c, 400, 'voice_not_found', 'This node has no such voice.')
    if (!/[\p{L}\p{N}\p{S}]/u.test(data.input)) return refuse(c, 422, 'input_unspeakable', 'There is nothing to speak in this text.')
    if (waiting > QUEUE_MAX) {
      c.header('Retry-After', '1')
      return refuse(c, 429, 'busy', 'The node is busy.')
    }
    waiting += 1
    const turn = busy.then(() => speak(data, c.req.raw.signal)).finally(() => { waiting -= 1 })
    busy = turn.catch(() => undefined)
    const audio = await turn
    return c.body(Uint8Array.from(audio), 200, { 'Content-Type': 'audio/ogg' })
  })

  const server = createAdaptorServer({ fetch: app.fetch })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve())
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
  }
}

/** The whole text as one Ogg Opus file; gives up with an error when the client has gone. */
async function speak(request: SpeechRequest, gone: AbortSignal): Promise<Uint8Array> {
  const pcm = samples(request)
  const encoder = new OpusScript(SAMPLE_RATE_HZ, 1, OpusScript.Application.AUDIO)
  try {
    const packets: Uint8Array[] = []
    for (let start = 0; start < pcm.length; start += PACKET_SAMPLES) {
      const frame = pcm.subarray(start, start + PACKET_SAMPLES)
      packets.push(encoder.encode(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength), PACKET_SAMPLES))
      if (packets.length % FRAMES_AT_ONCE === 0) await setImmediate()
      gone.throwIfAborted()
    }
    return muxOggOpus({ packets })
  } finally {
    encoder.delete()
  }
}

/** One note a character, silence for spaces; the end is filled up to whole packets. */
function samples(request: SpeechRequest): Int16Array {
  const characters = Array.from(request.input.trim())
  const length = Math.round((SAMPLE_RATE_HZ * NOTE_MS) / 1000 / request.speed)
  const edge = (SAMPLE_RATE_HZ * EDGE_MS) / 1000
  const peak = AMPLITUDE * (request.volume ?? 1) * 32_767
  const pcm = new Int16Array(Math.ceil((characters.length * length) / PACKET_SAMPLES) * PACKET_SAMPLES)
  characters.forEach((character, index) => {
    if (/[\p{Z}\p{C}]/u.test(character)) return
    const semitones = (((character.codePointAt(0) ?? 0) * 7) % NOTES) + (request.pitch ?? 0)
    const radians = (2 * Math.PI * BASE_HZ * 2 ** (semitones / 12)) / SAMPLE_RATE_HZ
    for (let at = 0; at < length; at += 1) {
      const envelope = Math.min(1, (at + 1) / edge, (length - at) / edge)
      pcm[index * length + at] = Math.round(Math.sin(radians * at) * envelope * peak)
    }
  })
  return pcm
}

function refuse(c: Pick<Context, 'json'>, status: 400 | 401 | 404 | 413 | 422 | 429 | 500, code: string, message: string): Response {
  const type = status === 401 ? 'authentication_error' : status === 429 ? 'rate_limit_error' : status === 500 ? 'server_error' : 'invalid_request_error'
  return c.json({ error: { message, type, param: null, code } } satisfies NodeError, status)
}
