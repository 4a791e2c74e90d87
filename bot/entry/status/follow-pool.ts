import type { Clock } from '../../core/clock.ts'
import type { PoolNode } from '../../nodes/node.ts'
import { changesSince } from './changes.ts'
import type { Seen } from './changes.ts'
import type { EventLog } from './event-log.ts'
import { isRegistryStale } from './pool-state.ts'

/** Twice a second: nothing that lasts a second is missed. */
const LOOK_MS = 500

export interface Follower {
  /** Looks now; what is new is in the event log then. */
  look(): void
  /** Since when a node is in the state that is shown of it. */
  sinceOf(node: PoolNode): number
  stop(): void
}

/** Writes down what happens in the pool by comparing what it is with what it was. */
export function followPool(deps: { nodes: () => readonly PoolNode[]; listAgeMs: () => number; events: EventLog; clock: Clock }): Follower {
  const { nodes, listAgeMs, events, clock } = deps
  const startedMs = clock.monotonic()
  let seen: Seen | undefined
  let cancel = () => {}

  function look() {
    const isStale = isRegistryStale(listAgeMs(), clock.monotonic() - startedMs)
    const { seen: now, changes } = changesSince(seen, { nodes: nodes(), nowMs: clock.now(), isRegistryStale: isStale })
    seen = now
    for (const change of changes) events.add(change)
  }

  function tick() {
    look()
    cancel = clock.after(LOOK_MS, tick)
  }

  tick()
  return {
    look,
    sinceOf: ({ serverId, stateSinceMs }) => seen?.nodes.get(serverId)?.shownSinceMs ?? stateSinceMs,
    stop: () => cancel()
  }
}
