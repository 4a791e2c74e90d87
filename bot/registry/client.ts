import Bottleneck from 'bottleneck'
import { BODY_MAX_CHARS } from '../../gas/call.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import { Answer, ListAnswer, PRESENCE_MAX, parseServers } from '../wire/registry.ts'
import type { Presence, ServerRow } from '../wire/registry.ts'
import { createSend } from './send.ts'
import type { Send, SendOptions } from './send.ts'

export interface RegistryList {
  servers: ServerRow[]
  /** Rows that were not as the contract says, or named a node twice. */
  badRows: number
  /** The registry's own clock when it answered: ages are computed against it. */
  nowMs: number
}

/** What the bot asks of a registry. Every call rejects with a `VoxError` of kind `registry`, or `CANCELLED`. */
export interface Registry {
  list(signal?: AbortSignal): Promise<RegistryList>
  /** Tells which device uses which node, and brings the list back in the same call. */
  sync(devices: readonly Presence[], signal?: AbortSignal): Promise<RegistryList>
  setEnabled(serverId: string, enabled: boolean, signal?: AbortSignal): Promise<void>
  /** An empty label gives the node back its own. A registry of an older version refuses with `unknown_action`. */
  rename(serverId: string, label: string, signal?: AbortSignal): Promise<void>
}

/** Apps Script runs 30 calls at once for its owner, whose nodes and other bots need theirs too. */
const CALLS_AT_ONCE = 4

/** A registry behind an address: an Apps Script web app, or another bot. */
export function httpRegistry(options: { url: string; key: string | undefined; clock: Clock; dispatcher?: SendOptions['dispatcher'] }): Registry {
  const { url, clock, dispatcher } = options
  const send = createSend({ url, clock, ...(dispatcher && { dispatcher }) })
  const limiter = new Bottleneck({ maxConcurrent: CALLS_AT_ONCE })
  return registryOver((call, signal) => limiter.schedule(() => send(call, signal)), options.key)
}

/** The calls of contract 1 over whatever carries them. The key goes in the body of writes, and in the query of a list. */
export function registryOver(send: Send, key: string | undefined): Registry {
  const withKey = key === undefined ? {} : { key }

  async function post(action: string, body: object, signal?: AbortSignal): Promise<unknown> {
    const call = { method: 'POST', query: { action }, body: JSON.stringify({ ...body, ...withKey }) } as const
    return accept(action, await send(call, signal))
  }

  return {
    async list(signal) {
      return toList(accept('list', await send({ method: 'GET', query: { action: 'list', ...withKey } }, signal)))
    },
    async sync(devices, signal) {
      const [first = [], ...rest] = inCalls(devices)
      let list = toList(await post('presence', { devices: first }, signal))
      for (const part of rest) list = toList(await post('presence', { devices: part }, signal))
      return list
    },
    async setEnabled(serverId, enabled, signal) {
      await post('setEnabled', { serverId, enabled }, signal)
    },
    async rename(serverId, label, signal) {
      await post('rename', { serverId, label }, signal)
    }
  }
}

/** An answer that says ok, or the refusal as a fault. */
function accept(action: string, value: unknown): unknown {
  const answer = Answer.safeParse(value)
  if (!answer.success) throw new VoxError('REGISTRY_BAD_REPLY', { action, reason: 'not an answer of a registry' })
  if (!answer.data.ok) throw new VoxError('REGISTRY_REFUSED', { action, code: answer.data.error.code })
  return value
}

function toList(value: unknown): RegistryList {
  const answer = ListAnswer.safeParse(value)
  if (!answer.success) throw new VoxError('REGISTRY_BAD_REPLY', { reason: 'no list' })
  const { servers, badRows } = parseServers(answer.data.servers)
  const unique = new Map(servers.toReversed().map((server) => [server.serverId, server]))
  return { servers: [...unique.values()].toReversed(), badRows: badRows + servers.length - unique.size, nowMs: answer.data.now }
}

/** Devices in as few calls as the contract's number and the body's length allow. */
function inCalls(devices: readonly Presence[]): Presence[][] {
  const calls: Presence[][] = []
  let part: Presence[] = []
  let chars = 0
  for (const { deviceId, serverId } of devices) {
    const length = JSON.stringify({ deviceId, serverId }).length + 1
    if (part.length === PRESENCE_MAX || chars + length > BODY_MAX_CHARS - 1000) {
      calls.push(part)
      part = []
      chars = 0
    }
    part.push({ deviceId, serverId })
    chars += length
  }
  return [...calls, part]
}
