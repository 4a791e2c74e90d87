import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { splitText } from '../bot/speech/segments.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))
const LONG = 'A sentence that is long enough for something to happen while it is still being said.'

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

const say = (text: string) => stage.slash('Mina', 'general', 'say', { text })
const listen = () => stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
const botId = () => stage.sandbox.world.application.id

async function speaksAgain(): Promise<void> {
  const listener = listen()
  await stage.replyLike(say('And again.'), /Said in/)
  expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(packetsFor('And again.')))
}

describe('a bot that is in trouble with its voice connection', () => {
  it('tells the author when it was kicked during speech, and speaks again when it is asked to', async () => {
    const listener = listen()
    const said = say(LONG)
    await listener.heard(10)
    stage.sandbox.act.kickVoice(botId(), stage.guildId)
    expect((await stage.replyLike(said, /Only the first|could not hold/)).content).toMatch(/could not hold the connection/)
    expect(stage.bot.app.sessions.get(stage.guildId)).toBeUndefined()
    await speaksAgain()
  })

  it('ends the session when its server has thrown it out', async () => {
    const listener = listen()
    say(LONG)
    await listener.heard(10)
    stage.sandbox.act.removeBot(stage.guildId)
    await expect.poll(() => stage.bot.app.sessions.all().length).toBe(0)
  })

  it('does not keep a connection that never came up', async () => {
    stage.sandbox.voice.faults.udpSilent = true
    const said = say('Nobody hears this.')
    expect((await stage.replyLike(said, /could not hold/)).content).toMatch(/\/join/)
    stage.sandbox.voice.faults.udpSilent = false
    await speaksAgain()
  })

  it('loses no packet when the wire is cut and taken up again', async () => {
    const listener = listen()
    const said = say(LONG)
    await listener.heard(10)
    stage.sandbox.voice.closeWith(stage.guildId, botId(), 1006)
    await stage.replyLike(said, /Said in/)
    const heard = hex(listener.speech.map(({ opus }) => opus))
    // The one packet that was on its way when the wire broke may be gone, and no other.
    const expected = hex(splitText(LONG).flatMap(packetsFor))
    expect(expected.filter((packet) => !heard.includes(packet)).length).toBeLessThanOrEqual(1)
    expect(new Set(heard).size).toBe(heard.length)
  })

  it('gives up a voice server that throws it out again and again, and says so', async () => {
    stage.sandbox.voice.events.on('session', ({ what }) => {
      if (what === 'ready') stage.sandbox.voice.closeWith(stage.guildId, botId(), 4006)
    })
    const said = say('Round and round.')
    await stage.replyLike(said, /could not hold/)
    expect(stage.bot.app.sessions.get(stage.guildId)).toBeUndefined()
  })

  it('says that it is muted, not that it was heard', async () => {
    await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)
    stage.sandbox.act.setVoice(botId(), stage.guildId, { mute: true })
    await expect.poll(() => stage.bot.client.guilds.cache.get(stage.guildId)?.members.me?.voice.serverMute).toBe(true)
    const reply = await stage.reply('Mina', 'general', 'say', { text: 'Hello.', deliver: 'voice' })
    expect(reply.content).toMatch(/I am muted/)
  })
})

describe('who may do what', () => {
  it('an administrator of the server is no admin of the bot', async () => {
    const guild = stage.sandbox.world.guilds.get(stage.guildId)
    const everyone = guild?.roles.get(stage.guildId)
    if (everyone) stage.sandbox.act.setPermissions(stage.guildId, everyone.id, everyone.permissions | 8n)
    const reply = await stage.reply('Alex', 'general', 'nodes', { node: 'n1' }, { subcommand: 'disable' })
    expect(reply.content).toMatch(/Only the admins of this bot/)
    await stage.bot.app.sync.now()
    expect(stage.bot.app.pool.nodes()[0]?.enabled).toBe(true)
  })

  it('a label can’t mention anybody, or become markup', async () => {
    await stage.registry('register', { serverId: 'n2', apiUrl: node.url, label: `@everyone <@${stage.person('Haru')}> **x**` })
    await stage.bot.app.sync.now()
    const reply = await stage.replyLike(stage.slash('Mina', 'general', 'nodes', {}, { subcommand: 'list' }), /n2/)
    expect([reply.mentionedUserIds, reply.mentionsEveryone]).toEqual([[], false])
    expect(reply.content).toContain('\\@everyone \\<\\@')
  })
})

describe('an unexpected error in one command', () => {
  it('is told with a number, and the others run on', async () => {
    stage.bot.app.registry.setEnabled = () => Promise.reject(new TypeError('planted'))
    const reply = await stage.replyLike(stage.slash('Mina', 'general', 'nodes', { node: 'n1' }, { subcommand: 'disable' }), /wrong on my side/)
    expect(reply.content).toMatch(/`[0-9a-f]{6}`/)
    await speaksAgain()
  })
})
