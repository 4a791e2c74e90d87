import { once } from 'node:events'
import type { Transform } from 'node:stream'
import { constants, createInflate, createZstdDecompress, inflateSync } from 'node:zlib'
import { Events, GatewayIntentBits } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { loggedIn, sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

const limit = () => ({ signal: AbortSignal.timeout(10_000) })

interface Frame {
  op: number
  t: string | null
  s: number | null
  d: Record<string, unknown>
}

describe('the gateway', () => {
  let bot: SandboxWithBot
  const raws: WebSocket[] = []
  beforeEach(async () => {
    bot = await sandboxWithBot()
  })
  afterEach(async () => {
    for (const raw of raws.splice(0)) raw.terminate()
    await bot.close()
  })

  async function raw(query = '?v=10&encoding=json') {
    const { url } = (await (await bot.api('GET', '/gateway')).json()) as { url: string }
    const socket = new WebSocket(`${url}${query}`)
    raws.push(socket)
    const frames: Frame[] = []
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) frames.push(JSON.parse(data.toString()) as Frame)
    })
    await once(socket, 'open', limit())
    const identify = (more: object = {}) => socket.send(JSON.stringify({ op: 2, d: { token: bot.sandbox.token, intents: 1, properties: {}, ...more } }))
    const closed = async () => ((await once(socket, 'close', limit())) as [number])[0]
    const frame = async (is: (frame: Frame) => boolean) => {
      for (;;) {
        const found = frames.find(is)
        if (found) return found
        await once(socket, 'message', limit())
      }
    }
    return { socket, frames, identify, closed, frame }
  }

  it.each([
    [4003, 'a payload before identifying', { op: 4, d: {} }],
    [4004, 'a wrong token', { op: 2, d: { token: 'wrong', intents: 0, properties: {} } }],
    [4002, 'an identify without intents', { op: 2, d: { token: 'x' } }],
    [4002, 'more than 4,096 bytes', { op: 1, d: 'x'.repeat(5000) }]
  ])('closes with %i on %s', async (code, _what, payload) => {
    const { socket, closed } = await raw()
    socket.send(JSON.stringify(payload))
    expect(await closed()).toBe(code)
  })

  it('closes with 4002 on what is no JSON, 4012 on another version, 4005 on a second identify, 4001 on an unknown opcode', async () => {
    const first = await raw()
    first.socket.send('{')
    expect(await first.closed()).toBe(4002)
    expect(await (await raw('?v=6')).closed()).toBe(4012)
    const twice = await raw()
    twice.identify()
    twice.identify()
    expect(await twice.closed()).toBe(4005)
    const odd = await raw()
    odd.identify()
    odd.socket.send(JSON.stringify({ op: 99 }))
    expect(await odd.closed()).toBe(4001)
  })

  it('refuses intents that the application was not granted, and those that do not exist', async () => {
    bot.sandbox.switches.disallowedIntents = GatewayIntentBits.MessageContent
    const refused = await raw()
    refused.identify({ intents: GatewayIntentBits.MessageContent })
    expect(await refused.closed()).toBe(4014)
    const unknown = await raw()
    unknown.identify({ intents: 2 ** 30 })
    expect(await unknown.closed()).toBe(4013)
  })

  it('closes a connection whose heart stopped', async () => {
    bot.sandbox.switches.heartbeatIntervalMs = 50
    const { identify, closed } = await raw()
    identify()
    expect(await closed()).toBe(4009)
  })

  it('closes with 4008 on more than 120 payloads a minute', async () => {
    const { socket, closed } = await raw()
    for (let n = 0; n < 121; n++) socket.send(JSON.stringify({ op: 1, d: null }))
    expect(await closed()).toBe(4008)
  })

  it.each([
    ['zlib-stream', () => createInflate({ flush: constants.Z_SYNC_FLUSH })],
    ['zstd-stream', () => createZstdDecompress()]
  ] as [string, () => Transform][])('speaks %s when asked to', async (compress, decompressor) => {
    const { socket, identify } = await raw(`?v=10&encoding=json&compress=${compress}`)
    const stream: Transform = decompressor()
    let text = ''
    stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.on('message', (data: Buffer) => stream.write(data))
    identify()
    while (!text.includes('GUILD_CREATE')) await once(stream, 'data', limit())
    expect(text).toMatch(/^\{"op":10,.*\{"op":0,"t":"READY","s":1,/s)
    stream.destroy()
  })

  it('deflates each payload when IDENTIFY asks for it', async () => {
    const { socket, identify } = await raw()
    const binary = new Promise<Buffer>((resolve) => socket.on('message', (data: Buffer, isBinary) => isBinary && resolve(data)))
    identify({ compress: true })
    expect(JSON.parse(inflateSync(await binary).toString())).toMatchObject({ t: 'READY' })
  })

  it('lets discord.js resume after a broken line, with everything it missed', async () => {
    const resumed = once(bot.client, Events.ShardResume, limit())
    const heard: string[] = []
    bot.client.on('messageCreate', ({ content }) => heard.push(content))
    bot.sandbox.gateway.drop()
    await once(bot.client, Events.ShardReconnecting, limit())
    bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), 'while you were away')
    await resumed
    expect(heard).toEqual(['while you were away'])
    expect(bot.sandbox.gateway.sessionCount()).toBe(1)
  })

  it('asks clients to reconnect, and they resume', async () => {
    const resumed = once(bot.client, Events.ShardResume, limit())
    bot.sandbox.gateway.askToReconnect()
    await resumed
  })

  it('starts a new session where the old one can not be resumed', async () => {
    bot.sandbox.switches.resumable = false
    const ready = once(bot.client, Events.ShardReady, limit())
    bot.sandbox.gateway.drop(4000)
    await ready
    await expect.poll(() => bot.sandbox.gateway.sessionCount()).toBe(1)
  })

  it('does not replay more than it keeps: then the session is over', async () => {
    const { socket, identify, frame } = await raw()
    identify({ intents: GatewayIntentBits.GuildMessages })
    const { d } = await frame(({ t }) => t === 'READY')
    socket.terminate()
    for (let n = 0; n < 501; n++) bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), `message ${n}`)
    const again = await raw()
    again.socket.send(JSON.stringify({ op: 6, d: { token: bot.sandbox.token, session_id: d['session_id'], seq: 1 } }))
    expect(await again.frame(({ op }) => op === 9)).toMatchObject({ d: false })
  })

  it('hides the text of messages from who lacks the intent, but for mentions', async () => {
    const { identify, frame, frames } = await raw()
    identify({ intents: GatewayIntentBits.GuildMessages })
    await frame(({ t }) => t === 'READY')
    bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), 'secret')
    bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), `<@${bot.client.user.id}> open`)
    await frame(({ t, d }) => t === 'MESSAGE_CREATE' && d['content'] !== '')
    const texts = frames.filter(({ t }) => t === 'MESSAGE_CREATE').map(({ d }) => d['content'])
    expect(texts).toEqual(['', `<@${bot.client.user.id}> open`])
  })

  it('tells of edits and deletions', async () => {
    const sent = bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), 'tpyo')
    await once(bot.client, 'messageCreate', limit())
    const updated = once(bot.client, 'messageUpdate', limit())
    bot.sandbox.act.editMessage(bot.user('Haru'), sent.id, 'typo')
    expect(((await updated)[1] as { content: string }).content).toBe('typo')
    const deleted = once(bot.client, 'messageDelete', limit())
    bot.sandbox.act.deleteMessage(bot.user('Haru'), sent.id)
    expect(((await deleted)[0] as { id: string }).id).toBe(sent.id)
  })

  it('tells of changed permissions, deleted channels, and of being thrown out', async () => {
    const guild = bot.client.guilds.cache.get(bot.guild.id)!
    const lounge = guild.channels.cache.get(bot.channel('Lounge'))!
    const mayConnect = () => lounge.permissionsFor(bot.client.user)?.has('Connect')
    expect(mayConnect()).toBe(true)
    const changed = once(bot.client, 'channelUpdate', limit())
    bot.sandbox.act.setOverwrites(lounge.id, [{ id: bot.guild.id, kind: 'role', allow: 0n, deny: 1n << 20n }])
    await changed
    expect(mayConnect()).toBe(false)

    const role = once(bot.client, 'roleUpdate', limit())
    bot.sandbox.act.setPermissions(bot.guild.id, bot.guild.id, 8n)
    await role
    expect(mayConnect()).toBe(true)

    bot.sandbox.act.joinVoice(bot.user('Mina'), lounge.id)
    const deleted = once(bot.client, 'channelDelete', limit())
    bot.sandbox.act.deleteChannel(lounge.id)
    await deleted
    expect(bot.guild.voiceStates.size).toBe(0)

    const out = once(bot.client, 'guildDelete', limit())
    bot.sandbox.act.removeBot(bot.guild.id)
    await out
    expect((await bot.api('GET', `/guilds/${bot.guild.id}`)).status).toBe(404)
  })

  it('finds members by name or id', async () => {
    const guild = bot.client.guilds.cache.get(bot.guild.id)!
    expect((await guild.members.fetch({ query: 'ha' })).map(({ displayName }) => displayName)).toEqual(['Haru'])
    expect((await guild.members.fetch({ user: [bot.user('Mina'), bot.user('Alex')] })).size).toBe(2)
    const all = await loggedIn(bot.sandbox, { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMembers] })
    expect((await all.guilds.cache.get(bot.guild.id)!.members.fetch()).size).toBe(5)
    await all.destroy()
  })
})
