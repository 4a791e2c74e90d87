import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { diagnose, envOf, partOf, startHealthyDiscord, startRegistry, verdict } from './doctor-ward.ts'
import type { WardRegistry } from './doctor-ward.ts'
import { startFaultNode } from './fault-node.ts'
import type { Fault, FaultNode } from './fault-node.ts'
import type { Sandbox } from './start.ts'

let discord: Sandbox
let registry: WardRegistry
let node: FaultNode

beforeAll(async () => {
  discord = await startHealthyDiscord()
})
afterAll(() => discord.close())
beforeEach(async () => {
  registry = await startRegistry()
  node = await startFaultNode({ serverId: 'desk' })
})
afterEach(async () => {
  await Promise.all([registry.close(), node.close()])
})

const register = (apiUrl = node.url, serverId = 'desk') => registry.call('register', { serverId, apiUrl, label: 'Desk' })
const run = (more: Record<string, string> = {}) => diagnose({ ...envOf(discord), GAS_URL: registry.url, ...more })

describe('the doctor on the nodes', () => {
  it('says that all is well, with the request that both ends know', async () => {
    register()
    const report = await run()
    expect([verdict(report), partOf(report, 'nodes')]).toEqual([[0], ['ok node.ok', 'ok nodes.usable']])
    const { evidence } = report.findings.find(({ id }) => id === 'node.ok') ?? {}
    expect(evidence?.['requestId']).toBe(node.received[0]?.requestId)
  })

  it('says that there is no node at all', async () => {
    expect(verdict(await run())).toEqual([2, 'nodes.none'])
  })

  it('does not ask a node that is disabled by hand, and says that nothing else can speak', async () => {
    register()
    registry.call('setEnabled', { serverId: 'desk', enabled: false })
    const report = await run()
    expect([report.exitCode, partOf(report, 'nodes'), node.received]).toEqual([2, ['note node.disabled', 'broken nodes.none-usable'], []])
  })

  it('tells a node that is disabled by hand from the others, and finds nothing wrong with it', async () => {
    register()
    register('https://gone.invalid', 'spare')
    registry.call('setEnabled', { serverId: 'spare', enabled: false })
    const report = await run()
    expect([report.exitCode, partOf(report, 'nodes').sort()]).toEqual([0, ['note node.disabled', 'ok node.ok', 'ok nodes.usable']])
  })

  it('tells one that has said goodbye from one that fails', async () => {
    register()
    register(node.url, 'spare')
    registry.call('rename', { serverId: 'spare', label: 'Old one' })
    registry.call('unregister', { serverId: 'spare' })
    const report = await run()
    expect([report.exitCode, partOf(report, 'nodes').sort()]).toEqual([0, ['note node.left', 'ok node.ok', 'ok nodes.usable']])
  })

  it('says that one of two is dead, and that the pool works', async () => {
    register()
    register('https://gone.invalid', 'spare')
    const report = await run()
    expect([verdict(report), partOf(report, 'nodes')]).toEqual([[1, 'node.unresolved', 'node.unseen'], ['ok node.ok', 'warning node.unresolved', 'unseen node.unseen', 'ok nodes.usable']])
  })

  it('names a dead tunnel: the connection is refused', async () => {
    register()
    await node.kill()
    const report = await run()
    expect([verdict(report), partOf(report, 'nodes')[0]]).toEqual([[2, 'node.unreachable', 'node.unseen', 'nodes.none-usable'], 'broken node.unreachable'])
  })

  it('names an address without a node’s tunnel', async () => {
    register()
    registry.call('heartbeat', { serverId: 'desk', apiUrl: null })
    expect(verdict(await run())).toEqual([2, 'node.no-address', 'node.unseen', 'nodes.none-usable'])
  })

  it('names a host that is not allowed, and sends nothing there', async () => {
    register()
    const report = await run({ NODE_HOSTS: '.trycloudflare.com' })
    expect([verdict(report), node.received]).toEqual([[2, 'node.host-not-allowed', 'node.unseen', 'nodes.none-usable'], []])
  })

  it('names a node that is registered and does not beat, and still asks it', async () => {
    registry.shift(-100_000)
    register()
    registry.shift(0)
    const report = await run()
    expect([verdict(report), partOf(report, 'nodes')]).toEqual([[1, 'node.stale'], ['warning node.stale', 'ok node.ok', 'ok nodes.usable']])
  })

  const faults: [Fault, ...string[]][] = [
    ['tunnelGone', 'node.tunnel-gone', 'node.unseen'],
    ['ngrokOffline', 'node.tunnel-gone', 'node.unseen'],
    ['unready', 'node.not-ready', 'node.unseen'],
    ['unauthorized', 'node.key-wrong', 'node.log-unseen'],
    ['reset', 'node.unreachable'],
    ['refuseText', 'node.failed'],
    ['mute', 'node.mute'],
    ['hang', 'node.silent', 'node.unseen'],
    ['error', 'node.failed'],
    ['html', 'node.not-node']
  ]
  it.each(faults)('names a node with the fault %s', async (fault, ...ids) => {
    register()
    node.fault = fault
    expect(verdict(await run())).toEqual([2, ...ids, 'nodes.none-usable'])
  })

  it('says that NODE_KEY is not set, where a node wants one', async () => {
    register()
    node.fault = 'unauthorized'
    const { findings } = await run({ NODE_KEY: '' })
    expect(findings.find(({ id }) => id === 'node.key-wrong')?.message).toMatch(/NODE_KEY is not set/)
  })

  it('says that the node’s own log does not know the request', async () => {
    register()
    node.log = 'forgets'
    expect(verdict(await run())).toEqual([1, 'node.log-missing'])
  })

  it('does not hold it against another speech server that it keeps no log', async () => {
    register()
    node.log = 'none'
    const report = await run()
    expect([report.exitCode, partOf(report, 'nodes')]).toEqual([0, ['ok node.ok', 'note node.log-none', 'ok nodes.usable']])
  })
})
