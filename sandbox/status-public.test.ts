import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startFaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { statusOf } from './status-stage.ts'

let stage: Stage
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(env: Record<string, string> = {}) {
  stage = await openStage({ env })
  closing.push(() => stage.close())
  return statusOf(stage)
}

async function startNode(serverId: string, more: object = {}) {
  const node = await startFaultNode({ serverId })
  closing.push(() => node.close())
  await stage.register(node, more)
  return node
}

/** The first events of the stream, until one reads like this. */
/** Reads the stream until that has come; `begun` is called when the first snapshot has. */
async function streamUntil(url: string, wanted: RegExp, begun: () => Promise<unknown> = async () => {}): Promise<string> {
  const leave = new AbortController()
  const answer = await fetch(url, { signal: leave.signal })
  let text = ''
  let hasBegun = false
  const decoder = new TextDecoder()
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true })
    if (wanted.test(text)) break
    if (hasBegun || !text.includes('event: snapshot')) continue
    hasBegun = true
    await begun()
  }
  leave.abort()
  return text
}

describe('what everybody sees of the status', () => {
  it('is how the pool is, as it changes', async () => {
    const page = await open()
    expect(await page.snapshot()).toMatchObject({ state: 'empty', nodes: [], reading: 0, speaking: 0, events: [{ kind: 'started' }] })
    await startNode('n1', { label: 'Maple' })
    await stage.reply('Haru', 'general', 'say', { text: 'Hello there.', deliver: 'file' })
    const maple = await page.node('Maple')
    expect(maple).toMatchObject({ state: 'ready', engine: 'fault', members: 0, capacity: 10, concurrency: 1, p50Ms: expect.any(Number) as number, isAlone: true })
    const disable = () => stage.registry('setEnabled', { serverId: 'n1', enabled: false })
    expect(await streamUntil(page.url('/api/events'), /"state":"disabled"/, disable)).toMatch(/^retry: 2000\n\nevent: snapshot\n.*"state":"ok"(.|\n)*event: snapshot\n.*"state":"down"/)
    expect((await page.snapshot()).events.map(({ kind }) => kind)).toEqual(['pool_down', 'node_disabled', 'node_ready', 'node_joined', 'started'])
  })

  it('counts the servers in whose voice channels it is, and those that are read to', async () => {
    const page = await open()
    await startNode('n1')
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    await stage.reply('Mina', 'general', 'join')
    await expect.poll(async () => (await page.snapshot()).speaking).toBe(1)
    expect((await page.snapshot()).reading).toBe(0)
    await stage.reply('Mina', 'general', 'read', {}, { subcommand: 'here' })
    await expect.poll(async () => (await page.snapshot()).reading).toBe(1)
    await stage.reply('Mina', 'general', 'leave')
    await expect.poll(async () => page.snapshot()).toMatchObject({ speaking: 0, reading: 0 })
  })

  it('shows which paths are asked: speech, and nothing of the bot’s own', async () => {
    const page = await open()
    await startNode('n1')
    const asked = await fetch(page.url('/v1/audio/speech'), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ input: 'Hello there.', response_format: 'opus' }) })
    expect([asked.status, (await asked.arrayBuffer()).byteLength > 0]).toEqual([200, true])
    await fetch(page.url('/health'))
    await expect.poll(async () => (await page.snapshot()).paths).toMatchObject([{ name: '/v1/audio/speech', requests: 1, failed: 0, inFlight: 0, p50Ms: expect.any(Number) as number, queueP95Ms: expect.any(Number) as number }])
  })

  it('is no secret: no address, no id, no server, no member, no key, in no answer', async () => {
    const marks = { REGISTRY_KEY: 'mark-registry-key', NODE_KEY: 'mark-node-key', ADMIN_USER_IDS: '100000000000000999' }
    const page = await open({ ...marks, NODE_HOSTS: '127.0.0.1,localhost' })
    const guild = stage.sandbox.world.guilds.get(stage.guildId)
    if (guild !== undefined) guild.name = 'mark-guild'
    for (const user of stage.sandbox.world.users.values()) if (user.displayName === 'Haru') user.username = 'mark-member'
    const register = (serverId: string, more: object) => stage.registry('register', { serverId, capacity: 10, key: marks.REGISTRY_KEY, ...more })
    const node = await startFaultNode({ serverId: 'mark-server-id' })
    closing.push(() => node.close())
    await register('mark-server-id', { apiUrl: node.url, label: 'Maple' })
    await register('mark-dead-id', { apiUrl: 'http://localhost:9/mark-path', label: 'Birch' })
    await register('mark-forbidden-id', { apiUrl: 'https://mark-host.example', label: '' })
    await stage.bot.app.sync.now()
    await expect.poll(async () => (await page.node('Maple'))?.state).toBe('ready')
    node.fault = 'error'
    await stage.reply('Mina', 'general', 'say', { text: 'mark-text', deliver: 'file' })
    const cookie = await page.enter('Mina')

    const { nodes } = await page.snapshot()
    expect(nodes.flatMap(({ faults }) => faults.map(({ code }) => code))).toEqual(expect.arrayContaining(['NODE_STATUS']))
    const acts = nodes.flatMap(({ id }) => ['test', 'drain', 'disable', 'enable'].map((does) => `/api/nodes/${id}/${does}`))
    const answers = [await page.send('GET', '/api/status'), { text: await streamUntil(page.url('/api/events'), /event: snapshot\n.*\n\n/) }]
    for (const path of ['/api/session', '/api/nope', '/api/nodes/x/test', ...acts]) {
      answers.push(await page.send('POST', path), await page.send('POST', path, { headers: {} }), await page.send('POST', path, { cookie }), await page.send('GET', path, { cookie }))
    }
    answers.push(await page.send('GET', '/api/status'), await page.send('GET', '/ready'))
    const all = answers.map(({ text }) => text).join('\n')
    expect(all).toMatch(/Maple/)
    expect(all).not.toMatch(/mark-/)
    const secrets = [
      node.url, '127.0.0.1', 'localhost', stage.sandbox.token, stage.guildId, ...stage.sandbox.world.users.keys(), ...Array.from(stage.sandbox.world.users.values(), ({ displayName }) => displayName),
      ...(guild?.channels.keys() ?? []), 'serverId', 'apiUrl', '/tmp', '.ts'
    ]
    expect(secrets.filter((secret) => all.includes(secret))).toEqual([])
  })

  it('ends with the bot, for who reads the stream as well', async () => {
    const page = await open()
    const answer = await fetch(page.url('/api/events'))
    const whole = answer.text()
    await stage.restart()
    expect(await whole).toMatch(/^retry: 2000\n\nevent: snapshot\n/)
  })
})

describe('a registry that fails', () => {
  it('is told to everybody as lost, and to an admin whose act it would not take', async () => {
    let refuses = false
    const registry = createServer((request, response) => {
      const isList = /action=(list|presence)/.test(request.url ?? '')
      const servers = [{ serverId: 'n1', color: '', label: 'Maple', apiUrl: 'https://gone.trycloudflare.com', enabled: false, capacity: 10, lastSeen: Date.now() }]
      const error = { ok: false, now: Date.now(), error: { code: refuses ? 'unknown_action' : 'internal', message: 'mark-message' } }
      request.resume().once('end', () => response.end(JSON.stringify(isList ? { ok: true, now: Date.now(), servers } : error)))
    })
    registry.listen(0, '127.0.0.1')
    await once(registry, 'listening')
    closing.push(async () => {
      registry.close()
      registry.closeAllConnections()
    })
    const page = await open({ GAS_URL: `http://127.0.0.1:${String((registry.address() as AddressInfo).port)}/exec` })
    await expect.poll(async () => (await page.node('Maple'))?.state).toBe('disabled')
    const cookie = await page.enter('Mina')
    const id = (await page.node('Maple'))?.id ?? ''
    const enable = () => page.send('POST', `/api/nodes/${id}/enable`, { cookie })
    const failed = await enable()
    expect([failed.status, failed.body?.error?.code]).toEqual([502, 'registry'])
    refuses = true
    const old = await enable()
    expect([old.status, old.body?.error?.code]).toEqual([502, 'old_registry'])
    expect(old.text).toMatch(/deploy it again/)
    expect(failed.text + old.text).not.toMatch(/mark-/)
  })
})
