import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { startToneNode } from './tone-node.ts'

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node, { label: 'Pink *one*', color: '#e64980' })
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

const nodes = (subcommand: string, options: Record<string, string> = {}) => stage.slash('Mina', 'general', 'nodes', options, { subcommand })
const reply = async (subcommand: string, options?: Record<string, string>) => stage.sandbox.act.replyOf(nodes(subcommand, options).id)
const only = () => stage.bot.app.pool.nodes()[0]

describe('/nodes list and show', () => {
  it('say how a node is, in two lines and in many, and never where', async () => {
    await stage.reply('Haru', 'general', 'say', { text: 'Hello there.', deliver: 'file' })
    await expect.poll(() => only()?.voices?.length).toBe(1)
    node.fault = 'error'
    await stage.reply('Haru', 'general', 'say', { text: 'This one fails.', deliver: 'file' })
    const list = (await reply('list')).content
    expect(list.split('\n')).toEqual([
      expect.stringMatching(/^\S+ \*\*Pink \\\*one\\\*\*\* `n1` · unsteady$/) as string,
      expect.stringMatching(/^-# 0\/10 members · [\d.]+ s, at times [\d.]+ s · fault · seen \d+ s ago · last fault `NODE_STATUS` \d+ s ago$/) as string
    ])
    const show = (await reply('show', { node: 'n1' })).content
    for (const line of [
      /^State: \*\*unsteady\*\*, <t:\d+:R>$/m, /^Present: 0\/10 members; assigned here: 1$/m, /^Requests: 0 under way, 0 waiting \(it runs 1 at once\)$/m, /^Success: 33\.3 % of 3 requests/m,
      /^Engine: fault 0$/m, /^Voices: 1 \(mul\)$/m, /^Last heartbeat: \d+ s ago$/m, /^Registered: <t:\d+:R>$/m, /^Last faults: `NODE_STATUS` <t:\d+:R>, `NODE_STATUS` <t:\d+:R>$/m
    ]) expect(show).toMatch(line)
    expect(list + show).not.toMatch(/127\.0\.0\.1|http/)
  })

  it.each([['ja', /正常\n-# 0\/10 人/], ['ko', /정상\n-# 0\/10명/]])('say it in the language of who asks: %s', async (locale, wanted) => {
    const mina = stage.sandbox.world.guilds.get(stage.guildId)?.members.get(stage.person('Mina'))
    if (mina !== undefined) mina.locale = locale
    expect((await reply('list')).content).toMatch(wanted)
  })
})

describe('/nodes rename', () => {
  it('gives a node a name that it keeps when it starts again, and its own name back', async () => {
    expect((await reply('rename', { node: 'n1', label: '=Sakura_1' })).content).toMatch(/is now called \*\*=Sakura\\_1\*\*/)
    expect(only()?.label).toBe('=Sakura_1')
    await stage.register(node, { label: 'Blue' })
    expect(only()?.label).toBe('=Sakura_1')
    expect((await reply('rename', { node: 'n1' })).content).toMatch(/the name again that it gives itself/)
    expect(only()?.label).toBe('Blue')
    expect((await reply('rename', { node: 'n1', label: 'a\u202eb' })).content).toMatch(/at most 80/)
    expect((await reply('rename', { node: 'nobody', label: 'x' })).content).toMatch(/There is no node/)
  })

  it('keeps the row of a node that says goodbye, which is then nowhere said to have been seen', async () => {
    await reply('rename', { node: 'n1', label: 'Sakura' })
    await stage.registry('unregister', { serverId: 'n1' })
    await expect.poll(() => only()?.apiUrl).toBeNull()
    const [list, show] = [(await reply('list')).content, (await reply('show', { node: 'n1' })).content]
    expect(list).toMatch(/Sakura.* · no address\n-# /)
    expect(list + show).not.toMatch(/seen|heartbeat/)
  })

  it('says of a registry of an older version what to do', async () => {
    const old = createServer((request, response) => {
      const isKnown = /action=(list|presence)/.test(request.url ?? '')
      request.resume().once('end', () => response.end(JSON.stringify(isKnown ? { ok: true, now: Date.now(), servers: [] } : { ok: false, now: 1, error: { code: 'unknown_action', message: 'expected ...' } })))
    })
    old.listen(0, '127.0.0.1')
    await once(old, 'listening')
    await stage.close()
    stage = await openStage({ env: { GAS_URL: `http://127.0.0.1:${String((old.address() as AddressInfo).port)}/exec` } })
    expect((await reply('rename', { node: 'n1', label: 'x' })).content).toMatch(/older than this bot.*deploy it again/)
    old.close()
    old.closeAllConnections()
  })
})

describe('/nodes test', () => {
  it('shows the same id at both ends, and lets the admin hear it', async () => {
    const tone = await startToneNode({ serverId: 'tone' })
    await stage.register({ serverId: 'tone', url: tone.url })
    const { content, attachments, flags } = await reply('test', { node: 'tone' })
    const id = /Request: `(test-[0-9a-f]{8})`/.exec(content)?.[1] ?? ''
    expect(content).toMatch(/🟢 It spoke, and both ends know the request\.\n/)
    expect(content).toMatch(/Here: sent <t:\d+:T>, answered after \d+ ms, 0\.\d s of audio, whole\n/)
    expect(content).toMatch(/There: received <t:\d+:T>, answered 200 after \d+ ms, voice tone \(tone\), 13 characters$/)
    const there = (await (await fetch(`${tone.url}/v1/requests/${id}`)).json()) as { requestId: string }
    expect(there.requestId).toBe(id)
    expect(attachments.map(({ filename }) => filename)).toEqual([`${id}.ogg`])
    expect(parseOggOpus(attachments[0]?.bytes ?? new Uint8Array()).ok).toBe(true)
    expect(flags & 64).toBe(64)
    await tone.close()
  })

  it('works for a node that is disabled, and holds nothing against it', async () => {
    await stage.replyLike(nodes('disable', { node: 'n1' }), /is disabled/)
    node.fault = 'error'
    expect((await reply('test', { node: 'n1' })).content).toMatch(/error \(HTTP 500\)/)
    node.fault = 'none'
    expect((await reply('test', { node: 'n1' })).content).toMatch(/both ends know/)
    expect(only()?.faults).toEqual([])
  })

  it('says what is wrong, each in its own words', async () => {
    const said = async () => {
      const { content, attachments } = await reply('test', { node: 'n1' })
      expect(content).not.toMatch(/127\.0\.0\.1|http:/)
      return `${content.split('\n')[1] ?? ''} ${content.split('\n')[4] ?? ''} ${String(attachments.length)}`
    }
    node.fault = 'mute'
    expect(await said()).toMatch(/nothing can be heard.*answered 200.* 1$/)
    node.fault = 'unauthorized'
    expect(await said()).toMatch(/refuses the key.*no answer \(`NODE_UNAUTHORIZED`\) 0$/)
    node.fault = 'tiny'
    expect(await said()).toMatch(/not the whole speech/)
    node.fault = 'none'
    node.log = 'none'
    expect(await said()).toMatch(/no fault.*no log that can be asked 1$/)
    node.log = 'forgets'
    expect(await said()).toMatch(/does not have the request.*not in its log 1$/)
    await node.kill()
    expect(await said()).toMatch(/nothing runs there any more/)
    await stage.registry('heartbeat', { serverId: 'n1', apiUrl: null })
    await stage.bot.app.sync.now()
    expect(await said()).toMatch(/has no address/)
    expect((await reply('test', { node: 'nobody' })).content).toMatch(/There is no node/)
  })
})
