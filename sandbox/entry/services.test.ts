import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { http, startRawUpstream } from './raw-upstream.ts'
import type { RawUpstream } from './raw-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-services-'))
const file = join(folder, 'services.json')
const CHAT = '/v1/chat/completions'
let stage: Stage
let node: RawUpstream

beforeEach(async () => {
  writeFileSync(file, JSON.stringify({ services: [{ path: CHAT, methods: ['POST'], smoke: [{ method: 'POST', path: CHAT, body: {} }] }] }))
  stage = await openStage({ env: { SERVICES_FILE: file, NODE_KEY: 'node-secret' } })
  node = await startRawUpstream()
  node.answer = ({ socket, body }) => void socket.write(http(200, `said ${body}`))
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

const ask = (body: string, headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${stage.bot.httpPort}${CHAT}`, { method: 'POST', body, headers })

describe('a service of the manifest', () => {
  it('is answered by a node that registered its path, and by none before', async () => {
    expect((await ask('hello')).status).toBe(503)
    await stage.register({ serverId: 'chat', url: node.url }, { paths: [CHAT] })
    const answer = await ask('hello', { 'x-request-id': 'r1' })
    expect([answer.status, await answer.text(), answer.headers.get('x-request-id')]).toEqual([200, 'said hello', 'r1'])
    expect(node.seen[0]?.headers).toContainEqual(['authorization', 'Bearer node-secret'])
  })

  it('is not asked of a node that an operator has switched off, and is again when it is on', async () => {
    await stage.register({ serverId: 'chat', url: node.url }, { paths: [CHAT] })
    await stage.bot.app.registry.setEnabled('chat', false)
    await stage.bot.app.sync.now()
    expect((await ask('hello')).status).toBe(503)
    await stage.bot.app.registry.setEnabled('chat', true)
    await stage.bot.app.sync.now()
    expect((await ask('hello')).status).toBe(200)
  })

  it('follows its node to another address', async () => {
    await stage.register({ serverId: 'chat', url: node.url }, { paths: [CHAT] })
    expect((await ask('one')).status).toBe(200)
    const next = await startRawUpstream()
    await stage.register({ serverId: 'chat', url: next.url }, { paths: [CHAT] })
    expect((await ask('two')).status).toBe(200)
    expect(next.seen.map(({ body }) => body)).toEqual(['two'])
    await expect.poll(() => node.open()).toBe(0)
    await next.close()
  })

  it('stands among the metrics, which strangers may not read', async () => {
    await stage.register({ serverId: 'chat', url: node.url }, { paths: [CHAT] })
    await ask('hello')
    const metrics = (headers: Record<string, string> = {}) => fetch(`http://127.0.0.1:${stage.bot.httpPort}/metrics`, { headers })
    const text = await (await metrics()).text()
    expect(text).toContain(`voxpool_entry_path_requests_total{path="${CHAT}",status="2xx"} 1`)
    expect(text).toContain('voxpool_entry_upstream_requests_total{upstream="chat",result="ok"} 1')
    expect(text).not.toContain(new URL(node.url).port)
    expect((await metrics({ 'x-forwarded-for': '1.2.3.4' })).status).toBe(401)
  })
})
