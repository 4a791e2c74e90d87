import type { IncomingMessage } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { MiddlewareHandler } from 'hono'
import { systemClock } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import { isLocal } from './caller.ts'
import type { EntryEnvironment } from './environment.ts'
import { errorBody, errorHeaders, refuse } from './errors.ts'
import { guardKeyless } from './guard.ts'
import { listen } from './listen.ts'
import { createMeasures } from './measure.ts'
import type { Measures } from './measure.ts'
import { exposeMeasures } from './measure-metrics.ts'
import { hasOneHost } from './one-host.ts'
import { PAGE, ownLabelOf } from './own-paths.ts'
import { requestIdOf } from './request-id.ts'
import { SECURITY_HEADERS } from './security-headers.ts'
import type { Services } from './services/serve-services.ts'
import { statusOf } from './status-of.ts'
import { targetOf } from './target.ts'

export interface Entry {
  /** The port that is listened on; not what was asked for when that was 0. */
  port: number
  close(): Promise<void>
}

export interface EntryOptions {
  host: string
  port: number
  log: Log
  metrics: Metrics
  /** Whether the bot can serve now; else why not, in a word that is no secret. */
  ready: () => { ok: true } | { ok: false; reason: string }
  /** What `/health` says beside being an answer. */
  health?: () => { ok: boolean }
  clock?: Clock
  stallMs?: number
  measures?: Measures
  /** Who may read `/metrics`, which names the nodes. */
  mayMeasure?: (incoming: IncomingMessage) => boolean
  /** Present when it is embedded. */
  registry?: Hono | undefined
  /** The registry has a key of its own to tell friend from stranger. */
  hasKey?: boolean
  services?: Services | undefined
  /** What else is behind the entry, in this order: before the services, and after them. */
  parts?: readonly Hono<EntryEnvironment>[]
  lastParts?: readonly Hono<EntryEnvironment>[]
}

/**
 * The one fixed entry: `/health` (alive), `/ready` (can serve), `/metrics` (Prometheus text), `/registry` when it is embedded, and its parts.
 * @throws when the address is taken
 */
export async function startEntry(options: EntryOptions): Promise<Entry> {
  const { host, port, log, metrics, ready, health = () => ({ ok: true }), registry, services, hasKey = false, clock = systemClock, mayMeasure = isLocal, parts = [], lastParts = [] } = options
  const { measures = createMeasures(clock) } = options
  exposeMeasures(metrics.registry, measures)
  const app = new Hono<EntryEnvironment>()
  app.use(marked(measures, (path) => ownLabelOf(path) ?? services?.labelOf(path) ?? PAGE))
  app.get('/health', (context) => context.json(health()))
  app.get('/ready', (context) => {
    const state = ready()
    return state.ok ? context.json({ ok: true }) : refuse(context, 'unavailable', state.reason, { 'retry-after': '5' })
  })
  app.get('/metrics', async (context) => {
    if (!mayMeasure(context.env.incoming)) return refuse(context, 'unauthorized', 'The metrics are for this machine, or an API key.', { 'www-authenticate': 'Bearer' })
    return context.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType })
  })
  if (registry !== undefined && !hasKey) app.use('/registry', guardKeyless(host, clock))
  if (registry !== undefined) app.route('/', registry)
  for (const part of [...parts, ...(services === undefined ? [] : [services.part]), ...lastParts]) app.route('/', part)
  app.notFound((context) => refuse(context, 'not_found', 'There is no such path.'))
  app.onError((error, context) => {
    const { incoming } = context.env
    // Who breaks off in the middle of a body is no fault of ours, and may not fill the log.
    if (!(incoming.destroyed && !incoming.complete)) log.error({ err: error, requestId: context.get('requestId'), path: context.req.path }, 'entry: a request failed')
    return refuse(context, 'internal', 'Something went wrong here. The request id finds it in the log.')
  })

  const listener = getRequestListener((request, env) => answerOf(app, request, env as HttpBindings), { errorHandler: malformed })
  const server = await listen({ host, port, clock, listener, upgrade: services?.upgrade, longestMs: services?.longestMs, stallMs: options.stallMs })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await services?.close()
      await closed
    }
  }
}

/** Hono makes another answer of one to HEAD, and forgets that it has been sent. */
function answerOf(app: Hono<EntryEnvironment>, request: Request, env: HttpBindings): Response | Promise<Response> {
  const answer = app.fetch(request, env)
  return request.method === 'HEAD' ? Promise.resolve(answer).then((whole) => (env.outgoing.headersSent ? RESPONSE_ALREADY_SENT : whole)) : answer
}

/** A target or a Host that is no address: no handler ever sees it. */
function malformed(): Response {
  const requestId = requestIdOf(undefined)
  const body = errorBody('bad_request', 'This is no address of the entry.', requestId)
  return new Response(body, { status: 400, headers: errorHeaders(requestId, body) })
}

/**
 * Gives the request its id, and the answer that id and the entry's own headers, set last. Counts it under its label, until its handler has ended and its
 * answer has gone out, or its caller.
 */
function marked(measures: Measures, labelOf: (path: string) => string): MiddlewareHandler<EntryEnvironment> {
  return async (context, next) => {
    const { incoming, outgoing } = context.env
    const requestId = requestIdOf(incoming.headers['x-request-id'])
    context.set('requestId', requestId)
    const ended = measures.begin(labelOf(targetOf(incoming).rawPath))
    let left = 2
    const end = () => {
      left -= 1
      if (left > 0) return
      ended({ status: statusOf(outgoing), ...context.get('measured') })
    }
    outgoing.once('close', end)
    if (hasOneHost(incoming.rawHeaders)) await next()
    else context.res = refuse(context, 'bad_request', 'A request has one Host.')
    end()
    if (context.res === RESPONSE_ALREADY_SENT) return
    context.header('x-request-id', requestId)
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value)
  }
}
