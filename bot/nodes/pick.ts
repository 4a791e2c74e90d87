import { ANY_VOICE } from '../wire/node.ts'
import { slowStart } from './health.ts'
import { STALE_MS, mayAsk } from './node.ts'
import type { PoolNode } from './node.ts'

export interface PickOptions {
  /** Nodes that failed this request already. */
  exclude?: ReadonlySet<string>
  /** The voice that is asked for: nodes that are known to lack it are passed over. */
  voice?: string
  /** Monotonic; for the slow start of nodes that came back. */
  nowMs?: number
  /** Per `serverId`: devices that this bot assigned (+) or released (-) since the registry counted. */
  corrections?: ReadonlyMap<string, number>
  /** 0 <= x < 1. */
  random?: () => number
  /** Other bots use the same registry and read the same old list: draw a node by its room, since the least loaded would be everybody's choice at once. */
  shared?: boolean
}

/** Whether a node may have the voice: one that has not told its voices yet may; one that has none, since it is there for other services, has not any. */
export function mayHaveVoice({ voices }: PoolNode, voice: string): boolean {
  return voices === undefined || voices.some(({ id }) => voice === ANY_VOICE || id === voice)
}

/**
 * Members it holds, of those it should hold now: 0 is empty, 1 is full. Infinite when the registry did not count: unknown is not empty.
 * A node that has just come back should hold less than its capacity.
 */
export function loadOf(node: PoolNode, { corrections, nowMs = 0 }: Pick<PickOptions, 'corrections' | 'nowMs'> = {}): number {
  if (node.activeCount === undefined) return Infinity
  const devices = Math.max(0, node.activeCount + (corrections?.get(node.serverId) ?? 0))
  return devices / (node.capacity * slowStart(node.health, nowMs))
}

/**
 * The least-loaded live node, or undefined when none can be asked. Fresh nodes that work come before suspect and stale ones, whatever
 * their load; full ones stand behind those with room, those of unknown load between; ties are broken at random. One pass: a pool has up to
 * a thousand nodes, and many members may come at once.
 */
export function pickNode(nodes: readonly PoolNode[], options: PickOptions = {}): PoolNode | undefined {
  const { exclude, voice = ANY_VOICE, random = Math.random, shared = false } = options
  let best: PoolNode | undefined
  let bestRank = Infinity
  let bestLoad = Infinity
  let drawnOf = 0
  for (const node of nodes) {
    if (exclude?.has(node.serverId) || !mayAsk(node) || !mayHaveVoice(node, voice)) continue
    const load = loadOf(node, options)
    const room = roomOf(node, load)
    const rank = trustOf(node) * 3 + room
    const byRoom = shared && room === 0
    if (rank > bestRank || (rank === bestRank && !byRoom && load > bestLoad)) continue
    if (rank < bestRank || (!byRoom && load < bestLoad)) drawnOf = 0
    const weight = byRoom ? node.capacity * (1 - load) ** 2 : 1
    drawnOf += weight
    bestRank = rank
    bestLoad = load
    if (random() * drawnOf < weight) best = node
  }
  return best
}

/** 0: works and beats, or answers again after a rest and is due a trial; 1: new, suspect or stale. */
function trustOf({ health, ageMs }: PoolNode): number {
  if (ageMs > STALE_MS) return 1
  return health.state === 'ready' || health.state === 'resting' ? 0 : 1
}

/** 0: has room; 1: unknown; 2: full. */
function roomOf({ activeCount }: PoolNode, load: number): number {
  if (activeCount === undefined) return 1
  return load < 1 ? 0 : 2
}
