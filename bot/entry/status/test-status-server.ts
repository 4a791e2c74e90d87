import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { SSEStreamingApi } from 'hono/streaming'
import { systemClock } from '../../core/clock.ts'
import { silentLog } from '../../core/log.ts'
import { createMetrics } from '../../core/metrics.ts'
import { startEntry } from '../server.ts'
import type { EntryEnvironment } from '../environment.ts'
import { STATUS_SITES, serveDefaultSites } from './default-sites.ts'
import type { Snapshot } from './snapshot.ts'

/** What the bot is to answer to an admin: a status, and a body where there is one. */
export interface Answer {
  status: 200 | 204 | 401 | 403 | 404 | 409 | 500 | 502 | 504
  body?: object
}

export interface Asked {
  method: string
  path: string
  body: unknown
}

export interface StatusServer {
  url: string
  port: number
  /** What the page has asked for but the snapshot. */
  asked: Asked[]
  /** How many streams are open. */
  readers: () => number
  /** How many have been opened since the start. */
  opened: () => number
  /** Shown to all who read, and to all who come. */
  show(snapshot: Snapshot): void
  /** Streams are refused as the 501st is, while `/api/status` answers. */
  refuseStreams(isRefused: boolean): void
  /** Streams open, and nothing is sent on them. */
  hush(isHushed: boolean): void
  /** By `METHOD /path`: what is answered from now on; a promise is waited for. */
  answer(request: string, answer: Answer | Promise<Answer>): void
  close(): Promise<void>
}

/** The entry with its own headers and the page, before a bot that is in whatever state a test says: a real server, so that it can die and come back. */
export async function startStatusServer({ port = 0, snapshot }: { port?: number; snapshot: Snapshot }): Promise<StatusServer> {
  let now = snapshot
  let isRefused = false
  let isHushed = false
  let opened = 0
  const asked: Asked[] = []
  const streams = new Set<SSEStreamingApi>()
  const answers = new Map<string, Answer | Promise<Answer>>([['GET /api/session', { status: 200, body: { isAdmin: false, until: null } }]])
  const send = (stream: SSEStreamingApi) => stream.writeSSE({ event: 'snapshot', data: JSON.stringify({ ...now, now: Date.now() }) })

  const api = new Hono<EntryEnvironment>()
  api.get('/api/status', (context) => context.json({ ...now, now: Date.now() }))
  api.get('/api/events', (context) => {
    if (isRefused) return context.json({ ok: false, error: { code: 'unavailable', message: 'Full.', requestId: '' } }, 503)
    return streamSSE(context, async (stream) => {
      opened += 1
      streams.add(stream)
      const left = new Promise<void>((resolve) => stream.onAbort(() => resolve()))
      if (!isHushed) await send(stream)
      await left
      streams.delete(stream)
    })
  })
  api.all('/api/*', async (context) => {
    const { method, path } = context.req
    const text = await context.req.text()
    asked.push({ method, path, body: text === '' ? undefined : (JSON.parse(text) as unknown) })
    const { status, body = { ok: false, error: { code: 'not_found', message: 'None.', requestId: '' } } } = (await answers.get(`${method} ${path}`)) ?? { status: 404 }
    return status === 204 ? context.body(null, 204) : context.json(body, status)
  })
  // The documentation has a test of its own; here its links need only lead somewhere.
  api.get('/docs/*', (context) => context.html('<!doctype html><html lang="en"><title>Docs</title><h1>Docs</h1>'))

  const entry = await startEntry({ host: '127.0.0.1', port, log: silentLog, metrics: createMetrics(), ready: () => ({ ok: true }), parts: [api], lastParts: [serveDefaultSites(STATUS_SITES, { clock: systemClock })] })
  return {
    url: `http://127.0.0.1:${entry.port}/`,
    port: entry.port,
    asked,
    readers: () => streams.size,
    opened: () => opened,
    show(next) {
      now = next
      for (const stream of streams) void send(stream)
    },
    refuseStreams: (refused) => void (isRefused = refused),
    hush: (hushed) => void (isHushed = hushed),
    answer: (request, answer) => void answers.set(request, answer),
    close: () => entry.close()
  }
}
