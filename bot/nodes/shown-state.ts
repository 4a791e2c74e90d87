import { isLastResort } from './health.ts'
import type { NodeHealth } from './health.ts'
import { STALE_MS } from './node.ts'
import type { PoolNode } from './node.ts'

/**
 * What people are told of a node in one word: what was decided of it comes before what the bot knows of its health. Beside the words of `NodeHealth`:
 * - `disabled`: in the registry. `draining`: an admin empties it.
 * - `trial`: it rested, has answered a probe, and gets one request at a time.
 * - `stale`: its last request was good, but its heartbeat is missing; no new member is given to it while others are fresh.
 */
export type ShownState = NodeHealth['state'] | 'disabled' | 'draining' | 'trial' | 'stale'

export function shownState({ enabled, draining, health, ageMs }: Pick<PoolNode, 'enabled' | 'draining' | 'health' | 'ageMs'>): ShownState {
  if (!enabled) return 'disabled'
  if (draining) return 'draining'
  if (health.state === 'resting' && health.answered) return 'trial'
  if (isLastResort(health)) return 'resting'
  return health.state === 'ready' && ageMs > STALE_MS ? 'stale' : health.state
}
