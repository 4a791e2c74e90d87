import { canSpeak } from '../../nodes/node.ts'
import type { Pool } from '../../nodes/pool.ts'
import { CAPACITY_MAX, CONCURRENCY_MAX } from '../../wire/fields.ts'
import type { Health } from '../../wire/node.ts'
import own from '../../../package.json' with { type: 'json' }

const bounded = (value: number, max: number) => Math.min(max, Math.max(1, value))

/** The whole pool as one node of contract 2: ready while one of its nodes can speak. What the bounds of the contract can't hold is cut to them. */
export function poolHealth(pool: Pick<Pool, 'nodes' | 'usable'>): Health {
  const able = pool.nodes().filter((node) => canSpeak(node) && pool.usable(node.serverId) !== undefined)
  const sum = (of: (node: (typeof able)[number]) => number) => able.reduce((total, node) => total + of(node), 0)
  const ready = able.length > 0
  const inFlight = sum((node) => Math.min(node.inFlight, node.concurrency))
  return {
    ok: ready,
    serverId: own.name,
    engine: own.name,
    ready,
    capacity: bounded(sum(({ capacity }) => capacity), CAPACITY_MAX),
    concurrency: bounded(sum(({ concurrency }) => concurrency), CONCURRENCY_MAX),
    inFlight,
    queued: sum((node) => node.inFlight) - inFlight,
    version: own.version
  }
}
