import type { Pool } from '../../bot/nodes/pool.ts'
import { startFaultNode } from '../../sandbox/fault-node.ts'
import type { Fault, FaultNode } from '../../sandbox/fault-node.ts'
import { row } from '../bot-parts.ts'
import { seededRandom } from '../random.ts'

/** What goes wrong, and how long it lasts, in milliseconds. */
const TROUBLES: readonly (readonly [Fault | 'death', number, number])[] = [
  ['death', 300, 2_500], ['death', 300, 2_500], ['hang', 500, 3_000], ['drip', 500, 2_000], ['truncate', 200, 1_000], ['garbage', 200, 1_000],
  ['html', 200, 1_500], ['busy', 200, 1_500], ['tunnelGone', 300, 2_000], ['reset', 200, 1_000], ['wrongRequestId', 200, 800], ['unready', 300, 1_500]
]

const EVERY_MS = 60
const LIST_EVERY_MS = 250
const NODE_MS = 15

/** Nodes that fail in every way, and a registry whose list comes late or not at all. At every moment one node at least is well, and listed so. */
export async function startChaos(options: { pool: Pool; nodes: number; seed: number }) {
  const { pool, seed } = options
  const random = seededRandom(seed)
  const between = (low: number, high: number) => low + random() * (high - low)
  const nodes: FaultNode[] = []
  for (let index = 0; index < options.nodes; index++) nodes.push(await startFaultNode({ serverId: `n${index}`, latencyMs: NODE_MS }))
  const counts: Record<string, number> = {}
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1)
  const timers = new Set<NodeJS.Timeout>()
  const later = (ms: number, task: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      task()
    }, ms)
    timers.add(timer)
  }
  const troubled = new Set<FaultNode>()
  const listed = () => nodes.map(({ serverId, url }) => row(serverId, url))
  let known = listed()
  let outageUntilMs = 0

  /** What the roster has of a node is where it is: else it is well and nobody can know. */
  const isWell = (node: FaultNode) => !troubled.has(node) && known.some(({ apiUrl }) => apiUrl === node.url)

  function list() {
    if (performance.now() >= outageUntilMs) {
      known = listed()
      pool.update(known)
    }
    later(LIST_EVERY_MS, list)
  }

  function trouble() {
    const node = nodes[Math.floor(random() * nodes.length)]
    const others = nodes.filter((other) => other !== node && isWell(other))
    if (node !== undefined && !troubled.has(node) && others.length > 0) befall(node)
    if (random() < 0.004) {
      count('registry outages')
      outageUntilMs = performance.now() + between(1_000, 4_000)
    }
    if (random() < 0.004) {
      // A bot whose roster starts again from its disk has the list of a while ago.
      count('roster restarts')
      pool.update(known)
    }
    later(between(EVERY_MS / 2, EVERY_MS * 1.5), trouble)
  }

  function befall(node: FaultNode) {
    const [what, shortMs, longMs] = TROUBLES[Math.floor(random() * TROUBLES.length)] ?? TROUBLES[0] ?? (['hang', 1, 1] as const)
    count(what)
    troubled.add(node)
    const lastsMs = between(shortMs, longMs)
    if (what === 'death') {
      void node.kill().then(() => {
        later(lastsMs, () => void node.revive().then(() => troubled.delete(node)))
      })
      return
    }
    node.fault = what
    later(lastsMs, () => {
      node.fault = 'none'
      troubled.delete(node)
    })
  }

  pool.update(known)
  list()
  trouble()
  return {
    counts,
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      for (const node of nodes) await node.close()
    }
  }
}
