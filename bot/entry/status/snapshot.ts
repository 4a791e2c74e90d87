import type { ShownState } from '../../nodes/shown-state.ts'

/**
 * All that the status page shows, as everybody may see it: nothing in here names an address, a node's id, a server or a member. Times are
 * milliseconds by the bot's clock, ages are milliseconds.
 */
export interface Snapshot {
  version: string
  now: number
  /** Of this run of the bot. */
  startedAt: number
  /** `ok`: every node that is enabled, and not being emptied, can be asked; `degraded`: some can; `down`: there are nodes, and none can be asked; `empty`: no nodes at all. */
  state: 'ok' | 'degraded' | 'down' | 'empty'
  /** The registry's last good list; null: none has ever come. Stale: it is older than 90 s, or none came for as long since the start. */
  registry: { ageMs: number | null; isStale: boolean }
  /** Servers that are being read to: with a channel that is read, and the bot in their voice channel. */
  reading: number
  /** Servers in whose voice channel the bot is. */
  speaking: number
  /** Segments that wait for a slot at their node, and other services' requests that wait for a place at theirs. */
  waiting: number
  /** Segments at nodes and other services' requests at theirs, whoever asked: those that wait and those that run. */
  inFlight: number
  /** The enabled ones first, then by label. */
  nodes: NodeView[]
  /** What is asked of the entry by others: speech and services, the busiest first, at most `PATHS_MAX`. */
  paths: PathView[]
  /** The last hour in whole steps, the oldest first, at most 120. A time without points is a gap: the bot was off. */
  history: { stepMs: number; points: HistoryPoint[] }
  /** The newest first, at most 100; those of this run. */
  events: EventView[]
}

/** As `/nodes list` has it. */
export type NodeState = ShownState

export interface NodeView {
  /** A tag made of the node's id, which it does not tell. The actions take it. */
  id: string
  /** As its operator calls it. A node without a name is called by its tag. */
  label: string
  /** `#rrggbb` */
  color: string
  engine: string | null
  voices: number | null
  state: NodeState
  /** It can speak now, by what came of asking it. */
  speaks?: true
  stateSince: number
  /** Members present, by the registry; null: it did not say. */
  members: number | null
  capacity: number
  /** Segments that run or wait there. */
  inFlight: number
  concurrency: number
  /** From the request to the last byte, over the last ten minutes. */
  p50Ms: number | null
  p95Ms: number | null
  /** Since its last heartbeat; null: it has said goodbye. */
  ageMs: number | null
  /** It is enabled, and its heartbeat is missing for 90 s, whatever its state is. */
  isStale?: true
  /** The newest first, at most 5. */
  faults: { code: string; at: number }[]
  /** It can't be emptied: no other node could be asked. */
  isAlone?: true
}

export interface PathView {
  name: string
  inFlight: number
  /** Since the start; `failed`: those that were answered with 5xx, or whose answer broke off. */
  requests: number
  failed: number
  /** Of the last minutes; null: there were none. */
  p50Ms: number | null
  p95Ms: number | null
  p99Ms: number | null
  queueP95Ms: number | null
}

/** One step of the history: what the pool did in it, whoever asked. */
export interface HistoryPoint {
  /** When the step began. */
  at: number
  /** Segments asked of nodes, and attempts at other services, by when they ended. */
  requests: number
  /** Those of them that were the node's fault. */
  failed: number
  /** The most that waited at once. */
  waiting: number
  /** Of the good ones: a segment's until its last byte, another service's until its answer began. */
  p95Ms: number | null
}

export type EventKind =
  | 'started'
  | 'node_joined' | 'node_left' | 'node_ready' | 'node_resting' | 'node_stale' | 'node_enabled' | 'node_disabled' | 'node_draining' | 'node_tested'
  | 'registry_lost' | 'registry_back'
  | 'pool_down' | 'pool_back'

export interface EventView {
  /** Counts up within one run of the bot. */
  id: number
  at: number
  kind: EventKind
  node?: { label: string; color: string }
  /** Of the fault that sent a node to rest; of a test, what went wrong: absent when it spoke. */
  code?: string
}

export const PATHS_MAX = 20
