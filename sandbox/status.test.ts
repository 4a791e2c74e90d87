import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from './fault-node.ts'
import type { Fault, FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { statusOf } from './status-stage.ts'

let stage: Stage
let nodes: FaultNode[]
let page: ReturnType<typeof statusOf>
let cookie: string

beforeEach(async () => {
  stage = await openStage()
  page = statusOf(stage)
  nodes = [await startFaultNode({ serverId: 'n1' }), await startFaultNode({ serverId: 'n2' })]
  await stage.register(nodes[0]!, { label: 'Maple', color: '#e64980' })
  await stage.register(nodes[1]!, { label: 'Birch', color: 'teal' })
  cookie = await page.enter('Mina')
})

afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

const act = async (label: string, does: string, with_: { cookie?: string | undefined; headers?: Record<string, string> } = { cookie }) =>
  page.send('POST', `/api/nodes/${(await page.node(label))?.id ?? ''}/${does}`, with_)
const kinds = async () => (await page.snapshot()).events.map(({ kind, node, code }) => [kind, node?.label, code].filter((part) => part !== undefined).join(' '))
const rowOf = async (serverId: string) => ((await stage.registry('list', {}))['servers'] as { serverId: string; enabled: boolean }[]).find((row) => row.serverId === serverId)

describe('an admin at the status page', () => {
  it('comes by the panel’s link, disables a node, and everybody sees it', async () => {
    const said = await page.pressOpen('Mina')
    expect(said).toMatch(/works once, within 10 minutes(.|\n)*ENTRY_URL/)
    const [, link = '', token = ''] = /<(http:\/\/127\.0\.0\.1:\d+\/#admin=([\w-]{43}))>/.exec(said) ?? []
    expect(link).toBe(`${stage.bot.entryUrl}/#admin=${token}`)
    expect(await page.pressOpen('Mina')).not.toContain(token)
    const begun = await page.send('POST', '/api/session', { body: { token } })
    expect([begun.status, (await page.send('POST', '/api/session', { body: { token } })).body?.error?.code]).toEqual([204, 'link_used'])
    expect((await page.send('GET', '/api/session', { cookie: begun.cookie })).body).toMatchObject({ isAdmin: true })

    const before = await page.node('Maple')
    expect(before).toMatchObject({ state: 'ready', color: '#e64980', capacity: 10 })
    const done = await act('Maple', 'disable', { cookie: begun.cookie })
    expect([done.status, done.body]).toEqual([200, { ok: true, result: {} }])
    expect((await rowOf('n1'))?.enabled).toBe(false)
    const { state, nodes: shown } = await page.snapshot()
    expect([state, shown.map(({ label, state: each, isAlone }) => [label, each, isAlone])]).toEqual(['ok', [['Birch', 'ready', true], ['Maple', 'disabled', undefined]]])
    expect((await kinds())[0]).toBe('node_disabled Maple')

    expect((await page.send('DELETE', '/api/session', { cookie: begun.cookie })).status).toBe(204)
    expect((await act('Maple', 'enable', { cookie: begun.cookie })).status).toBe(401)
  })

  it('enables a node again', async () => {
    await act('Maple', 'disable')
    expect((await act('Maple', 'disable')).body?.error?.code).toBe('already_disabled')
    expect((await act('Maple', 'enable')).status).toBe(200)
    expect((await rowOf('n1'))?.enabled).toBe(true)
    await expect.poll(async () => (await page.node('Maple'))?.state).toBe('ready')
    expect((await kinds()).slice(0, 3)).toEqual(['node_ready Maple', 'node_enabled Maple', 'node_disabled Maple'])
  })

  it('empties a node, but never the last one', async () => {
    const drained = await act('Maple', 'drain')
    expect([drained.status, drained.body]).toEqual([200, { ok: true, result: { moved: 0 } }])
    await expect.poll(async () => (await page.node('Maple'))?.state).toBe('disabled')
    expect((await rowOf('n1'))?.enabled).toBe(false)
    const again = await act('Maple', 'drain')
    expect([again.status, again.body?.error?.code]).toEqual([409, 'already_disabled'])
    const last = await act('Birch', 'drain')
    expect([last.status, last.body?.error?.code, (await page.node('Birch'))?.state]).toEqual([409, 'last_node', 'ready'])
  })

  it('moves the members of a node that is emptied, and brings it back before it is empty', async () => {
    await stage.reply('Haru', 'general', 'say', { text: 'Hello there.', deliver: 'file' })
    const at = stage.bot.app.pool.nodes().find(({ serverId }) => stage.bot.app.assignments.at(serverId).length === 1)
    const node = nodes.find(({ serverId }) => serverId === at?.serverId)!
    node.fault = 'hang'
    const spoken = stage.bot.app.pool.speak(at!, { model: 'voxpool', input: 'Held.', voice: 'auto', response_format: 'opus', speed: 1 }, { requestId: 'r1' }).catch(() => 'failed')
    await expect.poll(() => node.received.length).toBe(2)
    const label = at!.label
    expect((await act(label, 'drain')).body?.result).toEqual({ moved: 1 })
    expect(await page.node(label)).toMatchObject({ state: 'draining', inFlight: 1 })
    expect(await page.snapshot()).toMatchObject({ state: 'ok', inFlight: 1 })
    expect((await act(label, 'enable')).status).toBe(200)
    expect((await page.node(label))?.state).toBe('ready')
    await node.kill()
    expect(await spoken).toBe('failed')
  })

  it('tests a node, whatever its state, and all read how that went', async () => {
    const tested = await act('Maple', 'test')
    expect([tested.status, tested.body]).toEqual([200, { ok: true, result: { spoke: true, tookMs: expect.any(Number) as number, reason: null, inLog: true } }])
    const result = async (given: Partial<FaultNode>) => {
      Object.assign(nodes[0]!, given)
      return (await act('Maple', 'test')).body?.result
    }
    expect(await result({ fault: 'mute', log: 'forgets' })).toMatchObject({ spoke: false, reason: 'MUTE', inLog: false })
    expect(await result({ fault: 'unauthorized', log: 'none' })).toEqual({ spoke: false, tookMs: null, reason: 'NODE_UNAUTHORIZED', inLog: null })
    await nodes[0]!.kill()
    expect(await result({})).toMatchObject({ spoke: false, reason: 'NODE_UNREACHABLE', inLog: null })
    expect((await kinds()).filter((kind) => kind.startsWith('node_tested'))).toEqual(['node_tested Maple NODE_UNREACHABLE', 'node_tested Maple NODE_UNAUTHORIZED', 'node_tested Maple MUTE', 'node_tested Maple'])
  })

  it('asks a node once, however often the button is pressed', async () => {
    const held = Promise.withResolvers<Fault>()
    nodes[0]!.faultFor = () => held.promise
    const all = Promise.all(Array.from({ length: 5 }, () => act('Maple', 'test')))
    await expect.poll(async () => (await page.send('GET', '/metrics', { headers: {} })).text).toContain('voxpool_entry_path_in_flight{path="/api/nodes"} 5')
    held.resolve('none')
    expect([(await all).map(({ status }) => status), nodes[0]!.received.length]).toEqual([[200, 200, 200, 200, 200], 1])
  })

  it('is told of a node that has gone, and of an act that there is not', async () => {
    const id = (await page.node('Maple'))?.id ?? ''
    expect((await act('Maple', 'explode')).status).toBe(404)
    await stage.registry('unregister', { serverId: 'n1' })
    await stage.bot.app.sync.now()
    for (const does of ['enable', 'disable', 'drain', 'test']) {
      const gone = await page.send('POST', `/api/nodes/${id}/${does}`, { cookie })
      expect([gone.status, gone.body?.error?.code]).toEqual([404, 'unknown_node'])
    }
  })

  it('is nobody without the cookie, from another site, or without the rights', async () => {
    for (const does of ['enable', 'disable', 'drain', 'test']) {
      expect((await act('Maple', does, {})).body?.error?.code).toBe('unauthorized')
      expect((await act('Maple', does, { cookie: 'voxpool_admin=made-up' })).status).toBe(401)
      for (const headers of [{ 'content-type': 'application/json', origin: 'https://evil.example' }, { origin: page.url('') }]) {
        expect((await act('Maple', does, { cookie, headers })).body?.error?.code).toBe('cross_site')
      }
    }
    stage.bot.app.isAdmin = () => false
    expect((await act('Maple', 'disable')).status).toBe(401)
    expect([(await rowOf('n1'))?.enabled, nodes[0]!.received]).toEqual([true, []])
  })

  it('is an admin no more after a restart', async () => {
    await stage.restart()
    expect((await page.send('GET', '/api/session', { cookie })).body).toEqual({ isAdmin: false, until: null })
    await expect.poll(async () => (await page.node('Maple'))?.state).toBe('ready')
    expect((await act('Maple', 'disable')).status).toBe(401)
  })
})
