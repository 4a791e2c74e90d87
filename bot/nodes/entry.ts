import type { Clock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import type { ServerRow } from '../wire/registry.ts'
import { isUsable } from './health.ts'
import type { PoolNode } from './node.ts'
import { slotsOf } from './pick-now.ts'
import type { Probed } from './probes.ts'
import { createSlots } from './slots.ts'
import type { Slots } from './slots.ts'

/** A node of the pool with the queue for its slots. */
export interface Entry extends Probed {
  slots: Slots
}

export type Row = Omit<ServerRow, 'lastSeen' | 'assignedCount'> & { ageMs: number }

/** Requests that may wait at one node before it counts as busy. */
const QUEUE_MAX = 256

export function newEntry(row: Row & Pick<PoolNode, 'tag'>, draining: boolean, clock: Pick<Clock, 'now' | 'monotonic'>): Entry {
  const node: PoolNode = {
    ...row,
    seenAtMs: seenAtOf(row, clock),
    health: isListedForUse(row) ? { state: 'joining', sinceMs: clock.monotonic() } : { state: 'gone' },
    stateSinceMs: clock.now(), draining, inFlight: 0, busyUntilMs: 0, latency: undefined, voices: undefined, about: undefined, faults: []
  }
  const slots = createSlots(slotsOf(row), QUEUE_MAX)
  let { state } = node.health
  const healthChanged = () => {
    if (node.health.state !== state) node.stateSinceMs = clock.now()
    state = node.health.state
    // Who waits for a node that rests or has gone is sent elsewhere at once, not one after the other into the same fault.
    if (!isUsable(node.health, 0)) slots.refuseWaiting(new VoxError('NODE_LEFT'))
  }
  return { node, slots, askedMs: -Infinity, heardMs: -Infinity, healthChanged }
}

/** A known node as the newest list has it. At another address it is another start: what was known of the old one is forgotten. */
export function follow({ node, slots, healthChanged }: Entry, row: Row, clock: Pick<Clock, 'now' | 'monotonic'>): void {
  const moved = row.apiUrl !== node.apiUrl
  if (row.concurrency !== node.concurrency) slots.resize(slotsOf(row))
  Object.assign(node, row, { seenAtMs: seenAtOf(row, clock) })
  if (!isListedForUse(row)) {
    node.health = { state: 'gone' }
    healthChanged()
  } else if (moved || node.health.state === 'gone') {
    Object.assign(node, { health: { state: 'joining', sinceMs: clock.monotonic() }, busyUntilMs: 0, latency: undefined, voices: undefined, about: undefined } satisfies Partial<PoolNode>)
    healthChanged()
  }
}

function seenAtOf({ ageMs }: Row, clock: Pick<Clock, 'now'>): number | undefined {
  return Number.isFinite(ageMs) ? clock.now() - ageMs : undefined
}

function isListedForUse({ enabled, apiUrl }: { enabled: boolean; apiUrl: string | null }): boolean {
  return enabled && apiUrl !== null
}
