import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

describe('GET /metrics', () => {
  it('tells of each node, of what was said, and of what went wrong', async () => {
    const say = (text: string) => stage.reply('Alex', 'general', 'say', { text, deliver: 'file' })
    await say('Hello.')
    await say('Hello.')
    node.fault = 'refuseText'
    await say('Hm.')
    const text = await (await fetch(`http://127.0.0.1:${stage.bot.httpPort}/metrics`)).text()
    for (const line of [
      'voxpool_node_state{node="n1",state="ready"} 1',
      'voxpool_node_in_flight{node="n1"} 0',
      'voxpool_node_members{node="n1",of="capacity"} 10',
      'voxpool_node_requests_total{node="n1",result="ok"} 1',
      'voxpool_node_requests_total{node="n1",result="TEXT_REFUSED"} 1',
      'voxpool_cache_total{result="hit"} 1',
      'voxpool_utterances_total{outcome="uploaded"} 2',
      'voxpool_faults_total{code="TEXT_REFUSED"} 1',
      'voxpool_hedges_total 0',
      'voxpool_failovers_total 0',
      'voxpool_queued_utterances 0'
    ]) {
      expect(text).toContain(line)
    }
    expect(text).toMatch(/voxpool_node_request_seconds\{quantile="0.95",node="n1"\} 0\.\d+/)
    expect(text).not.toContain('127.0.0.1')
  })
})

describe('the embedded registry without a key', () => {
  const post = (action: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${stage.bot.httpPort}/registry?action=${action}`, {
      method: 'POST', headers, body: JSON.stringify({ serverId: 'evil', apiUrl: 'https://evil.trycloudflare.com' })
    })

  it('takes no node from a page of another site', async () => {
    expect((await post('register', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('register', { origin: 'null' })).status).toBe(403)
    await stage.bot.app.sync.now()
    expect(stage.bot.app.pool.nodes().map(({ serverId }) => serverId)).toEqual(['n1'])
    expect((await post('presence&serverId=n1&deviceId=d', { origin: 'https://evil.example' })).status).toBe(200)
  })
})
