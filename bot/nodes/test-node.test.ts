import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from '../../sandbox/fault-node.ts'
import type { Fault, FaultNode } from '../../sandbox/fault-node.ts'
import { startToneNode } from '../../sandbox/tone-node.ts'
import { systemClock } from '../core/clock.ts'
import { silentLog } from '../core/log.ts'
import { createNodeClient } from './client.ts'
import type { NodeClient } from './client.ts'
import { testNode } from './test-node.ts'

let node: FaultNode
let client: NodeClient
beforeEach(async () => {
  node = await startFaultNode({ serverId: 'a' })
  client = createNodeClient({ clock: systemClock, hosts: ['127.0.0.1'], speakLimits: { firstByteMs: 500, silenceMs: 500, bodyMs: 500 } })
})
afterEach(async () => {
  await client.close()
  await node.close()
})

const test = (apiUrl: string | null = node.url, asking = client) => testNode({ client: asking, clock: systemClock, log: silentLog }, { serverId: 'a', apiUrl })

describe('the test of a node', () => {
  it('finds one id at both ends, and brings the audio', async () => {
    const { requestId, answered, logged } = await test()
    expect(node.received.map((each) => each.requestId)).toEqual([requestId])
    expect(answered).toMatchObject({ ok: true, isMute: false, audio: { packets: { length: expect.any(Number) as number } } })
    expect(logged).toMatchObject({ found: 'yes', entry: { requestId, status: 200, engine: 'fault', voice: 'marked', inputLength: node.received[0]?.input.length } })
  })

  it('asks with another id and another text each time', async () => {
    await Promise.all(Array.from({ length: 8 }, () => test()))
    expect(new Set(node.received.map(({ requestId }) => requestId)).size).toBe(8)
    expect(new Set(node.received.map(({ input }) => input)).size).toBeGreaterThan(4)
  })

  it('finds it in the log of another node of ours just so', async () => {
    const tone = await startToneNode({ serverId: 'tone', nodeKey: 'k' })
    const withKey = createNodeClient({ clock: systemClock, hosts: ['127.0.0.1'], nodeKey: 'k' })
    const { requestId, answered, logged } = await test(tone.url, withKey)
    expect(answered).toMatchObject({ ok: true, isMute: false })
    expect(logged).toMatchObject({ found: 'yes', entry: { requestId, status: 200, engine: 'tone', voice: 'tone', inputLength: 13 } })
    await withKey.close()
    await tone.close()
  })

  it('knows a server that keeps no log from one that has lost the request', async () => {
    node.log = 'none'
    expect(await test()).toMatchObject({ answered: { ok: true }, logged: { found: 'noLog' } })
    node.log = 'forgets'
    expect(await test()).toMatchObject({ answered: { ok: true }, logged: { found: 'missing' } })
  })

  it('hears that a whole stream of silence is mute', async () => {
    node.fault = 'mute'
    expect(await test()).toMatchObject({ answered: { ok: true, isMute: true }, logged: { found: 'yes' } })
  })

  it.each<[Fault, string]>([
    ['error', 'NODE_STATUS'], ['unauthorized', 'NODE_UNAUTHORIZED'], ['tiny', 'NODE_BAD_REPLY'], ['html', 'NODE_BAD_REPLY'], ['truncate', 'NODE_BAD_REPLY'],
    ['wrongRequestId', 'NODE_BAD_REPLY'], ['reset', 'NODE_RESET'], ['hang', 'NODE_SILENT'], ['busy', 'NODE_BUSY'], ['refuseText', 'TEXT_REFUSED']
  ])('says of a node that does %s: %s', async (fault, code) => {
    node.fault = fault
    expect(await test()).toMatchObject({ answered: { ok: false, error: { code } } })
  })

  it('says of a wrong key that the log is shut too', async () => {
    node.fault = 'unauthorized'
    expect(await test()).toMatchObject({ logged: { found: 'silent', error: { code: 'NODE_UNAUTHORIZED' } } })
  })

  it('says of a name that nobody knows that it is not found', async () => {
    const asking = createNodeClient({ clock: systemClock, hosts: ['.invalid'] })
    expect(await test('https://fond-lamp.invalid', asking)).toMatchObject({ answered: { ok: false, error: { code: 'NODE_UNRESOLVED' } }, logged: { found: 'silent' } })
    await asking.close()
  })

  it.each([
    ['without an address', null, 'NODE_LEFT'],
    ['at a host that is not allowed', 'https://node.example', 'NODE_FORBIDDEN_HOST'],
    ['behind a port that is shut', 'http://127.0.0.1:1', 'NODE_UNREACHABLE']
  ])('says of a node %s that there is nothing to ask', async (_, apiUrl, code) => {
    expect(await test(apiUrl)).toMatchObject({ answered: { ok: false, error: { code } }, logged: { found: 'silent', error: { code } } })
    expect(node.received).toEqual([])
  })
})
