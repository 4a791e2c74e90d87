import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Pool } from '../../nodes/pool.ts'
import type { EntryEnvironment } from '../environment.ts'
import { answerError } from '../errors.ts'
import { Exchange } from '../forward/exchange.ts'
import { forward } from '../forward/forward.ts'
import type { ForwardOptions, Forwarded } from '../forward/forward.ts'
import { hopName } from '../forward/hops.ts'
import { requestTarget } from '../forward/request-target.ts'
import type { RequestTarget } from '../forward/request-target.ts'
import { wordsOf } from '../keys/admit.ts'
import type { Admitted } from '../keys/admit.ts'
import type { Measures } from '../measure.ts'
import { mayBeOwn } from '../own-paths.ts'
import { requestIdOf } from '../request-id.ts'
import { serviceOf } from './manifest.ts'
import type { Service } from './manifest.ts'
import { REFUSALS, isUpstreamsFault, refusalOf } from './refusals.ts'
import { createTargets } from './targets.ts'
import type { Targets } from './targets.ts'
import { answerUpgrade, join, readEarly } from './web-socket.ts'

export interface ServicesOptions {
  services: readonly Service[]
  pool: Pick<Pool, 'nodes'>
  hosts: readonly string[]
  nodeKey?: string | undefined
  /** Who may ask where a key is asked for. */
  admit: (incoming: IncomingMessage) => Admitted
  measures: Measures
  clock: Clock
  log: Log
}

export interface Services {
  /** For the entry: paths of no service go on to what comes after it. */
  part: Hono<EntryEnvironment>
  /** For what the server calls an upgrade. */
  upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** The pattern of the service that a path belongs to: a label for measures. */
  labelOf(path: string): string | undefined
  /** How long the longest request may take to come and be answered. */
  longestMs: number
  /** Requests that are under way to nodes, those that wait for a place there among them. */
  inFlight(): number
  /** Requests that wait for a place at a node. */
  waiting(): number
  /** A caller may ask no more: its WebSockets end. */
  dismiss(callerId: string): void
  /** The pool's list is another. */
  follow: () => void
  close(): Promise<void>
}

interface Call {
  service: Service
  target: Extract<RequestTarget, { ok: true }>
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  isUpgrade: boolean
}

/** The services of the manifest: each request goes to a node that registered its path. */
export function createServices({ services, pool, hosts, nodeKey, admit, measures, clock, log }: ServicesOptions): Services {
  const hop = hopName()
  const targets = new Map<Service, Targets>(services.map((service) => [service, createTargets({ service, pool, hosts, nodeKey, clock })]))
  const routes = new Map<Service, ForwardOptions>(Array.from(targets, ([service, nodes]) => [service, routeTo(service, nodes)]))
  /** WebSockets that are open or may become it, the callers' ends, with who asks: '' until that is known. */
  const sockets = new Map<Duplex, string>()
  let inFlight = 0
  const follow = () => targets.forEach((each) => each.follow())
  follow()

  function routeTo({ limits }: Service, nodes: Targets): ForwardOptions {
    return {
      choose: (asked, isUpgrade, tried) => nodes.choose(asked, isUpgrade, tried),
      isThere: (upstream) => nodes.isThere(upstream),
      limits,
      hop,
      clock,
      ask(upstream) {
        const asked = measures.ask(upstream.name)
        inFlight += 1
        return (how) => {
          inFlight -= 1
          if (how.failure !== undefined && isUpstreamsFault(how.failure)) nodes.failed(upstream)
          asked(how)
        }
      }
    }
  }

  /** The bot's own paths stay its own, however much a pattern covers: `/v1/*` leaves it `/v1/audio`. */
  function publicServiceOf(path: string) {
    return mayBeOwn(path) ? undefined : serviceOf(services, path)
  }

  function find(incoming: IncomingMessage) {
    const target = requestTarget(incoming.url ?? '')
    const service = target.ok ? publicServiceOf(target.path) : undefined
    return target.ok && service !== undefined ? { service, target } : undefined
  }

  async function serve(call: Call): Promise<Forwarded> {
    const { service, incoming, outgoing, requestId } = call
    const refusal = refusalOf(service, incoming, call.isUpgrade, hop)
    if (refusal !== undefined) {
      answerError(outgoing, refusal.code, refusal.message, requestId, refusal.headers)
      return { queueMs: 0 }
    }
    const admitted = service.access === 'anyone' ? ANYONE : admit(incoming)
    if (!admitted.ok) {
      const { message, retryAfterS } = wordsOf(admitted)
      if (retryAfterS === undefined) answerError(outgoing, 'unauthorized', message, requestId, { 'www-authenticate': 'Bearer' })
      else answerError(outgoing, 'too_many_requests', message, requestId, { 'retry-after': String(retryAfterS) })
      return { queueMs: 0 }
    }
    if (call.isUpgrade) sockets.set(incoming.socket, admitted.callerId)
    const forwarded = await pass(call)
    const { failure, upstream, outcome } = forwarded
    // A WebSocket is one of what its key may have at once, for as long as it lasts.
    if (outcome?.result === 'upgraded') outcome.far.once('close', admitted.leave)
    else admitted.leave()
    if (failure === undefined) return forwarded
    if (failure !== 'gone') log.warn({ requestId, path: service.path, upstream, failure }, 'entry: not forwarded')
    if (outcome === undefined) {
      const { code, message } = REFUSALS[failure]
      answerError(outgoing, code, message, requestId, code === 'busy' || code === 'unavailable' ? { 'retry-after': '1' } : {})
    }
    return forwarded
  }

  async function openSocket(call: Call, near: Duplex, head: Buffer): Promise<void> {
    const takeEarly = readEarly(near, head)
    const { limits, path } = call.service
    const ended = measures.begin(path)
    const { outcome, queueMs, failure } = await serve(call)
    if (outcome?.result === 'upgraded') await join({ outgoing: call.outgoing, near, takeEarly }, outcome, limits.webSocketSilenceMs, clock)
    ended({ status: outcome?.status ?? call.outgoing.statusCode, queueMs, failure })
  }

  async function pass({ service, target, incoming, outgoing, requestId, isUpgrade }: Call): Promise<Forwarded> {
    const route = routes.get(service)
    if (route === undefined) return { failure: 'none', queueMs: 0 }
    const exchange = new Exchange(incoming, outgoing, requestId, clock, service.limits.totalMs)
    try {
      return await forward(exchange, target, isUpgrade, route)
    } finally {
      exchange.release()
    }
  }

  const part = new Hono<EntryEnvironment>()
  part.all('*', async (context, next) => {
    const { incoming, outgoing } = context.env
    const found = find(incoming)
    if (found === undefined) return next()
    const requestId = context.get('requestId')
    context.set('measured', await serve({ ...found, incoming, outgoing, requestId, isUpgrade: false }))
    return RESPONSE_ALREADY_SENT
  })

  return {
    part,
    labelOf: (path) => publicServiceOf(path)?.path,
    longestMs: Math.max(0, ...services.map(({ limits }) => limits.totalMs)),
    upgrade(incoming, socket, head) {
      sockets.set(socket, '')
      socket.once('close', () => sockets.delete(socket))
      const requestId = requestIdOf(incoming.headers['x-request-id'])
      const outgoing = answerUpgrade(incoming, socket, clock)
      const found = find(incoming)
      if (found === undefined) {
        answerError(outgoing, 'not_found', 'There is no such WebSocket.', requestId)
        return
      }
      openSocket({ ...found, incoming, outgoing, requestId, isUpgrade: true }, socket, head).catch((error: unknown) => {
        log.error({ err: error, requestId, path: found.service.path }, 'entry: a WebSocket failed')
        socket.destroy()
      })
    },
    inFlight: () => inFlight,
    dismiss(callerId) {
      for (const [socket, id] of sockets) if (id === callerId) socket.destroy()
    },
    waiting: () => Array.from(targets.values(), (each) => each.waiting()).reduce((sum, each) => sum + each, 0),
    follow,
    async close() {
      for (const socket of sockets.keys()) socket.destroy()
      await Promise.all(Array.from(targets.values(), (each) => each.destroy()))
    }
  }
}

const ANYONE: Admitted = { ok: true, callerId: 'anyone', leave() {} }
