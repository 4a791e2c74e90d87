import type { Voice } from '../wire/node.ts'
import type { ServerRow } from '../wire/registry.ts'
import { isLastResort, isProven, isUsable } from './health.ts'
import type { NodeHealth } from './health.ts'
import type { Latency } from './latency.ts'

/** One speech server of the pool: what the roster says of it, and what the bot knows from asking it. */
export interface PoolNode extends Omit<ServerRow, 'lastSeen' | 'assignedCount'> {
  /** Stands for its id where that may not stand itself. */
  tag: string
  /** Milliseconds from its last heartbeat to the list that it is of, by the registry's clock; infinite: it has said goodbye. */
  ageMs: number
  /** When that heartbeat was, by this bot's clock; undefined: it has said goodbye. */
  seenAtMs: number | undefined
  health: NodeHealth
  /** When it came into the state that it is in, by this bot's clock. */
  stateSinceMs: number
  /** An admin empties it: what is under way there ends there, and nothing new begins. */
  draining: boolean
  /** Requests that are under way or wait for a slot there. */
  inFlight: number
  /** It said 429: nothing is sent there before this, by the monotonic clock. */
  busyUntilMs: number
  latency: Latency | undefined
  /** What it can speak with, once it has told; undefined is unknown, not none. */
  voices: readonly Voice[] | undefined
  /** What it told of itself; undefined before that, and of a server without our `/health`. */
  about: About | undefined
  /** The newest first, `FAULTS_KEPT` at most. */
  faults: readonly { code: string; atMs: number }[]
}

export interface About {
  engine: string
  version: string
}

export const FAULTS_KEPT = 5

/** A node that stopped beating this long ago is not chosen for a member while others are fresh; it may still answer who is there. */
export const STALE_MS = 90_000

/** Whether a node other than this one could be asked: only then may it be emptied. */
export function isOtherLeft(nodes: readonly PoolNode[], serverId: string): boolean {
  return nodes.some((node) => node.serverId !== serverId && !node.draining && isUsable(node.health, 0))
}

/** Whether it can speak now, by what came of asking it: one that was not heard yet can't be said to, nor one that is asked for want of another, or has no voice at all. */
export function canSpeak({ health, draining, voices }: PoolNode): boolean {
  return !draining && isProven(health) && !isLastResort(health) && voices?.length !== 0
}

/** Whether a request may begin there now. */
export function mayAsk({ health, inFlight, draining }: PoolNode): boolean {
  return !draining && isUsable(health, inFlight)
}
