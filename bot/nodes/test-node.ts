import { randomBytes } from 'node:crypto'
import type { OpusStream } from '../audio/ogg.ts'
import { levelsOf } from '../audio/waveform.ts'
import { sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { FaultCode } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { ANY_VOICE } from '../wire/node.ts'
import type { LoggedRequest } from '../wire/node.ts'
import type { NodeClient } from './client.ts'
import type { PoolNode } from './node.ts'

/** The bot's own side: when it asked, and what it got. `isMute`: a whole stream in which nothing can be heard. */
export type Answered =
  | { ok: true; tookMs: number; audio: OpusStream; isMute: boolean }
  | { ok: false; tookMs: number; error: VoxError }

/**
 * The node's own side. `missing`: it keeps a log, and the id is not in it. `noLog`: it keeps none that can be asked, as any other OpenAI server, which
 * is no fault. `silent`: it did not answer the question, for the code's reason.
 */
export type Logged = { found: 'yes'; entry: LoggedRequest } | { found: 'missing' | 'noLog' } | { found: 'silent'; error: VoxError }

export interface NodeTest {
  /** In the logs of both ends. */
  requestId: string
  serverId: string
  sentAtMs: number
  answered: Answered
  logged: Logged
}

/** -54 dB: what is softer than this in every packet, nobody hears. */
const AUDIBLE = 0.002

/** The node writes a request down before it answers; a proxy between may tell the answer sooner. */
const LOOKS = 3
const LOOK_PAUSE_MS = 300

/**
 * Speaks a text of its own through one node, past the choice, the queue and the cache, and looks for the request's id at both ends. A node that is
 * disabled, resting or being emptied is asked all the same, and nothing is held against it. Takes 40 s at most. Never rejects.
 * @param node what the roster says of it; without an address the answer is `NODE_LEFT`
 */
export async function testNode(deps: { client: NodeClient; clock: Clock; log: Log }, node: Pick<PoolNode, 'serverId' | 'apiUrl'>): Promise<NodeTest> {
  const { client, clock, log } = deps
  const { serverId, apiUrl } = node
  const mark = randomBytes(4).toString('hex')
  const requestId = `test-${mark}`
  const test = { requestId, serverId, sentAtMs: clock.now() }
  if (apiUrl === null) {
    const error = new VoxError('NODE_LEFT')
    return { ...test, answered: { ok: false, tookMs: 0, error }, logged: { found: 'silent', error } }
  }
  const answered = await ask(client, clock, apiUrl, requestId, mark)
  log.info({ request: requestId, node: serverId, ms: Math.round(answered.tookMs), ...(answered.ok ? { audioMs: Math.round(answered.audio.durationMs) } : { code: answered.error.code }) }, 'tested')
  const isCutOff = !answered.ok && CUT_OFF.includes(answered.error.code)
  return { ...test, answered, logged: isCutOff ? { found: 'silent', error: answered.error } : await lookUp(client, clock, apiUrl, requestId) }
}

/** Nothing was sent: there is nothing to look for. */
const CUT_OFF: readonly FaultCode[] = ['NODE_FORBIDDEN_HOST', 'NODE_UNRESOLVED', 'NODE_UNREACHABLE']

async function ask(client: NodeClient, clock: Clock, apiUrl: string, requestId: string, mark: string): Promise<Answered> {
  const startedMs = clock.monotonic()
  try {
    const audio = await client.speak(apiUrl, { model: 'voxpool', input: markerText(mark), voice: ANY_VOICE, response_format: 'opus', speed: 1 }, { requestId })
    const tookMs = clock.monotonic() - startedMs
    const isMute = (await levelsOf(audio.packets)).every((level) => level < AUDIBLE)
    return { ok: true, tookMs, audio, isMute }
  } catch (thrown) {
    return { ok: false, tookMs: clock.monotonic() - startedMs, error: asVoxError(thrown) }
  }
}

/** Another one each time, so that no cache at the node answers: figures, which every voice can read. */
function markerText(mark: string): string {
  return `Test ${Array.from(String(parseInt(mark, 16) % 10_000).padStart(4, '0')).join(' ')}.`
}

async function lookUp(client: NodeClient, clock: Clock, apiUrl: string, requestId: string): Promise<Logged> {
  for (let look = 1; ; look++) {
    const logged = await client.logged(apiUrl, requestId).then(
      (found): Logged => (typeof found === 'string' ? { found } : { found: 'yes', entry: found }),
      (thrown: unknown): Logged => ({ found: 'silent', error: asVoxError(thrown) })
    )
    if (logged.found !== 'missing' || look === LOOKS) return logged
    await sleep(clock, LOOK_PAUSE_MS)
  }
}
