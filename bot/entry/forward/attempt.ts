import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { cut } from '../cut.ts'
import { flowingBody } from './body.ts'
import type { Body, FlowingBody } from './body.ts'
import type { Connection } from './connection.ts'
import type { Exchange, Waiting } from './exchange.ts'
import { isTunnelsOwn } from '../../nodes/tunnel-page.ts'
import { responseHeaders } from './headers.ts'
import type { AnswerHeaders } from './headers.ts'
import type { Upstream } from './upstream.ts'

/** How long each part of an exchange with an upstream may take. */
export interface ForwardLimits {
  connectMs: number
  /** From the request's last byte to the head of the answer. */
  firstByteMs: number
  /** Between two bytes, of the request or the answer. */
  silenceMs: number
  totalMs: number
  bodyMaxBytes: number
}

/**
 * `connect`: nobody took the connection, `connectTimeout`: not in time. `reset`: it broke, or what came over it was no HTTP. `status`: the upstream's own
 * fault, by its answer. `slow`, `tooLarge`, `gone` are the caller's.
 */
export type Failure = 'connect' | 'connectTimeout' | 'reset' | 'timeout' | 'status' | 'slow' | 'tooLarge' | 'gone'

/**
 * How an attempt ended. `answered`: the caller has an answer, or the start of one. `failed`: the caller has nothing yet; `sent` says whether the
 * upstream may have begun to work on it. `headMs` is when the answer began, by the clock.
 */
export type Outcome =
  | { result: 'answered'; status: number; headMs: number; failure?: Failure }
  | { result: 'upgraded'; status: number; headMs: number; headers: string[]; far: Duplex }
  | { result: 'failed'; failure: Failure; sent: boolean; status?: number }

export interface Request {
  path: string
  headers: string[]
  body: Body
  isUpgrade: boolean
}

/** What comes from the upstream as it is; every other status from 400 on is a failure of the upstream's own. */
const KEPT = new Set([400, 401, 403, 404, 409, 413, 422, 429, 500])

/** One request to one upstream, its answer streamed to the caller as it comes, no faster than the caller takes it. It never rejects. */
export function attempt(upstream: Upstream, connection: Connection, request: Request, exchange: Exchange, limits: ForwardLimits, clock: Clock): Promise<Outcome> {
  return new Promise((resolve) => new Attempt(upstream, connection, exchange, limits, clock, resolve).begin(request))
}

class Attempt implements Dispatcher.DispatchHandler, Waiting {
  readonly #upstream: Upstream
  readonly #connection: Connection
  readonly #exchange: Exchange
  readonly #limits: ForwardLimits
  readonly #clock: Clock
  readonly #resolve: (outcome: Outcome) => void
  #controller: Dispatcher.DispatchController | undefined
  #flowing: FlowingBody | undefined
  #phase: 'connecting' | 'sending' | 'waiting' = 'connecting'
  #status = 0
  #headMs = 0
  /** It says neither its length nor comes in chunks. */
  #endsByClose = false
  #hasEnded = false

  constructor(upstream: Upstream, connection: Connection, exchange: Exchange, limits: ForwardLimits, clock: Clock, resolve: (outcome: Outcome) => void) {
    this.#upstream = upstream
    this.#connection = connection
    this.#exchange = exchange
    this.#limits = limits
    this.#clock = clock
    this.#resolve = resolve
  }

  begin({ path, headers, body, isUpgrade }: Request): void {
    const { incoming } = this.#exchange
    if (body === 'flowing') this.#flowing = flowingBody(incoming, this.#limits.bodyMaxBytes, () => this.#fail('tooLarge'))
    this.#exchange.await(this.#limits.connectMs, this)
    if (this.#hasEnded) return
    const whole = typeof body === 'string' ? null : body
    const method = incoming.method as Dispatcher.HttpMethod
    this.#connection.dispatch({ path, headers, method, body: this.#flowing?.stream ?? whole, ...(isUpgrade && { upgrade: 'websocket' }) }, this)
  }

  onLeave(): void {
    this.#fail('gone')
  }

  onLate(): void {
    if (this.#controller?.paused) this.#fail('slow')
    else if (this.#phase === 'connecting') this.#fail('connectTimeout')
    else this.#fail(this.#phase === 'sending' && this.#flowing?.isDrained() ? 'slow' : 'timeout')
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#hasEnded) {
      controller.abort(new Error('given up'))
      return
    }
    this.#flowing?.start()
    this.#phase = this.#flowing === undefined ? 'waiting' : 'sending'
    this.#exchange.await(this.#flowing === undefined ? this.#limits.firstByteMs : this.#limits.silenceMs, this)
  }

  onBodySent(): void {
    if (!this.#hasEnded) this.#exchange.heard()
  }

  onRequestSent(): void {
    if (this.#phase !== 'sending') return
    this.#phase = 'waiting'
    if (this.#status === 0) this.#exchange.await(this.#limits.firstByteMs, this)
  }

  onRequestUpgrade(_: Dispatcher.DispatchController, status: number, headers: AnswerHeaders, far: Duplex): void {
    if (this.#hasEnded) far.destroy()
    else this.#end({ result: 'upgraded', status, headMs: this.#clock.monotonic(), headers: responseHeaders(status, headers, this.#exchange.requestId, this.#upstream), far })
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: AnswerHeaders): void {
    if (this.#hasEnded || status < 200) return
    // In another encoding than we asked for, and nobody after us would know.
    if (String(headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
      this.#fail('reset')
      return
    }
    const isTunnels = isTunnelsOwn(status, headers)
    if (isTunnels || (status >= 400 && !KEPT.has(status))) {
      // Of a tunnel's own answers each is as good as a 502: what is behind it has said nothing.
      this.#end({ result: 'failed', failure: 'status', sent: true, status: isTunnels ? 502 : status })
      controller.abort(new Error('not wanted'))
      return
    }
    const { outgoing, requestId } = this.#exchange
    outgoing.writeHead(status, responseHeaders(status, headers, requestId, this.#upstream))
    this.#status = status
    this.#endsByClose = headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
    this.#headMs = this.#clock.monotonic()
    // Who does not read is not answered for ever either: a paused answer counts as silence.
    this.#exchange.await(this.#limits.silenceMs, this)
    // The head goes out with the first piece of the body where both have come together, else by itself.
    queueMicrotask(() => {
      if (!this.#hasEnded) outgoing.flushHeaders()
    })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#hasEnded) return
    this.#exchange.heard()
    if (this.#exchange.outgoing.write(chunk) || controller.paused) return
    controller.pause()
    this.#exchange.outgoing.once('drain', () => {
      if (this.#hasEnded) return
      this.#exchange.heard()
      controller.resume()
    })
  }

  onResponseEnd(): void {
    if (this.#hasEnded) return
    // An answer that only the connection's end ends is not whole where that was a break (RFC 9112, 8).
    if (this.#endsByClose && this.#connection.hasBroken()) {
      this.#fail('reset')
      return
    }
    this.#exchange.outgoing.end()
    this.#end({ result: 'answered', status: this.#status, headMs: this.#headMs })
  }

  onResponseError(): void {
    this.#fail(this.#controller === undefined ? 'connect' : 'reset')
  }

  /** Whatever was begun can't be taken back: the caller sees that it is cut, and never takes a part for the whole. */
  #fail(failure: Failure) {
    if (this.#hasEnded) return
    if (this.#status === 0) this.#end({ result: 'failed', failure, sent: this.#controller !== undefined })
    else {
      this.#end({ result: 'answered', status: this.#status, headMs: this.#headMs, failure })
      cut(this.#exchange.outgoing)
    }
    if (this.#controller === undefined) this.#connection.abandon()
    else this.#controller.abort(new Error('given up'))
  }

  #end(outcome: Outcome) {
    this.#hasEnded = true
    this.#exchange.settle()
    this.#flowing?.stop()
    this.#resolve(outcome)
  }
}
