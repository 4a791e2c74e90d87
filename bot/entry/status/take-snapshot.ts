import type { Reading } from '../../guilds/readings.ts'
import type { Figures as NodeFigures } from '../../nodes/figures.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { slotsOf } from '../../nodes/pick-now.ts'
import type { Quantiles } from '../durations.ts'
import type { Figures } from '../measure.ts'
import { STEP_MS } from './history.ts'
import { nodeViewsOf } from './node-view.ts'
import { isRegistryStale, poolStateOf } from './pool-state.ts'
import { PATHS_MAX } from './snapshot.ts'
import type { EventView, HistoryPoint, PathView, Snapshot } from './snapshot.ts'

/** What the bot knows, much of which is nobody's business. */
export interface SnapshotSource {
  version: string
  nowMs: number
  startedAtMs: number
  uptimeMs: number
  nodes: readonly PoolNode[]
  /** Of the registry's last good list; infinite: none has ever come. */
  listAgeMs: number
  sinceOf: (node: PoolNode) => number
  figuresOf: (serverId: string) => NodeFigures
  readings: readonly Reading[]
  /** In which channel the bot is, by server. */
  sessions: ReadonlyMap<string, string>
  paths: readonly Figures[]
  /** Paths that others ask: speech and services. The rest is the bot's own. */
  isShown: (path: string) => boolean
  /** Requests of other services. */
  services: { inFlight: number; waiting: number }
  points: readonly HistoryPoint[]
  events: readonly EventView[]
}

/** What everybody may know of it. */
export function takeSnapshot(source: SnapshotSource): Snapshot {
  const { version, nowMs, startedAtMs, uptimeMs, nodes, listAgeMs, readings, sessions, paths, isShown, services, points, events } = source
  const heard = readings.filter(({ guildId, voiceChannelId }) => sessions.get(guildId) === voiceChannelId)
  return {
    version,
    now: nowMs,
    startedAt: startedAtMs,
    state: poolStateOf(nodes),
    registry: { ageMs: Number.isFinite(listAgeMs) ? Math.round(listAgeMs) : null, isStale: isRegistryStale(listAgeMs, uptimeMs) },
    reading: new Set(heard.map(({ guildId }) => guildId)).size,
    speaking: sessions.size,
    waiting: waitingAt(nodes) + services.waiting,
    inFlight: nodes.reduce((sum, { inFlight }) => sum + inFlight, services.inFlight),
    nodes: nodeViewsOf(nodes, source),
    paths: paths.filter(({ name }) => isShown(name)).map(pathViewOf).sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1)).slice(0, PATHS_MAX),
    history: { stepMs: STEP_MS, points: [...points] },
    events: [...events]
  }
}

/** Segments that wait for a slot at their node. */
export function waitingAt(nodes: readonly PoolNode[]): number {
  return nodes.reduce((sum, node) => sum + Math.max(0, node.inFlight - slotsOf(node)), 0)
}

function pathViewOf({ name, inFlight, requests, ...times }: Figures): PathView {
  const [took, queued] = [times.took(), times.queued()]
  const ms = (value: number, { count }: Quantiles) => (count === 0 ? null : Math.round(value * 10) / 10)
  return {
    name,
    inFlight,
    requests: Object.values(requests).reduce((sum, times) => sum + times, 0),
    failed: (requests['5xx'] ?? 0) + (requests['cut'] ?? 0),
    p50Ms: ms(took.p50Ms, took),
    p95Ms: ms(took.p95Ms, took),
    p99Ms: ms(took.p99Ms, took),
    queueP95Ms: ms(queued.p95Ms, queued)
  }
}
