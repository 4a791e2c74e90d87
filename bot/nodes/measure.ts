import { Gauge } from 'prom-client'
import type { Metrics } from '../core/metrics.ts'
import type { Pool } from './pool.ts'
import { shownState } from './shown-state.ts'

/** Adds what the pool knows of each node to the metrics, read at each scrape: nothing is counted twice. */
export function measurePool({ registry }: Metrics, pool: Pool): void {
  const registers = [registry]
  new Gauge({
    name: 'voxpool_node_state',
    help: '1 for the state that a node is in',
    labelNames: ['node', 'state'],
    registers,
    collect() {
      this.reset()
      for (const node of pool.nodes()) this.set({ node: node.serverId, state: shownState(node) }, 1)
    }
  })
  new Gauge({
    name: 'voxpool_node_in_flight',
    help: 'Requests under way at a node or waiting for a slot there',
    labelNames: ['node'],
    registers,
    collect() {
      this.reset()
      for (const { serverId, inFlight } of pool.nodes()) this.set({ node: serverId }, inFlight)
    }
  })
  new Gauge({
    name: 'voxpool_node_members',
    help: 'Members present at a node, by the registry, and its capacity',
    labelNames: ['node', 'of'],
    registers,
    collect() {
      this.reset()
      for (const { serverId, activeCount, capacity } of pool.nodes()) {
        if (activeCount !== undefined) this.set({ node: serverId, of: 'present' }, activeCount)
        this.set({ node: serverId, of: 'capacity' }, capacity)
      }
    }
  })
}
