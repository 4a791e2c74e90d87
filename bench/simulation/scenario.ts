import { createSpeechNode } from './speech-node.ts'
import type { Kind, SpeechNode } from './speech-node.ts'
import type { Timeline } from './timeline.ts'

export interface Scenario {
  nodes: number
  /** Members who are there at once. */
  members: number
  bots: number
  /** Of them, those who are there and well spread at the beginning; the others come in the course of it. */
  settledShare: number
  lastsMs: number
  seed: number
}

/** Capacity goes with speed, so that a node's load is its share of the work too. */
const KINDS: readonly (Kind & { parts: number })[] = [
  { parts: 1, concurrency: 1, serviceMs: 600 },
  { parts: 2, concurrency: 1, serviceMs: 300 },
  { parts: 4, concurrency: 2, serviceMs: 300 }
]

/** Of all capacity, what the members who are there need; those who left within 5 min count as well. */
const FILL = 0.6

/** Of a full node's time, what its members' speech takes. */
const BUSY_WHEN_FULL = 0.75

/** The nodes of a scenario, a third of each kind. */
export function createSpeechNodes(scenario: Size, timeline: Timeline, random: () => number): SpeechNode[] {
  return kindsOf(scenario).map((kind, index) => createSpeechNode(`n${index}`, capacityOf(kind, scenario), kind, timeline, random))
}

type Size = Pick<Scenario, 'nodes' | 'members'>

function kindsOf({ nodes }: Size) {
  return Array.from({ length: Math.ceil(nodes / KINDS.length) }, () => KINDS).flat().slice(0, nodes)
}

function capacityOf({ parts }: { parts: number }, size: Size): number {
  return Math.max(1, Math.round((parts * size.members) / FILL / kindsOf(size).reduce((sum, kind) => sum + kind.parts, 0)))
}

/** What one member is on the smallest node, over the mean load: no choice can be more even than that. */
export function grainOf(size: Size): number {
  return 1 / capacityOf({ parts: 1 }, size) / FILL
}

/** How often one member says something, on average: what keeps full nodes as busy as they should be. */
export function speaksEveryMs(nodes: readonly SpeechNode[]): number {
  const capacity = nodes.reduce((sum, node) => sum + node.capacity, 0)
  const perMs = nodes.reduce((sum, { concurrency, serviceMs }) => sum + concurrency / serviceMs, 0)
  return capacity / perMs / BUSY_WHEN_FULL
}

/** The nodes of so many members, one after the other, spread as evenly as capacities allow: what a pool that has long been well looks like. */
export function settledNodes(nodes: readonly SpeechNode[], count: number): string[] {
  return nodes
    .flatMap(({ serverId, capacity }) => Array.from({ length: capacity }, (_, held) => ({ serverId, load: (held + 1) / capacity })))
    .sort((a, b) => a.load - b.load)
    .slice(0, count)
    .map(({ serverId }) => serverId)
}
