import type { Clock } from '../../core/clock.ts'
import { isAllowedAddress } from '../../nodes/address.ts'
import { mayAsk } from '../../nodes/node.ts'
import type { PoolNode } from '../../nodes/node.ts'
import type { Pool } from '../../nodes/pool.ts'
import type { Target } from '../forward/forward.ts'
import { createUpstream } from '../forward/upstream.ts'
import type { Upstream } from '../forward/upstream.ts'
import { covers } from './manifest.ts'
import type { Service } from './manifest.ts'

/** The nodes that answer one service, each with the connections that this service has there. */
export interface Targets {
  /** The node with the least to do of those that serve the path and were not tried; among equals each in its turn. */
  choose(asked: { path: string; query: string }, isUpgrade: boolean, tried: Upstream | undefined): Target | undefined
  /** Whether it still counts: its node is neither gone, disabled, emptied nor elsewhere. */
  isThere(upstream: Upstream): boolean
  /** It has failed there: while others can answer they are asked first, for a moment. */
  failed(upstream: Upstream): void
  /** Requests that wait for a place at one of its nodes. */
  waiting(): number
  /** The pool's list is another: takes those of it that serve a path here, and lets go of nodes that have gone or moved. */
  follow(): void
  destroy(): Promise<void>
}

interface Kept {
  apiUrl: string
  /** Undefined: the bot may not go to this address. */
  upstream: Upstream | undefined
  failedAtMs: number
  /** When it was chosen last, counted by choices. */
  turn: number
}

/** A node that failed is not asked first for this long. */
const SHUNNED_MS = 5_000

export function createTargets(deps: { service: Service; pool: Pick<Pool, 'nodes'>; hosts: readonly string[]; nodeKey?: string | undefined; clock: Clock }): Targets {
  const { service, pool, hosts, nodeKey, clock } = deps
  const own: Record<string, string> = { 'ngrok-skip-browser-warning': '1', ...(nodeKey !== undefined && { authorization: `Bearer ${nodeKey}` }) }
  const isUpstream = (hostname: string) => isAllowedAddress(`https://${hostname}`, hosts)
  const kept = new Map<string, Kept>()
  let nodes: readonly PoolNode[] = []
  let turn = 0

  function keptOf({ serverId }: PoolNode, apiUrl: string): Kept {
    const known = kept.get(serverId)
    if (known?.apiUrl === apiUrl) return known
    void known?.upstream?.close()
    const upstream = isAllowedAddress(apiUrl, hosts) ? createUpstream({ name: serverId, url: apiUrl, limits: service.limits, isUpstream }) : undefined
    const fresh = { apiUrl, upstream, failedAtMs: -Infinity, turn: 0 }
    kept.set(serverId, fresh)
    return fresh
  }

  return {
    choose({ path, query }, isUpgrade, tried) {
      const nowMs = clock.monotonic()
      let best: Kept | undefined
      let bestCost = Infinity
      for (const node of nodes) {
        if (!isThere(node) || node.apiUrl === null || !serves(node, path)) continue
        const each = keptOf(node, node.apiUrl)
        if (each.upstream === undefined || each.upstream === tried) continue
        const { load, hasRoom } = isUpgrade ? each.upstream.webSockets : each.upstream.requests
        // A node that rests has failed at speech; what else it serves may be well all the same.
        const isDoubtful = nowMs - each.failedAtMs < SHUNNED_MS || !mayAsk(node)
        const cost = (hasRoom ? 0 : 1e9) + (isDoubtful ? 1e6 : 0) + load + node.inFlight
        if (best === undefined || cost < bestCost || (cost === bestCost && each.turn < best.turn)) [best, bestCost] = [each, cost]
      }
      if (best !== undefined) best.turn = ++turn
      return best?.upstream && { upstream: best.upstream, path: best.upstream.base + path + query, headers: own }
    },
    isThere(upstream) {
      const node = nodes.find(({ serverId }) => serverId === upstream.name)
      return node !== undefined && isThere(node) && kept.get(upstream.name)?.upstream === upstream
    },
    failed(upstream) {
      const each = kept.get(upstream.name)
      // What fails at an address that the node has left says nothing of the new one.
      if (each?.upstream === upstream) each.failedAtMs = clock.monotonic()
    },
    waiting: () => Array.from(kept.values(), ({ upstream }) => Math.max(0, (upstream?.requests.load ?? 0) - service.limits.concurrency)).reduce((sum, each) => sum + each, 0),
    follow() {
      nodes = pool.nodes().filter(({ paths }) => paths?.some((pattern) => covers(service.path, pattern) || covers(pattern, service.path)))
      const listed = new Map(nodes.map((node) => [node.serverId, node]))
      for (const [serverId, { apiUrl, upstream }] of kept) {
        const node = listed.get(serverId)
        if (node?.apiUrl === apiUrl) {
          if (!isThere(node)) upstream?.requests.dismiss()
          continue
        }
        kept.delete(serverId)
        void upstream?.close()
      }
    },
    async destroy() {
      await Promise.all(Array.from(kept.values(), async ({ upstream }) => upstream?.destroy()))
      kept.clear()
    }
  }
}

const isThere = ({ health, draining }: PoolNode) => health.state !== 'gone' && !draining

function serves({ paths }: PoolNode, path: string): boolean {
  return paths?.some((pattern) => covers(pattern, path)) ?? false
}
