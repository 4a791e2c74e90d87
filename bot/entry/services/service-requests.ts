import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Pool } from '../../nodes/pool.ts'
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
import { serviceOf } from './manifest.ts'
import type { Service } from './manifest.ts'
import { REFUSALS, isUpstreamsFault, refusalOf } from './refusals.ts'
import { createTargets } from './targets.ts'
import type { Targets } from './targets.ts'

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

/** What a request asks for. */
export interface Found {
  service: Service
  target: Extract<RequestTarget, { ok: true }>
}

/** One request of a caller for a service. */
export interface Call extends Found {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  isUpgrade: boolean
}

export interface ServiceRequests {
  /** The service that a path of this entry belongs to. The bot's own paths stay its own, however much a pattern covers: `/v1/*` leaves it `/v1/audio`. */
  publicServiceOf(path: string): Service | undefined
  /** What a request asks for, where that is a service. */
  find(incoming: IncomingMessage): Found | undefined
  /** Refuses it or forwards it, and answers what failed. @param onAdmitted told who asks, before any node is asked */
  serve(call: Call, onAdmitted?: (callerId: string) => void): Promise<Forwarded>
  /** Requests that are under way to nodes, those that wait for a place there among them. */
  inFlight(): number
  /** Requests that wait for a place at a node. */
  waiting(): number
  /** The pool's list is another. */
  follow: () => void
  close(): Promise<void>
}

/** Takes one request after another to the nodes that registered its path, whatever it is to become. */
export function createServiceRequests({ services, pool, hosts, nodeKey, admit, measures, clock, log }: ServicesOptions): ServiceRequests {
  const hop = hopName()
  const targets = new Map<Service, Targets>(services.map((service) => [service, createTargets({ service, pool, hosts, nodeKey, clock })]))
  const routes = new Map<Service, ForwardOptions>(Array.from(targets, ([service, nodes]) => [service, routeTo(service, nodes)]))
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

  const publicServiceOf = (path: string) => (mayBeOwn(path) ? undefined : serviceOf(services, path))

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

  return {
    publicServiceOf,
    find(incoming) {
      const target = requestTarget(incoming.url ?? '')
      const service = target.ok ? publicServiceOf(target.path) : undefined
      return target.ok && service !== undefined ? { service, target } : undefined
    },
    async serve(call, onAdmitted) {
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
      onAdmitted?.(admitted.callerId)
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
    },
    inFlight: () => inFlight,
    waiting: () => Array.from(targets.values(), (each) => each.waiting()).reduce((sum, each) => sum + each, 0),
    follow,
    async close() {
      await Promise.all(Array.from(targets.values(), (each) => each.destroy()))
    }
  }
}

const ANYONE: Admitted = { ok: true, callerId: 'anyone', leave() {} }
