import { randomBytes } from 'node:crypto'
import Bottleneck from 'bottleneck'
import { request } from 'undici'
import type { Dispatcher } from 'undici'
import * as z from 'zod'
import { limited } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { addressOf } from '../entry/listen.ts'
import type { Service, Smoke } from '../entry/services/manifest.ts'
import { isWithoutAnswer } from './no-answer.ts'

/**
 * Who answered a smoke path. `node`: with this status. `entry`: the bot itself refused, for its own code. `stranger`: a program that is not the bot.
 * `nobody`: no connection, or one that ended without an answer. `silent`: not within its limit. `noTime`: the time for all was over before.
 */
export type SmokeAnswer = { by: 'node'; status: number } | { by: 'entry'; status: number; code: string } | { by: 'stranger' | 'nobody' | 'silent' | 'noTime' }

export interface SmokeSeen {
  smoke: Smoke
  /** In the bot's log, and in the node's where it keeps one. */
  requestId: string
  /** Until the answer began. */
  tookMs: number
  answer: SmokeAnswer
}

export interface ServiceSeen {
  service: Service
  smokes: SmokeSeen[]
}

const AT_ONCE = 4
/** For one smoke path, whatever its manifest allows. */
export const SMOKE_LIMIT_MS = 20_000
const TOTAL_LIMIT_MS = 30_000
/** What of an answer is waited for beyond its head. */
const BODY_MAX_BYTES = 65_536
const BODY_LIMIT_MS = 1_000

const Refusal = z.object({ error: z.object({ code: z.string().max(64) }) })

/** Asks every smoke path of the entry, as a caller on this machine would. Takes 30 s at most. Never rejects. */
export async function seeServices(services: readonly Service[], { HTTP_HOST, HTTP_PORT }: { HTTP_HOST: string; HTTP_PORT: number }, clock: Clock): Promise<ServiceSeen[]> {
  const origin = addressOf(HTTP_HOST, HTTP_PORT)
  const limiter = new Bottleneck({ maxConcurrent: AT_ONCE })
  const { signal, release } = limited(clock, TOTAL_LIMIT_MS, () => new Error('no time'))
  const see = async (smoke: Smoke): Promise<SmokeSeen> => {
    const requestId = `test-${randomBytes(4).toString('hex')}`
    const asked = await limiter.schedule(() => {
      if (HTTP_PORT === 0) return Promise.resolve<Asked>({ tookMs: 0, answer: { by: 'nobody' } })
      return signal.aborted ? Promise.resolve<Asked>({ tookMs: 0, answer: { by: 'noTime' } }) : ask(origin, smoke, requestId, clock, signal)
    })
    return { smoke, requestId, ...asked }
  }
  try {
    return await Promise.all(services.map(async (service) => ({ service, smokes: await Promise.all(service.smoke.map(see)) })))
  } finally {
    release()
  }
}

type Asked = Pick<SmokeSeen, 'tookMs' | 'answer'>

async function ask(origin: string, { method, path, body }: Smoke, requestId: string, clock: Clock, parent: AbortSignal): Promise<Asked> {
  const startedMs = clock.monotonic()
  const tookMs = () => clock.monotonic() - startedMs
  const { signal, release } = limited(clock, SMOKE_LIMIT_MS, () => new Error('no answer in time'), parent)
  try {
    const answer = await request(`${origin}${path}`, {
      method, signal, headersTimeout: 0, bodyTimeout: 0,
      headers: { 'x-request-id': requestId, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    return { tookMs: tookMs(), answer: answerOf(answer, requestId, await textOf(answer.body, clock)) }
  } catch (error) {
    const by = parent.aborted ? 'noTime' : signal.aborted ? 'silent' : isWithoutAnswer(error) ? 'nobody' : 'stranger'
    return { tookMs: tookMs(), answer: { by } }
  } finally {
    release()
  }
}

/** A body that ends soon, to its end: the bot would count a caller that leaves before as gone. Any other is let go of: it may never end. */
async function textOf(body: Dispatcher.ResponseData['body'], clock: Clock): Promise<string | undefined> {
  const cancel = clock.after(BODY_LIMIT_MS, () => body.destroy())
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      sizeBytes += chunk.byteLength
      if (sizeBytes > BODY_MAX_BYTES) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return undefined
  } finally {
    cancel()
  }
}

/** Every answer of the entry has the request's id; one that it only passed on is sandboxed, and its own refusals have one shape. */
function answerOf({ statusCode: status, headers }: Dispatcher.ResponseData, requestId: string, text: string | undefined): SmokeAnswer {
  if (headers['x-request-id'] !== requestId) return { by: 'stranger' }
  if (String(headers['content-security-policy'] ?? '').includes('sandbox')) return { by: 'node', status }
  // Else a page of the bot's own, or of a site.
  return { by: 'entry', status, code: refusalIn(text) ?? 'not_found' }
}

function refusalIn(text = ''): string | undefined {
  try {
    return Refusal.safeParse(JSON.parse(text)).data?.error.code
  } catch {
    return undefined
  }
}
