import { randomBytes } from 'node:crypto'
import Bottleneck from 'bottleneck'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import * as z from 'zod'
import { limited } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { addressOf } from '../entry/listen.ts'
import type { Service, Smoke } from '../entry/services/manifest.ts'
import { isNobody } from './is-nobody.ts'

/**
 * Who answered a smoke path. `node`: with this status. `entry`: the bot itself refused, for its own code. `stranger`: a program that is not the bot.
 * `nobody`: no connection. `silent`: not within its limit. `noTime`: the time for all was over before.
 */
export type SmokeAnswer = { by: 'node'; status: number } | { by: 'entry'; status: number; code: string } | { by: 'stranger' | 'nobody' | 'silent' | 'noTime' }

export interface SmokeSeen {
  smoke: Smoke
  /** In the bot's log, and in the node's where it keeps one. */
  requestId: string
  tookMs: number
  answer: SmokeAnswer
}

export interface ServiceSeen {
  service: Service
  smokes: SmokeSeen[]
}

const AT_ONCE = 4
const LIMIT_MS = 20_000
const TOTAL_LIMIT_MS = 30_000
const REFUSAL_MAX_BYTES = 16_384

const Refusal = z.object({ error: z.object({ code: z.string().max(64) }) })

/** Asks every smoke path of the entry, as a caller on this machine would. Takes 30 s at most. Never rejects. */
export async function seeServices(services: readonly Service[], { HTTP_HOST, HTTP_PORT }: { HTTP_HOST: string; HTTP_PORT: number }, clock: Clock): Promise<ServiceSeen[]> {
  const origin = addressOf(HTTP_HOST, HTTP_PORT)
  const limiter = new Bottleneck({ maxConcurrent: AT_ONCE })
  const { signal, release } = limited(clock, TOTAL_LIMIT_MS, () => new Error('no time'))
  const see = async (smoke: Smoke): Promise<SmokeSeen> => {
    const requestId = `test-${randomBytes(4).toString('hex')}`
    let startedMs = clock.monotonic()
    const answer = await limiter.schedule(() => {
      startedMs = clock.monotonic()
      return signal.aborted || HTTP_PORT === 0 ? Promise.resolve<SmokeAnswer>({ by: HTTP_PORT === 0 ? 'nobody' : 'noTime' }) : ask(origin, smoke, requestId, clock, signal)
    })
    return { smoke, requestId, tookMs: clock.monotonic() - startedMs, answer }
  }
  try {
    return await Promise.all(services.map(async (service) => ({ service, smokes: await Promise.all(service.smoke.map(see)) })))
  } finally {
    release()
  }
}

async function ask(origin: string, { method, path, body }: Smoke, requestId: string, clock: Clock, parent: AbortSignal): Promise<SmokeAnswer> {
  const { signal, release } = limited(clock, LIMIT_MS, () => new Error('no answer in time'), parent)
  try {
    const answer = await request(`${origin}${path}`, {
      method, signal, headersTimeout: 0, bodyTimeout: 0,
      headers: { 'x-request-id': requestId, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return await answerOf(answer, requestId)
  } catch (error) {
    if (parent.aborted) return { by: 'noTime' }
    if (signal.aborted) return { by: 'silent' }
    return { by: isNobody(error) ? 'nobody' : 'stranger' }
  } finally {
    release()
  }
}

/** Every answer of the entry has the request's id; one that it only passed on is sandboxed, and its own refusals have one shape. */
async function answerOf({ statusCode: status, headers, body }: Dispatcher.ResponseData, requestId: string): Promise<SmokeAnswer> {
  const isEntry = headers['x-request-id'] === requestId
  const isForwarded = String(headers['content-security-policy'] ?? '').includes('sandbox')
  if (isEntry && !isForwarded && Number(headers['content-length'] ?? Infinity) <= REFUSAL_MAX_BYTES) {
    const refusal = Refusal.safeParse(await body.json().catch(() => undefined))
    if (refusal.success) return { by: 'entry', status, code: refusal.data.error.code }
  }
  // What still comes of it is of no interest, and may never end.
  body.on('error', () => {}).destroy()
  if (!isEntry) return { by: 'stranger' }
  // A page of the bot's own, or of a site.
  return isForwarded ? { by: 'node', status } : { by: 'entry', status, code: 'not_found' }
}
