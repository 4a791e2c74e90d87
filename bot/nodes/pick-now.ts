import { slowStart } from './health.ts'
import { expectedMs } from './latency.ts'
import { STALE_MS, mayAsk } from './node.ts'
import type { PoolNode } from './node.ts'
import { mayHaveVoice } from './pick.ts'

export interface PickNowOptions {
  exclude?: ReadonlySet<string>
  voice: string
  /** Length of the text. */
  chars: number
  nowMs: number
  random?: () => number
  /** Only nodes with a free slot: for a request that could also wait where it is. */
  freeOnly?: boolean
}

/** What a node costs that has told nothing yet: unknown is not fast. */
const UNKNOWN_MS = 1_000

/**
 * A node for one request that must go elsewhere: of two drawn at random, the one that would answer sooner by what this bot sees right now.
 * The best of all would be everybody's choice at once; two random ones herd nobody.
 */
export function pickNow(nodes: readonly PoolNode[], options: PickNowOptions): PoolNode | undefined {
  const { exclude, voice, nowMs, random = Math.random, freeOnly = false } = options
  const candidates = nodes.filter(
    (node) =>
      !exclude?.has(node.serverId) &&
      mayAsk(node) &&
      node.busyUntilMs <= nowMs &&
      mayHaveVoice(node, voice) &&
      (!freeOnly || hasFreeSlot(node))
  )
  const first = draw(candidates, random)
  const second = draw(candidates.filter((node) => node !== first), random)
  if (first === undefined || second === undefined) return first
  return costOf(second, options) < costOf(first, options) ? second : first
}

/** Milliseconds until it would answer: what is before the request there, times what one takes; more for one that is not quite well. */
export function costOf(node: PoolNode, { chars, nowMs }: Pick<PickNowOptions, 'chars' | 'nowMs'>): number {
  const eachMs = expectedMs(node.latency, chars) ?? UNKNOWN_MS
  const waves = (node.inFlight + 1) / node.concurrency
  const doubt = (node.health.state === 'ready' ? 1 : 4) * (node.ageMs > STALE_MS ? 2 : 1)
  return (eachMs * waves * doubt) / slowStart(node.health, nowMs)
}

/** One request in flight more than it can run, so that the network's round trip costs it nothing; never more. */
export function slotsOf({ concurrency }: { concurrency: number }): number {
  return concurrency + 1
}

export function hasFreeSlot(node: PoolNode): boolean {
  return node.inFlight < slotsOf(node)
}

function draw(nodes: readonly PoolNode[], random: () => number): PoolNode | undefined {
  return nodes[Math.floor(random() * nodes.length)]
}
