import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from '../../../sandbox/fault-node.ts'
import type { Fault, FaultNode } from '../../../sandbox/fault-node.ts'
import { manualClock } from '../../core/manual-clock.ts'
import { createNodeClient } from '../../nodes/client.ts'
import type { NodeClient } from '../../nodes/client.ts'
import { createMeasures } from '../measure.ts'
import type { PoolEnded } from './history.ts'
import { recordSegments, recordServices } from './record.ts'

const clock = manualClock()
let node: FaultNode
let client: NodeClient
let ended: PoolEnded[]
const history = { ended: (how: PoolEnded) => void ended.push(how) }

beforeEach(async () => {
  ended = []
  node = await startFaultNode({ serverId: 'a' })
  client = createNodeClient({ clock, hosts: ['127.0.0.1'] })
})

afterEach(async () => {
  await client.close()
  await node.close()
})

describe('what is recorded of the pool', () => {
  it('is each segment: how long a good one took, and whether the node was at fault for a bad one', async () => {
    const recorded = recordSegments(client, history, clock)
    const speak = async (fault: Fault, signal?: AbortSignal) => {
      node.fault = fault
      const spoken = recorded.speak(node.url, { model: 'voxpool', input: 'Hello.', voice: 'auto', response_format: 'opus', speed: 1 }, { requestId: 'r1', ...(signal && { signal }) })
      return spoken.then(() => 'spoken', (error: unknown) => (error as { code: string }).code)
    }
    expect([await speak('none'), await speak('error'), await speak('reset'), await speak('busy'), await speak('refuseText'), await speak('none', AbortSignal.abort())]).toEqual([
      'spoken', 'NODE_STATUS', 'NODE_RESET', 'NODE_BUSY', 'TEXT_REFUSED', 'CANCELLED'
    ])
    expect(ended).toEqual([{ tookMs: 0 }, { isNodesFault: true }, { isNodesFault: true }, { isNodesFault: false }, { isNodesFault: false }, { isNodesFault: false }])
  })

  it('is each request of another service, beside what is measured of it', () => {
    const measures = createMeasures(clock)
    const recorded = recordServices(measures, history)
    recorded.ask('a')({ queueMs: 1, upstreamMs: 20 })
    recorded.ask('a')({ queueMs: 1, upstreamMs: 20, failure: 'timeout' })
    recorded.ask('a')({ queueMs: 5, failure: 'late' })
    recorded.ask('a')({ queueMs: 5, upstreamMs: 3, failure: 'gone' })
    expect(ended).toEqual([{ tookMs: 20 }, { isNodesFault: true }, { isNodesFault: false }, { isNodesFault: false }])
    expect(measures.upstreams()).toMatchObject([{ name: 'a', requests: { ok: 1, timeout: 1, late: 1, gone: 1 }, inFlight: 0 }])
  })
})
