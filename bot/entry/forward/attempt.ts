import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { Clock } from '../../core/clock.ts'
import { flowingBody } from './body.ts'
import type { Body } from './body.ts'
import type { Connection } from './connection.ts'
import type { Departure } from './departure.ts'
import { responseHeaders } from './headers.ts'
import type { Upstream } from './upstream.ts'
import type { Watch } from './watch.ts'

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

/** One request of a caller, with what belongs to it until it is answered. */
export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  requestId: string
  watch: Watch
  departure: Departure
}

export interface Attempt {
  upstream: Upstream
  connection: Connection
  path: string
  headers: string[]
  body: Body
  isUpgrade: boolean
}

/** What comes from the upstream as it is; every other status from 400 on is a failure of the upstream's own. */
const KEPT = new Set([400, 401, 403, 404, 409, 413, 422, 429, 500])

/** One request to one upstream, its answer streamed to the caller as it comes, no faster than the caller takes it. It never rejects. */
export function attempt({ upstream, connection, path, headers, body, isUpgrade }: Attempt, exchange: Exchange, limits: ForwardLimits, clock: Clock): Promise<Outcome> {
  const { incoming, outgoing, requestId, watch, departure } = exchange
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let status = 0
    let headMs = 0
    let hasEnded = false
    let phase: 'connecting' | 'sending' | 'waiting' = 'connecting'
    const flowing = body === 'flowing' ? flowingBody(incoming, limits.bodyMaxBytes, () => fail('tooLarge')) : undefined

    function end(outcome: Outcome) {
      if (hasEnded) return
      hasEnded = true
      departure.onLeave = undefined
      if (controller?.paused) outgoing.off('drain', onDrain)
      flowing?.stop()
      resolve(outcome)
    }

    /** Whatever was begun can't be taken back: the caller sees that it is cut, and never takes a part for the whole. */
    function fail(failure: Failure) {
      if (hasEnded) return
      if (status === 0) end({ result: 'failed', failure, sent: controller !== undefined })
      else {
        end({ result: 'answered', status, headMs, failure })
        cut(exchange)
      }
      if (controller === undefined) connection.abandon()
      else controller.abort(new Error('given up'))
    }

    function onDrain() {
      watch.heard()
      controller?.resume()
    }

    function onLate() {
      if (phase === 'connecting') fail('connectTimeout')
      else fail(phase === 'sending' && flowing?.isDrained() ? 'slow' : 'timeout')
    }

    departure.onLeave = () => fail('gone')
    if (departure.hasLeft) {
      fail('gone')
      return
    }
    watch.within(limits.connectMs, onLate)
    connection.dispatch(
      {
        path, headers,
        method: incoming.method as Dispatcher.HttpMethod,
        body: flowing?.stream ?? (body === 'none' || body === 'flowing' ? null : body),
        ...(isUpgrade && { upgrade: 'websocket' })
      },
      {
        onRequestStart(given) {
          controller = given
          if (hasEnded) {
            given.abort(new Error('given up'))
            return
          }
          flowing?.start()
          phase = flowing === undefined ? 'waiting' : 'sending'
          watch.within(flowing === undefined ? limits.firstByteMs : limits.silenceMs, onLate)
        },
        onBodySent: watch.heard,
        onRequestSent() {
          if (phase !== 'sending') return
          phase = 'waiting'
          if (status === 0) watch.within(limits.firstByteMs, onLate)
        },
        onRequestUpgrade(_, code, received, far) {
          if (hasEnded) far.destroy()
          else end({ result: 'upgraded', status: code, headMs: clock.monotonic(), headers: responseHeaders(received, requestId, upstream), far })
        },
        onResponseStart(given, code, received) {
          if (hasEnded || code < 200) return
          // In another encoding than we asked for, and nobody after us would know.
          if (String(received['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
            fail('reset')
            return
          }
          if (code >= 400 && !KEPT.has(code)) {
            end({ result: 'failed', failure: 'status', sent: true, status: code })
            given.abort(new Error('not wanted'))
            return
          }
          status = code
          headMs = clock.monotonic()
          // Who does not read is not answered for ever either: a paused answer counts as silence.
          watch.within(limits.silenceMs, onLate)
          begin(received)
        },
        onResponseData(given, chunk) {
          if (hasEnded) return
          watch.heard()
          if (outgoing.write(chunk) || given.paused) return
          given.pause()
          outgoing.once('drain', onDrain)
        },
        onResponseEnd() {
          if (hasEnded) return
          outgoing.end()
          end({ result: 'answered', status, headMs })
        },
        onResponseError() {
          fail(controller === undefined ? 'connect' : 'reset')
        }
      }
    )

    /** The head goes out with the first piece of the body where both have come together, else by itself. */
    function begin(received: IncomingHttpHeaders) {
      outgoing.writeHead(status, responseHeaders(received, requestId, upstream))
      queueMicrotask(() => {
        if (!hasEnded) outgoing.flushHeaders()
      })
    }
  })
}

/** HTTP/1.0 has no other sign of an end than the connection's: there a cut must be seen as one. */
function cut({ incoming, outgoing }: Exchange) {
  if (incoming.httpVersion === '1.0') incoming.socket.resetAndDestroy()
  outgoing.destroy()
}
