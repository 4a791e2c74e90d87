import { ANY_VOICE } from '../wire/node.ts'
import { isUsable, slowStart } from './health.ts'
import { STALE_MS } from './node.ts'
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
  /** Choose at random among this many least loaded, where other bots use the same registry and read the same old list. */
  among?: number
}

/** Whether a node may have the voice: one that has not told its voices yet may. */
export function mayHaveVoice({ voices }: PoolNode, voice: string): boolean {
  return voice === ANY_VOICE || voices === undefined || voices.some(({ id }) => id === voice)
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
 * their load; full ones stand behind those with room, those of unknown load between; ties are broken at random.
 */
export function pickNode(nodes: readonly PoolNode[], options: PickOptions = {}): PoolNode | undefined {
  const { exclude, voice = ANY_VOICE, random = Math.random, among = 1 } = options
  const usable = nodes.filter((node) => !exclude?.has(node.serverId) && isUsable(node.health, node.inFlight) && mayHaveVoice(node, voice))
  const ranked = usable
    .map((node) => ({ node, trust: trustOf(node), room: roomOf(node, options), load: loadOf(node, options), tie: random() }))
    .sort((a, b) => a.trust - b.trust || a.room - b.room || byNumber(a.load, b.load) || a.tie - b.tie)
  const best = ranked[0]
  if (best === undefined || among <= 1) return best?.node
  const equals = ranked.filter(({ trust, room }) => trust === best.trust && room === best.room).slice(0, among)
  return equals[Math.floor(random() * equals.length)]?.node
}

/** 0: works and beats, or answers again after a rest and is due a trial; 1: new, suspect or stale. */
function trustOf({ health, ageMs }: PoolNode): number {
  if (ageMs > STALE_MS) return 1
  return health.state === 'ready' || health.state === 'resting' ? 0 : 1
}

/** 0: has room; 1: unknown; 2: full. */
function roomOf(node: PoolNode, options: PickOptions): number {
  if (node.activeCount === undefined) return 1
  return loadOf(node, options) < 1 ? 0 : 2
}

/** Infinity minus infinity is no order. */
function byNumber(a: number, b: number): number {
  return a === b ? 0 : a - b
}
