import type { OpusStream } from '../audio/ogg.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { SpeechRequest } from '../wire/node.ts'
import type { ServerRow } from '../wire/registry.ts'
import type { NodeClient } from './client.ts'
import { afterFault, afterProbe, afterSuccess, isUsable, wantsProbe } from './health.ts'
import type { PoolNode } from './node.ts'
import { pickNode } from './pick.ts'
import type { PickOptions } from './pick.ts'
import { createSlots } from './slots.ts'
import type { Slots } from './slots.ts'

export interface Pool {
  /** Every node of the roster, the disabled ones too. */
  nodes(): readonly PoolNode[]
  /** A node that may be asked now, or undefined. */
  usable(serverId: string): PoolNode | undefined
  pick(options?: PickOptions): PoolNode | undefined
  /** Takes the registry's newest list; `ageMs` of a row is by the registry's own clock. */
  update(rows: readonly (ServerRow & { ageMs: number })[]): void
  /** One segment from one node, in its turn there. Throws a `VoxError`; a node fault has been counted against the node by then. */
  speak(node: PoolNode, ask: SpeechRequest, options: SpeakOptions): Promise<OpusStream>
  close(): void
}

export interface SpeakOptions {
  requestId: string
  signal?: AbortSignal
  /** Lower is sooner, 0 to 9: what a member waits for now comes before what is fetched ahead. */
  priority?: number
}

interface Entry {
  node: PoolNode
  slots: Slots
}

const PROBE_INTERVAL_MS = 1_000

/** A node that would not list its voices is asked again after this. */
const VOICES_AGAIN_MS = 30_000

/** The nodes of the roster with what the bot knows of each: health, requests under way, the queue for their slots. */
export function createPool(deps: { client: NodeClient; clock: Clock; log: Log; metrics: Metrics }): Pool {
  const { client, clock, log, metrics } = deps
  const entries = new Map<string, Entry>()
  const probing = new Set<string>()
  const askingVoices = new Set<string>()
  let cancelTick = clock.after(PROBE_INTERVAL_MS, tick)

  function tick() {
    for (const { node } of entries.values()) {
      void probe(node)
      void learnVoices(node)
    }
    cancelTick = clock.after(PROBE_INTERVAL_MS, tick)
  }

  async function probe(node: PoolNode): Promise<void> {
    const { health, serverId, apiUrl } = node
    if (!wantsProbe(health, clock.monotonic()) || apiUrl === null || probing.has(serverId)) return
    probing.add(serverId)
    const answered = await client.health(apiUrl).then(
      ({ ready }) => ready,
      () => false
    )
    probing.delete(serverId)
    // Its address or its state may have changed meanwhile: this answer was about the old one.
    if (node.health === health) node.health = afterProbe(health, answered, clock.monotonic())
  }

  async function learnVoices(node: PoolNode): Promise<void> {
    const { apiUrl, serverId } = node
    if (node.voices !== undefined || apiUrl === null || node.health.state !== 'ready' || askingVoices.has(serverId)) return
    askingVoices.add(serverId)
    try {
      const voices = await client.voices(apiUrl)
      if (node.apiUrl === apiUrl) node.voices = voices
    } catch (error) {
      // Servers that only speak list none: then any voice may be asked of them.
      log.debug({ node: serverId, err: error }, 'no list of voices')
    } finally {
      clock.after(VOICES_AGAIN_MS, () => askingVoices.delete(serverId))
    }
  }

  function fault(node: PoolNode, error: VoxError) {
    const others = [...entries.values()].some((entry) => entry.node !== node && isUsable(entry.node.health, entry.node.inFlight))
    const before = node.health.state
    node.health = afterFault(node.health, error.code, clock.monotonic(), !others)
    node.lastFault = { code: error.code, atMs: clock.now() }
    if (node.health.state !== before) log.warn({ node: node.serverId, code: error.code, ...error.context, health: node.health.state }, 'node fault')
  }

  return {
    nodes: () => [...entries.values()].map(({ node }) => node),
    usable(serverId) {
      const node = entries.get(serverId)?.node
      return node && isUsable(node.health, node.inFlight) ? node : undefined
    },
    pick: (options) => pickNode([...entries.values()].map(({ node }) => node), options),

    update(rows) {
      const listed = new Set(rows.map(({ serverId }) => serverId))
      for (const serverId of entries.keys()) {
        if (!listed.has(serverId)) drop(serverId)
      }
      for (const { lastSeen: _, assignedCount: __, ...row } of rows) {
        const entry = entries.get(row.serverId)
        if (entry === undefined) {
          const node: PoolNode = { ...row, health: { state: isAskable(row) ? 'joining' : 'gone' }, inFlight: 0, voices: undefined, lastFault: null }
          entries.set(row.serverId, { node, slots: createSlots(slotsOf(row), QUEUE_MAX) })
          continue
        }
        const { node } = entry
        const moved = row.apiUrl !== node.apiUrl
        if (slotsOf(row) !== slotsOf(node)) entry.slots.resize(slotsOf(row))
        Object.assign(node, row)
        if (!isAskable(row)) node.health = { state: 'gone' }
        else if (moved || node.health.state === 'gone') {
          node.health = { state: 'joining' }
          // Another start may have other engines.
          node.voices = undefined
        }
      }
    },

    async speak(node, ask, { requestId, signal, priority = 5 }) {
      const { apiUrl, serverId } = node
      const entry = entries.get(serverId)
      if (apiUrl === null || entry?.node !== node) throw new VoxError('NODE_UNREACHABLE', { reason: 'left the roster' })
      const startedMs = clock.monotonic()
      node.inFlight += 1
      try {
        const audio = await entry.slots.run(() => client.speak(apiUrl, ask, { requestId, ...(signal && { signal }) }), { priority, signal })
        // A node that has moved meanwhile answered from its old address.
        if (node.apiUrl === apiUrl && node.health.state !== 'gone') node.health = afterSuccess()
        metrics.nodeRequests.inc({ node: serverId, result: 'ok' })
        metrics.nodeSeconds.observe({ node: serverId }, (clock.monotonic() - startedMs) / 1000)
        return audio
      } catch (thrown) {
        const error = faultOf(thrown, signal)
        metrics.nodeRequests.inc({ node: serverId, result: error.code })
        if (error.kind === 'node' && node.apiUrl === apiUrl) fault(node, error)
        throw error
      } finally {
        node.inFlight -= 1
      }
    },

    close() {
      cancelTick()
      for (const serverId of entries.keys()) drop(serverId)
    }
  }

  function drop(serverId: string) {
    const entry = entries.get(serverId)
    if (entry === undefined) return
    entry.node.health = { state: 'gone' }
    entries.delete(serverId)
  }
}

/** Requests that may wait at one node before it counts as busy. */
const QUEUE_MAX = 256

/** One request in flight more than it can run, so that the network's round trip costs it nothing. */
function slotsOf({ concurrency }: { concurrency: number }): number {
  return concurrency + 1
}

function isAskable({ enabled, apiUrl }: { enabled: boolean; apiUrl: string | null }): boolean {
  return enabled && apiUrl !== null
}

function faultOf(thrown: unknown, signal?: AbortSignal): VoxError {
  if (thrown instanceof VoxError) return thrown
  if (signal?.aborted) return new VoxError('CANCELLED', {}, thrown)
  return asVoxError(thrown)
}
