import { request } from 'undici'
import { limited } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import { addressOf } from '../entry/listen.ts'
import { registryOver } from '../registry/client.ts'
import type { RegistryList } from '../registry/client.ts'
import { createSend } from '../registry/send.ts'
import type { Send } from '../registry/send.ts'
import { ErrorAnswer, ListAnswer } from '../wire/registry.ts'
import type { Usage } from '../wire/registry.ts'
import { isUntaken } from './no-answer.ts'

export interface ListSeen extends RegistryList {
  /** What the registry would have its operator know. */
  warning: string | undefined
  /** What it has used of Google's quotas, where it tells. */
  usage: Usage | undefined
  /** How long the call took, and this machine's clock in its middle. */
  tookMs: number
  atMs: number
  /** What it answers to an action that no registry has: it names those that it knows. `undefined`: no such answer came. */
  actionsSaid: string | undefined
}

export type RegistrySeen =
  /** The embedded one, at whose address nobody listens. */
  | { state: 'notRunning'; host: string; embedded: true }
  | { state: 'fault'; host: string; embedded: boolean; error: VoxError }
  | { state: 'listed'; host: string; embedded: boolean; list: ListSeen }

/** Google takes 4 to 7 s over a call, and more over a cold one. */
const LIMIT_MS = 12_000
const ALIVE_LIMIT_MS = 5_000

/**
 * Reads the list, with the bot's own client. Changes nothing; Apps Script notes an action that it does not know, once a minute at most. Takes 17 s at
 * most. Never rejects.
 */
export async function seeRegistry(config: Config, clock: Clock): Promise<RegistrySeen> {
  const { GAS_URL, REGISTRY_KEY: key } = config
  const embedded = GAS_URL === undefined
  const url = GAS_URL ?? `${entryOf(config)}/registry`
  const { host } = new URL(url)
  if (embedded && (config.HTTP_PORT === 0 || !(await isListened(entryOf(config), clock)))) return { state: 'notRunning', host, embedded }
  const send = createSend({ url, clock })
  const { signal, release } = limited(clock, LIMIT_MS, () => new VoxError('REGISTRY_SILENT', { host, limitMs: LIMIT_MS }))
  try {
    const [list, actionsSaid] = await Promise.all([timedList(send, key, clock, signal), actionsOf(send, signal)])
    return { state: 'listed', host, embedded, list: { ...list, actionsSaid } }
  } catch (error) {
    return { state: 'fault', host, embedded, error: asVoxError(error) }
  } finally {
    release()
  }
}

/** Where the bot's own HTTP is reached from this machine. */
const entryOf = ({ HTTP_HOST, HTTP_PORT }: Config) => addressOf(HTTP_HOST, HTTP_PORT)

/** Whether anything takes a connection there, be it the bot or not. */
async function isListened(origin: string, clock: Clock): Promise<boolean> {
  const { signal, release } = limited(clock, ALIVE_LIMIT_MS, () => new VoxError('REGISTRY_SILENT'))
  try {
    const { body } = await request(`${origin}/health`, { signal })
    await body.dump()
    return true
  } catch (error) {
    return !isUntaken(error)
  } finally {
    release()
  }
}

async function timedList(send: Send, key: string | undefined, clock: Clock, signal: AbortSignal): Promise<Omit<ListSeen, 'actionsSaid'>> {
  let told: ListAnswer | undefined
  const tapped: Send = async (call, within) => {
    const answer = await send(call, within)
    told = ListAnswer.safeParse(answer).data
    return answer
  }
  const startedMs = clock.monotonic()
  const list = await registryOver(tapped, key).list(signal)
  const tookMs = clock.monotonic() - startedMs
  return { ...list, warning: told?.warning, usage: told?.usage, tookMs, atMs: clock.now() - tookMs / 2 }
}

async function actionsOf(send: Send, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = ErrorAnswer.safeParse(await send({ method: 'GET', query: { action: 'doctor' } }, signal))
    return answer.data?.error.code === 'unknown_action' ? answer.data.error.message : undefined
  } catch {
    return undefined
  }
}
