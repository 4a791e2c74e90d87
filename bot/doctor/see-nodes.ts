import Bottleneck from 'bottleneck'
import { sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { asVoxError } from '../core/errors.ts'
import type { VoxError } from '../core/errors.ts'
import { silentLog } from '../core/log.ts'
import { createNodeClient } from '../nodes/client.ts'
import type { NodeClient } from '../nodes/client.ts'
import { testNode } from '../nodes/test-node.ts'
import type { NodeTest } from '../nodes/test-node.ts'
import type { ServerRow } from '../wire/registry.ts'

/** How far the way to a node was gone, and what was met there. */
export type NodeLook =
  | { at: 'disabled' }
  /** Its row is kept, though it said goodbye. */
  | { at: 'left' }
  | { at: 'noAddress' }
  /** The time for all nodes was over before. */
  | { at: 'noTime' }
  | { at: 'health'; error: VoxError }
  | { at: 'notReady' }
  | { at: 'spoke'; test: NodeTest }

export interface NodeSeen {
  row: ServerRow
  /** Since the registry last heard from it, by the registry's clock. */
  ageMs: number
  look: NodeLook
}

const AT_ONCE = 8
const TOTAL_LIMIT_MS = 30_000
const SPEAK_LIMITS = { firstByteMs: 10_000, silenceMs: 1_500, bodyMs: 2_500 }

/** Goes the way to each node that is enabled, up to a marker text that is looked for in the node's own log. Takes 30 s at most. Never rejects. */
export async function seeNodes(rows: readonly ServerRow[], registryNowMs: number, config: Config, clock: Clock): Promise<NodeSeen[]> {
  const { NODE_KEY, NODE_HOSTS } = config
  const client = createNodeClient({ clock, nodeKey: NODE_KEY, hosts: NODE_HOSTS, speakLimits: SPEAK_LIMITS })
  const limiter = new Bottleneck({ maxConcurrent: AT_ONCE })
  const ended = new AbortController()
  const isOver = sleep(clock, TOTAL_LIMIT_MS, ended.signal).then((): NodeLook => ({ at: 'noTime' }))
  const seen = rows.map(async (row): Promise<NodeSeen> => {
    const ageMs = Math.max(0, registryNowMs - row.lastSeen)
    const look = withoutAsking(row) ?? (await Promise.race([limiter.schedule(() => goTo(row, client, clock)), isOver]))
    return { row, ageMs, look }
  })
  try {
    return await Promise.all(seen)
  } finally {
    ended.abort()
    await client.close()
  }
}

function withoutAsking({ apiUrl, enabled, lastSeen }: ServerRow): NodeLook | undefined {
  if (!enabled) return { at: 'disabled' }
  if (lastSeen === 0) return { at: 'left' }
  return apiUrl === null ? { at: 'noAddress' } : undefined
}

async function goTo({ serverId, apiUrl }: ServerRow, client: NodeClient, clock: Clock): Promise<NodeLook> {
  if (apiUrl === null) return { at: 'noAddress' }
  try {
    const { ready } = await client.health(apiUrl)
    if (!ready) return { at: 'notReady' }
  } catch (error) {
    const fault = asVoxError(error)
    return fault.context['status'] === 503 ? { at: 'notReady' } : { at: 'health', error: fault }
  }
  return { at: 'spoke', test: await testNode({ client, clock, log: silentLog }, { serverId, apiUrl }) }
}
