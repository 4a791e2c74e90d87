import { randomBytes } from 'node:crypto'
import type { OpusStream } from '../audio/ogg.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { SpeechRequest } from '../wire/node.ts'
import type { ServerRow } from '../wire/registry.ts'
import type { NodeClient } from './client.ts'
import { follow, newEntry } from './entry.ts'
import type { Entry, Row } from './entry.ts'
import { afterFault, afterSuccess, isProven, isUsable } from './health.ts'
import { expectedMs, firstByteLimitMs, observe } from './latency.ts'
import { FAULTS_KEPT, mayAsk } from './node.ts'
import type { PoolNode } from './node.ts'
import { pickNow } from './pick-now.ts'
import type { PickNowOptions } from './pick-now.ts'
import { mayHaveVoice, pickNode } from './pick.ts'
import type { PickOptions } from './pick.ts'
import { startProbes } from './probes.ts'
import { tagsBy } from './tag.ts'
import type { TagOf } from './tag.ts'

export interface Pool {
  /** Every node of the roster, the disabled ones too. */
  nodes(): readonly PoolNode[]
  /** A node that may be asked now, or undefined. */
  usable(serverId: string): PoolNode | undefined
  /** For a member: the least-loaded live node. */
  pick(options?: PickOptions): PoolNode | undefined
  /** For one request: the better of two. */
  pickNow(options: Omit<PickNowOptions, 'nowMs'>): PoolNode | undefined
  /** When all are bad: the resting node that is nearest to its end, admitted to one trial before its time. */
  leastBad(exclude: ReadonlySet<string>, voice: string): PoolNode | undefined
  /** Takes the registry's newest list; `ageMs` of a row is by the registry's own clock. */
  update(rows: readonly (ServerRow & { ageMs: number })[]): void
  /** Whether a node is being emptied. That ends with the list that says that it is disabled: then the operator's word alone counts. */
  setDraining(serverId: string, draining: boolean): void
  /** One segment from one node, in its turn there. Throws a `VoxError`; a node fault has been counted against the node by then. */
  speak(node: PoolNode, ask: SpeechRequest, options: SpeakOptions): Promise<OpusStream>
  close(): void
}

export interface SpeakOptions {
  requestId: string
  signal?: AbortSignal
  /** Lower is sooner, 0 to 9: what a member waits for now comes before what is fetched ahead. */
  priority?: () => number
  /** Its turn has come, after it has waited for so long: the request goes out now. */
  onStart?: (queueMs: number) => void
}

/** Told of each request, and how it ended: how long it waited for its turn, and how long the node took, where it was asked. */
export type AskMeasure = (serverId: string) => (ended: { queueMs: number; upstreamMs?: number; failure?: string }) => void

/** The nodes of the roster with what the bot knows of each: health, latency, requests under way, the queue for their slots. */
export function createPool(deps: { client: NodeClient; clock: Clock; log: Log; metrics: Metrics; measure?: AskMeasure; tagOf?: TagOf; random?: () => number }): Pool {
  const { client, clock, log, metrics, measure = () => () => {}, tagOf = tagsBy(randomBytes(32)), random = Math.random } = deps
  const entries = new Map<string, Entry>()
  const draining = new Set<string>()
  const nodes = () => Array.from(entries.values(), ({ node }) => node)
  /** A node that has spoken is not given up for ones that never have, and none is while there is no other at all. */
  const isLastUsable = (node: PoolNode) => {
    const others = nodes().filter((other) => other !== node && mayAsk(other))
    return others.length === 0 || (isProven(node.health) && !others.some(({ health }) => isProven(health)))
  }
  const probes = startProbes({ client, clock, log, entries: () => entries.values(), isLastUsable })

  /** What a failed request says of its node. */
  function fault(entry: Entry, error: VoxError, tookMs: number, chars: number) {
    const { node } = entry
    const nowMs = clock.monotonic()
    if (error.kind !== 'node') return
    const before = node.health
    node.health = afterFault(before, error.code, nowMs, isLastUsable(node))
    node.faults = [{ code: error.code, atMs: clock.now() }, ...node.faults].slice(0, FAULTS_KEPT)
    if (error.code === 'NODE_SILENT' || error.code === 'NODE_LATE') {
      node.latency = observe(node.latency, tookMs, chars, nowMs)
      probes.explainSilence(entry, before)
    }
    entry.healthChanged()
    if (node.health.state !== before.state) log.warn({ node: node.serverId, code: error.code, ...error.context, health: node.health.state }, 'node fault')
  }

  function setDraining(serverId: string, isDraining: boolean) {
    if (isDraining) draining.add(serverId)
    else draining.delete(serverId)
    const node = entries.get(serverId)?.node
    if (node !== undefined) node.draining = isDraining
  }

  function drop(serverId: string) {
    const entry = entries.get(serverId)
    entries.delete(serverId)
    if (entry === undefined) return
    entry.node.health = { state: 'gone' }
    entry.healthChanged()
  }

  function take(row: Row) {
    const entry = entries.get(row.serverId)
    if (entry === undefined) entries.set(row.serverId, newEntry({ ...row, tag: tagOf(row.serverId) }, draining.has(row.serverId), clock))
    else follow(entry, row, clock)
  }

  return {
    nodes,
    usable(serverId) {
      const node = entries.get(serverId)?.node
      return node && mayAsk(node) ? node : undefined
    },
    pick: (options) => pickNode(nodes(), { nowMs: clock.monotonic(), random, ...options }),
    pickNow: (options) => pickNow(nodes(), { nowMs: clock.monotonic(), random, ...options }),

    leastBad(exclude, voice) {
      const untilMs = ({ health }: PoolNode) => (health.state === 'resting' ? health.untilMs : Infinity)
      const [node] = nodes()
        .filter((each) => each.health.state === 'resting' && each.inFlight === 0 && !each.draining && !exclude.has(each.serverId) && mayHaveVoice(each, voice))
        .sort((a, b) => untilMs(a) - untilMs(b))
      if (node?.health.state === 'resting') node.health = { ...node.health, answered: true }
      return node
    },

    update(rows) {
      const listed = new Set(rows.map(({ serverId }) => serverId))
      for (const serverId of entries.keys()) if (!listed.has(serverId)) drop(serverId)
      for (const { lastSeen: _, assignedCount: __, ...row } of rows) {
        if (!row.enabled) setDraining(row.serverId, false)
        take(row)
      }
      probes.look()
    },

    setDraining,

    async speak(node, ask, { requestId, signal, priority = () => 5, onStart }) {
      const { serverId } = node
      const entry = entries.get(serverId)
      if (entry?.node !== node) throw new VoxError('NODE_LEFT')
      const chars = ask.input.length
      const ended = measure(serverId)
      const askedMs = clock.monotonic()
      let startedMs: number | undefined
      let failure: string | undefined
      let { apiUrl } = node
      const work = async () => {
        // It may have moved, or gone, while this waited for its turn.
        apiUrl = node.apiUrl
        if (apiUrl === null || !isUsable(node.health, 0)) throw new VoxError('NODE_LEFT')
        const nowMs = (startedMs = entry.askedMs = clock.monotonic())
        onStart?.(nowMs - askedMs)
        const firstByteMs = firstByteLimitMs(expectedMs(node.latency, chars), (node.inFlight - 1) / node.concurrency)
        try {
          return await client.speak(apiUrl, ask, { requestId, firstByteMs, ...(signal && { signal }) })
        } catch (thrown) {
          // Before the slot is free: the next in line must not be let into the same fault.
          const error = asVoxError(thrown)
          if (node.apiUrl === apiUrl) fault(entry, error, clock.monotonic() - nowMs, chars)
          throw error
        }
      }
      node.inFlight += 1
      try {
        const audio = await entry.slots.run(work, { priority, signal })
        const tookMs = clock.monotonic() - (startedMs ?? askedMs)
        // A node that has moved meanwhile answered from its old address.
        if (node.apiUrl === apiUrl) {
          node.health = afterSuccess(node.health, clock.monotonic())
          entry.healthChanged()
          node.latency = observe(node.latency, tookMs, chars, clock.monotonic())
        }
        metrics.nodeRequests.inc({ node: serverId, result: 'ok' })
        metrics.nodeSeconds.observe({ node: serverId }, tookMs / 1000)
        log.info({ request: requestId, node: serverId, ms: Math.round(tookMs), audioMs: Math.round(audio.durationMs) }, 'spoken')
        return audio
      } catch (thrown) {
        const error = asVoxError(thrown)
        failure = error.code
        // What never went out was no request.
        if (error.code !== 'NODE_LEFT') metrics.nodeRequests.inc({ node: serverId, result: error.code })
        if (error.code === 'NODE_BUSY') node.busyUntilMs = Math.max(node.busyUntilMs, clock.monotonic() + Number(error.context['retryAfterMs'] ?? 1000))
        throw error
      } finally {
        const nowMs = (entry.heardMs = clock.monotonic())
        node.inFlight -= 1
        ended({ queueMs: (startedMs ?? nowMs) - askedMs, ...(startedMs !== undefined && { upstreamMs: nowMs - startedMs }), ...(failure !== undefined && { failure }) })
      }
    },

    close() {
      probes.stop()
      for (const serverId of entries.keys()) drop(serverId)
    }
  }
}
