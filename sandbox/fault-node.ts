import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { muxOggOpus } from '../bot/audio/ogg.ts'
import { SILENCE } from '../bot/audio/opus.ts'
import { REQUEST_NOT_FOUND } from '../bot/wire/node.ts'
import type { LoggedRequest, SpeechRequest, Voice } from '../bot/wire/node.ts'

/**
 * What goes wrong with the next requests. `refuse` closes the port; `reset` breaks the connection before, `truncate` after half of the audio;
 * `hang` never answers; `drip` sends a byte now and then, for ever; `flaky` answers every second request with 500; `mute` speaks silence.
 */
export const FAULTS = [
  'none', 'error', 'flaky', 'refuse', 'reset', 'hang', 'slow', 'drip', 'truncate', 'garbage', 'html', 'wrongRequestId', 'busy', 'tunnelGone', 'ngrokOffline', 'refuseText', 'unready', 'tiny', 'mute', 'unauthorized'
] as const
export type Fault = (typeof FAULTS)[number]

export interface Received {
  requestId: string
  input: string
  /** All that was asked for, beside the input. */
  how: Pick<SpeechRequest, 'voice' | 'speed' | 'pitch' | 'volume' | 'language'>
  /** When the request had come, in milliseconds since 1970. */
  receivedAt: number
  /** When the request had come, and when the last byte of its answer was handed over, by `hrtimeMs`. */
  atMs: number
  answeredMs: number
  /** The caller went away before the answer was over. */
  aborted: boolean
}

/** A stand-in for a node with switches for all that goes wrong in the field; its audio can be recognised packet by packet. */
export interface FaultNode {
  readonly serverId: string
  readonly url: string
  fault: Fault
  /** Where one text fares otherwise than the others: instead of `fault`. Until it has told, the request is held. */
  faultFor: ((input: string) => Fault | Promise<Fault>) | undefined
  /** Whether it can be asked about its requests; `forgets`: it can, and knows none. */
  log: 'kept' | 'forgets' | 'none'
  /** How long one synthesis takes, and the round trip around it. */
  latencyMs: number
  /** Where it grows with the text: instead of `latencyMs`. */
  synthesisMs: ((input: string) => number) | undefined
  roundTripMs: number
  readonly received: Received[]
  /** What was asked for of one utterance, in its own order: two segments are asked for at once, and which comes first is chance. */
  readonly segments: () => string[]
  /** Requests being answered now, and the most at once so far. */
  readonly inFlight: () => number
  readonly peakInFlight: () => number
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Closes the port and every connection, as a killed process does; `revive` opens another port. */
  kill(): Promise<void>
  revive(): Promise<void>
  close(): Promise<void>
}

/** `<utterance>.<position>.<try>` */
const positionOf = ({ requestId }: Received) => Number(requestId.split('.')[1])

/** A clock that all threads and processes of this machine share, in milliseconds. */
export function hrtimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}

/** Packets of 20 ms that tell their text and their place in it: two for each character, five at least. */
export function packetsFor(text: string): Uint8Array[] {
  const mark = createHash('sha256').update(text).digest().subarray(0, 12)
  return Array.from({ length: Math.max(5, text.length * 2) }, (_, index) => Uint8Array.of(0xf8, index >> 8, index & 0xff, ...mark))
}

/** @param options `packetsOf` makes the audio of a text; `packetsFor` unless told */
export async function startFaultNode(options: {
  serverId: string
  latencyMs?: number
  concurrency?: number
  queueMax?: number
  voices?: readonly Voice[]
  packetsOf?: (text: string) => Uint8Array[]
}): Promise<FaultNode> {
  const { serverId, concurrency = 1, queueMax = 50, packetsOf = packetsFor, voices = [{ id: 'marked', name: 'Marked', language: 'mul', engine: 'fault' }] } = options
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const waiting: (() => void)[] = []
  const idlers: (() => void)[] = []
  let running = 0
  let inFlight = 0
  let peak = 0
  let served = 0
  let url = ''

  const node: FaultNode = {
    serverId,
    get url() {
      return url
    },
    fault: 'none',
    faultFor: undefined,
    log: 'kept',
    latencyMs: options.latencyMs ?? 0,
    synthesisMs: undefined,
    roundTripMs: 0,
    idle: () => (inFlight === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
    received,
    segments: () => received.toSorted((a, b) => positionOf(a) - positionOf(b)).map(({ input }) => input),
    inFlight: () => inFlight,
    peakInFlight: () => peak,
    kill: close,
    revive: open,
    close
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    if (node.fault === 'refuse') socket.resetAndDestroy()
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/health') {
      health(response)
      return
    }
    if (request.url === '/v1/audio/voices') {
      json(response, 200, { voices })
      return
    }
    if (request.url?.startsWith('/v1/requests/')) {
      tellLogged(decodeURIComponent(request.url.slice('/v1/requests/'.length)), response)
      return
    }
    const body: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) body.push(chunk)
    const { input, voice, speed, pitch, volume, language } = JSON.parse(Buffer.concat(body).toString()) as SpeechRequest
    const entry: Received = { requestId: String(request.headers['x-request-id']), input, how: { voice, speed, pitch, volume, language }, receivedAt: Date.now(), atMs: hrtimeMs(), answeredMs: 0, aborted: false }
    received.push(entry)
    response.once('close', () => (entry.aborted = !response.writableFinished))
    inFlight += 1
    peak = Math.max(peak, inFlight)
    try {
      await speak(node.faultFor === undefined ? node.fault : await node.faultFor(input), entry, response)
    } finally {
      inFlight -= 1
      if (inFlight === 0) for (const resolve of idlers.splice(0)) resolve()
    }
  }

  async function speak(fault: Fault, entry: Received, response: ServerResponse): Promise<void> {
    served += 1
    if (fault === 'reset') response.socket?.resetAndDestroy()
    else if (fault === 'hang') await once(response, 'close')
    else if (fault === 'error' || (fault === 'flaky' && served % 2 === 1)) failed(response, 500, 'synthesis_failed')
    else if (fault === 'unready') failed(response, 503, 'not_ready')
    else if (fault === 'refuseText') failed(response, 422, 'unspeakable')
    else if (fault === 'busy' || running + waiting.length >= concurrency + queueMax) failed(response, 429, 'busy', { 'retry-after': '1' })
    else if (fault === 'unauthorized') failed(response, 401, 'invalid_api_key')
    else if (fault === 'html') page(response, 200, '<!doctype html><title>ngrok</title><p>You are about to visit</p>')
    else if (fault === 'tunnelGone') page(response, 530, '<!doctype html><title>Cloudflare Tunnel error</title> error code: 1033')
    else if (fault === 'ngrokOffline') offline(response)
    else await synthesise(fault, entry, response)
  }

  async function synthesise(fault: Fault, entry: Received, response: ServerResponse): Promise<void> {
    const { requestId, input } = entry
    await wait(node.roundTripMs / 2, response)
    await slot(() => wait((node.synthesisMs?.(entry.input) ?? node.latencyMs) + (fault === 'slow' ? 30_000 : 0), response))
    await wait(node.roundTripMs / 2, response)
    const packets = fault === 'mute' ? packetsOf(input).map(() => SILENCE) : packetsOf(input)
    const audio = muxOggOpus({ packets: fault === 'tiny' ? packets.slice(0, 1) : packets })
    const headers = { 'content-type': 'audio/ogg', 'x-request-id': fault === 'wrongRequestId' ? 'of-somebody-else' : requestId }
    if (fault === 'garbage' || fault === 'truncate') {
      response.writeHead(200, headers).end(fault === 'garbage' ? Buffer.alloc(2000, 0x2a) : audio.subarray(0, audio.length >> 1))
      return
    }
    response.writeHead(200, { ...headers, 'content-length': String(audio.length) })
    if (fault !== 'drip') {
      entry.answeredMs = hrtimeMs()
      response.end(audio)
      return
    }
    for (let index = 0; index < audio.length && !response.destroyed; index++) {
      response.write(audio.subarray(index, index + 1))
      await wait(200, response)
    }
  }

  function tellLogged(requestId: string, response: ServerResponse): void {
    const entry = received.find((each) => each.requestId === requestId)
    if (node.fault === 'unauthorized') failed(response, 401, 'invalid_api_key')
    else if (node.log === 'none') failed(response, 404, 'not_found')
    else if (entry === undefined || node.log === 'forgets') failed(response, 404, REQUEST_NOT_FOUND)
    else json(response, 200, { requestId, receivedAt: entry.receivedAt, status: 200, durationMs: Math.max(0, Math.round(entry.answeredMs - entry.atMs)), engine: 'fault', voice: 'marked', inputLength: entry.input.length } satisfies LoggedRequest)
  }

  /** One synthesis at a time for each of `concurrency`, in the order of asking. */
  async function slot(work: () => Promise<void>): Promise<void> {
    if (running >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      await work()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }

  function health(response: ServerResponse): void {
    if (node.fault === 'hang') return
    if (node.fault === 'tunnelGone') {
      page(response, 530, 'error code: 1033')
      return
    }
    if (node.fault === 'ngrokOffline') {
      offline(response)
      return
    }
    const ready = node.fault !== 'unready'
    json(response, ready ? 200 : 503, { ok: ready, serverId, engine: 'fault', ready, capacity: 10, concurrency, inFlight: running, queued: waiting.length, version: '0' })
  }

  async function open(): Promise<void> {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async function close(): Promise<void> {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.resetAndDestroy()
    await closed
  }

  await open()
  return node
}

/** Waits, or until the caller has gone. */
function wait(ms: number, response: ServerResponse): Promise<void> {
  if (ms === 0 || response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    response.once('close', done)
  })
}

function offline(response: ServerResponse): void {
  response.setHeader('ngrok-error-code', 'ERR_NGROK_3200')
  page(response, 404, '<!doctype html><p>The endpoint fond-lamp.ngrok-free.app is offline. ERR_NGROK_3200')
}

function failed(response: ServerResponse, status: number, code: string, headers: Record<string, string> = {}): void {
  json(response, status, { error: { message: code, type: 'error', param: null, code } }, headers)
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function page(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
}
