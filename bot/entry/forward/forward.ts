import type { Clock } from '../../core/clock.ts'
import { attempt } from './attempt.ts'
import type { Failure, ForwardLimits, Outcome } from './attempt.ts'
import { bodyOf, holdBody } from './body.ts'
import type { Body } from './body.ts'
import type { Connection } from './connection.ts'
import type { Exchange } from './exchange.ts'
import { requestHeaders } from './headers.ts'
import type { Places } from './places.ts'
import type { Upstream } from './upstream.ts'

/** Where a request may go. */
export interface Target {
  upstream: Upstream
  /** With its query, as the upstream is asked. */
  path: string
  /** Headers of the entry's own, such as the upstream's `authorization`; names in lower case. */
  headers: Readonly<Record<string, string>>
}

/** What is asked for. */
export interface Asked {
  path: string
  query: string
  /** The host that the request line names, where it names one. */
  host: string | undefined
}

/** How the requests of one service are forwarded: the same for all of them. */
export interface ForwardOptions {
  /** The best target that was not tried yet, or undefined. */
  choose(asked: Asked, isUpgrade: boolean, tried: Upstream | undefined): Target | undefined
  /** Whether a target that was chosen a while ago still is one. */
  isThere(upstream: Upstream): boolean
  limits: ForwardLimits & { waitMs: number }
  /** How this entry calls itself in `Via`. */
  hop: string
  clock: Clock
  /** Told of each attempt, and how it ended. */
  ask(upstream: Upstream): (asked: { queueMs: number; upstreamMs?: number; failure?: ForwardFailure | undefined }) => void
}

/** `full`: no place there, nor one to wait for it; `late`: waited too long; `none`: there is no upstream. */
export type ForwardFailure = Failure | 'full' | 'late' | 'none'

/** What became of one request. `outcome` is undefined where the caller has nothing yet: then `failure` says why. */
export interface Forwarded {
  outcome?: Exclude<Outcome, { result: 'failed' }>
  failure?: ForwardFailure | undefined
  /** The last upstream that was to be asked. */
  upstream?: string
  queueMs: number
}

/** May be asked twice without doing something twice (RFC 9110, 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Takes a request to an upstream and its answer back. A second upstream is asked, once, where nothing was sent or the method is safe, and nothing has
 * been answered yet; never where the first one was asked and did not answer in time. It never rejects, and leaves it to its caller to say what failed.
 */
export async function forward(exchange: Exchange, asked: Asked, isUpgrade: boolean, options: ForwardOptions): Promise<Forwarded> {
  const { incoming } = exchange
  const { limits, clock } = options
  const { kind, declaredBytes } = bodyOf(incoming)
  if (declaredBytes > limits.bodyMaxBytes) return { failure: 'tooLarge', queueMs: 0 }
  const body = kind === 'held' ? await holdBody(exchange, limits.silenceMs) : kind
  if (body === 'slow' || body === 'gone') return { failure: body, queueMs: 0 }
  let target = options.choose(asked, isUpgrade, undefined)
  if (target === undefined) return { failure: 'none', queueMs: 0 }

  let queueMs = 0
  for (let isFirst = true; ; isFirst = false) {
    const { upstream, path, headers: own }: Target = target
    const ended = options.ask(upstream)
    const places = isUpgrade ? upstream.webSockets : upstream.requests
    let place: Connection | Unplaced | undefined = places.take()
    let waitedMs = 0
    const hasWaited = place === undefined
    if (place === undefined) {
      const askedMs = clock.monotonic()
      place = await inTurn(places, exchange, limits.waitMs)
      waitedMs = clock.monotonic() - askedMs
      queueMs += waitedMs
    }
    if (hasWaited && typeof place !== 'string' && !options.isThere(upstream)) {
      places.give(place)
      place = 'none'
    }
    if (typeof place === 'string') {
      ended({ queueMs: waitedMs, failure: place })
      if (place !== 'none') return { failure: place, upstream: upstream.name, queueMs }
      target = isFirst ? options.choose(asked, isUpgrade, upstream) : undefined
      if (target === undefined) return { failure: 'none', upstream: upstream.name, queueMs }
      continue
    }
    const connection = place
    const headers = requestHeaders(exchange, options.hop, asked.host, own)
    if (body === 'flowing' && declaredBytes > 0) headers.push('content-length', String(declaredBytes))
    const startedMs = clock.monotonic()
    const outcome = await attempt(upstream, connection, { path, headers, body, isUpgrade }, exchange, limits, clock)
    const failure = outcome.result === 'upgraded' ? undefined : outcome.failure
    const upstreamMs = (outcome.result === 'failed' ? clock.monotonic() : outcome.headMs) - startedMs
    const leave = () => {
      places.give(connection)
      ended({ queueMs: waitedMs, failure, upstreamMs })
    }
    if (outcome.result === 'upgraded') outcome.far.once('close', leave)
    else leave()
    if (outcome.result !== 'failed') return { outcome, failure, upstream: upstream.name, queueMs }
    target = isFirst && mayGoElsewhere(outcome, exchange, body) ? options.choose(asked, isUpgrade, upstream) : undefined
    if (target === undefined) return { failure, upstream: upstream.name, queueMs }
  }
}

/** Why there is no place; `none`: at this upstream there will be no more. */
type Unplaced = 'full' | 'late' | 'gone' | 'none'

/** Waits for a place, for a while. */
function inTurn(places: Places<Connection>, exchange: Exchange, waitMs: number): Promise<Connection | Unplaced> {
  return new Promise((resolve) => {
    const giveUp = places.wait((connection) => {
      exchange.settle()
      resolve(connection ?? 'none')
    })
    if (giveUp === undefined) {
      resolve('full')
      return
    }
    const leave = (reason: 'late' | 'gone') => {
      giveUp()
      exchange.settle()
      resolve(reason)
    }
    exchange.await(waitMs, { onLate: () => leave('late'), onLeave: () => leave('gone') })
  })
}

/** What is the caller's doing, or was refused for what it is, no other upstream changes; a body that has begun to flow can't be sent again. */
function mayGoElsewhere({ failure, sent, status = 500 }: Extract<Outcome, { result: 'failed' }>, { incoming }: Exchange, body: Body): boolean {
  if (failure !== 'connect' && failure !== 'connectTimeout' && failure !== 'reset' && failure !== 'status') return false
  return (!sent || SAFE.has(incoming.method ?? '')) && status >= 500 && !(body === 'flowing' && incoming.readableDidRead)
}
