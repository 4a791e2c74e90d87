import { isUsable } from '../../bot/nodes/health.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { hasFreeSlot, pickNow } from '../../bot/nodes/pick-now.ts'
import type { PickNowOptions } from '../../bot/nodes/pick-now.ts'
import { pickNode } from '../../bot/nodes/pick.ts'
import type { PickOptions } from '../../bot/nodes/pick.ts'

/** How a bot answers both questions: which node a member gets, and which one takes a request that its own has no slot for. */
export interface Policy {
  pick(nodes: readonly PoolNode[], options: PickOptions): PoolNode | undefined
  pickNow(nodes: readonly PoolNode[], options: PickNowOptions): PoolNode | undefined
}

export const POLICIES = ['ours', 'list as it is', 'round robin'] as const
export type PolicyName = (typeof POLICIES)[number]

/** @param random 0 <= x < 1: where a bot's turn begins */
export function createPolicy(name: PolicyName, random: () => number): Policy {
  switch (name) {
    case 'ours':
      return { pick: pickNode, pickNow }
    case 'list as it is':
      return { pick: leastByList, pickNow: leastByList }
    case 'round robin': {
      const next = inTurn(random())
      return { pick: next, pickNow: next }
    }
  }
}

type Needs = Pick<PickNowOptions, 'exclude' | 'freeOnly'>

/** What each bot sees for itself counts for all policies: a node that it knows to be dead or full of its own requests is passed over. */
function maySend(node: PoolNode, { exclude, freeOnly = false }: Needs): boolean {
  return exclude?.has(node.serverId) !== true && isUsable(node.health, node.inFlight) && (!freeOnly || hasFreeSlot(node))
}

/** The first of those with the lowest listed load. */
function leastByList(nodes: readonly PoolNode[], needs: Needs): PoolNode | undefined {
  let least: PoolNode | undefined
  let leastLoad = Infinity
  for (const node of nodes) {
    const load = (node.activeCount ?? 0) / node.capacity
    if (load >= leastLoad || !maySend(node, needs)) continue
    least = node
    leastLoad = load
  }
  return least
}

function inTurn(start: number) {
  let turn: number | undefined
  return (nodes: readonly PoolNode[], needs: Needs): PoolNode | undefined => {
    turn ??= Math.floor(start * nodes.length)
    for (let step = 1; step <= nodes.length; step++) {
      const node = nodes[(turn + step) % nodes.length]
      if (node === undefined || !maySend(node, needs)) continue
      turn = (turn + step) % nodes.length
      return node
    }
    return undefined
  }
}
