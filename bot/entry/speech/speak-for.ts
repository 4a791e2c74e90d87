import type { Context } from 'hono'
import type { Clock } from '../../core/clock.ts'
import { asVoxError } from '../../core/errors.ts'
import type { VoxError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { DeviceIdOf } from '../../members/device-id.ts'
import type { Pool } from '../../nodes/pool.ts'
import type { Relay } from '../../speech/relay.ts'
import { speak } from '../../speech/speak.ts'
import { ANY_VOICE } from '../../wire/node.ts'
import type { EntryEnvironment } from '../environment.ts'
import { GONE } from '../status-of.ts'
import { answerStreamed, answerWhole } from './answer.ts'
import { ALL_BUSY, UNSPEAKABLE, refuseApi } from './api-error.ts'
import type { ApiError } from './api-error.ts'
import type { Body, Encoders } from './formats/encoders.ts'
import type { RequestBook } from './request-book.ts'
import { readBody } from './read-body.ts'
import type { ReadBody } from './read-body.ts'
import { readSpeechAsk } from './speech-ask.ts'
import type { SpeechAsk } from './speech-ask.ts'
import { toldFault } from './told-fault.ts'
import { voiceFor } from './voices.ts'

export interface SpeakForDeps {
  pool: Pick<Pool, 'nodes' | 'usable'>
  relay: Relay
  deviceIdOf: DeviceIdOf
  clock: Clock
  log: Log
  metrics: Metrics
  encoders: Encoders
  book: RequestBook
}

/** Served at once, whoever asks. */
const AT_ONCE_MAX = 32

/** As a node takes it (docs/nodes.md). */
const BODY_MAX_BYTES = 64 * 1024
const BODY_LIMIT_MS = 10_000

const NO_BODY: Readonly<Record<Extract<ReadBody, { ok: false }>['reason'], ApiError>> = {
  too_large: { status: 413, code: 'too_large', message: `The body may have ${String(BODY_MAX_BYTES / 1024)} KiB at most.` },
  slow: { status: 408, code: 'request_timeout', message: 'The body did not come in time.' },
  gone: { status: 400, code: 'invalid_request', message: 'The body did not arrive.' }
}

/** `POST /v1/audio/speech`: the text as it is, through the same relay as all speech; each API key is one device of the pool. */
export function createSpeakFor({ pool, relay, deviceIdOf, clock, log, metrics, encoders, book }: SpeakForDeps) {
  let underWay = 0

  /** Counts and logs a fault at this edge, once. */
  function met(error: VoxError, context: Context<EntryEnvironment>) {
    if (error.code === 'CANCELLED') return
    const requestId = context.get('requestId')
    context.set('measured', { ...context.get('measured'), failure: error.code })
    metrics.faults.inc({ code: error.code })
    if (error.kind === 'bug') log.error({ requestId, err: error.cause ?? error }, 'speech: bug')
    else log.warn({ requestId, code: error.code, ...error.context }, 'speech: it could not be said')
  }

  /** `fault`: what was met when the answer had begun, and its status had gone out. */
  async function say(context: Context<EntryEnvironment>, ask: SpeechAsk, deviceId: string, onStart: () => void): Promise<{ answer: Response; fault?: VoxError | undefined }> {
    const { outgoing } = context.env
    const requestId = context.get('requestId')
    const { voice, speed, pitch, volume, language } = ask
    const sound = { voice: voiceFor(voice, pool), speed, ...(pitch !== undefined && { pitch }), ...(volume !== undefined && { volume }) }
    const onQueued = (queueMs: number) => {
      const measured = context.get('measured')
      context.set('measured', { ...measured, queueMs: (measured?.queueMs ?? 0) + queueMs })
    }
    const utterance = speak(relay, { text: ask.input, sound, language, deviceId, onQueued })
    if (utterance.audio.count === 0) return { answer: refuseApi(context, UNSPEAKABLE) }
    if (underWay >= AT_ONCE_MAX) return { answer: refuseApi(context, ALL_BUSY) }
    underWay += 1
    // Until the answer is out, not only made: who does not read would hold any number of them.
    outgoing.once('close', () => (underWay -= 1))
    let body: Body | undefined
    let fault: VoxError | undefined
    const leave = () => utterance.cancel()
    outgoing.once('close', leave)
    log.info({ requestId, utterance: utterance.id, chars: ask.input.length, format: ask.response_format }, 'speech: asked')
    try {
      body = encoders.open(ask.response_format)
      const spoken = { utterance, body, ask }
      const onFault = (error: VoxError) => {
        fault = error
        met(error, context)
      }
      const answer = ask.stream_format === undefined ? await answerWhole(context, spoken) : await answerStreamed(context, spoken, { clock, onStart, onFault })
      if (fault === undefined) metrics.utterances.inc({ outcome: 'answered' })
      return { answer, fault }
    } catch (thrown) {
      const error = asVoxError(thrown)
      met(error, context)
      return { answer: refuseApi(context, toldFault(error)) }
    } finally {
      outgoing.off('close', leave)
      // What was fetched ahead is for nobody any more.
      utterance.cancel()
      body?.close()
    }
  }

  return async (context: Context<EntryEnvironment>, callerId: string): Promise<Response> => {
    const { incoming, outgoing } = context.env
    const requestId = context.get('requestId')
    const receivedAt = clock.now()
    const startedMs = clock.monotonic()
    let answeredMs: number | undefined
    const onStart = () => (answeredMs = clock.monotonic())
    const body = await readBody(incoming, { maxBytes: BODY_MAX_BYTES, limitMs: BODY_LIMIT_MS, clock })
    if (!body.ok) return refuseApi(context, NO_BODY[body.reason])
    if (outgoing.closed) return refuseApi(context, NO_BODY.gone)
    const read = readSpeechAsk(body.text)
    const { answer, fault } = read.ok ? await say(context, read.ask, deviceIdOf('api', callerId), onStart) : { answer: refuseApi(context, read.error) }
    const hasLeft = incoming.destroyed && !outgoing.writableEnded && outgoing.destroyed
    const voice = read.ok && read.ask.voice !== ANY_VOICE ? { voice: read.ask.voice } : {}
    const hasFailed = fault !== undefined && fault.code !== 'CANCELLED'
    book.add(callerId, {
      requestId, receivedAt, status: hasFailed ? toldFault(fault).status : hasLeft ? GONE : answer.status, durationMs: Math.max(0, Math.round((answeredMs ?? clock.monotonic()) - startedMs)),
      ...voice, inputLength: read.ok ? read.ask.input.length : 0
    })
    return answer
  }
}
