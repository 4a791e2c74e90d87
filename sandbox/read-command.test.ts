import { GatewayIntentBits } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openReading } from './test-reading.ts'
import type { ReadingStage } from './test-reading.ts'

const VIEW = 1n << 10n
const CONNECT = 1n << 20n
const SPEAK = 1n << 21n

let stage: ReadingStage

beforeEach(async () => {
  stage = await openReading()
})

afterEach(() => stage.close())

const answer = async (name: string, subcommand: string, options: Record<string, string> = {}, channel = 'general') =>
  (await stage.reply(name, channel, 'read', options, { subcommand })).content
const readings = () => stage.bot.app.readings.all().length
const deny = (channel: string, bits: bigint) =>
  stage.sandbox.act.setOverwrites(stage.channel(channel), [{ id: stage.sandbox.world.application.id, kind: 'member', allow: 0n, deny: bits }])

describe('/read here', () => {
  it('needs a voice channel: one’s own, or one that is named', async () => {
    expect(await answer('Alex', 'here')).toMatch(/Join a voice channel, or name one/)
    expect(await answer('Mina', 'here', { 'voice-channel': stage.channel('Lounge') })).toContain(stage.channel('Lounge'))
    expect(readings()).toBe(1)
  })

  it('is for who is in that voice channel, and for managers', async () => {
    stage.enter('Alex')
    expect(await answer('Alex', 'here', { 'voice-channel': stage.channel('Stage left') })).toMatch(/Only who is in/)
    expect(readings()).toBe(0)
    stage.bot.app.settings.change(stage.guildId, { managerRoleId: stage.sandbox.act.addRole(stage.guildId, 'Hosts') })
    stage.sandbox.act.setRoles(stage.guildId, stage.person('Alex'), [stage.bot.app.settings.get(stage.guildId).managerRoleId ?? ''])
    expect(await answer('Alex', 'here', { 'voice-channel': stage.channel('Stage left') })).toMatch(/From now on/)
  })

  it('takes no channel away from people who hear it elsewhere', async () => {
    stage.enter('Alex')
    stage.enter('Haru', 'Stage left')
    expect(await answer('Alex', 'here')).toMatch(/From now on/)
    expect(await answer('Haru', 'here')).toContain(stage.channel('Lounge'))
    expect(stage.bot.app.readings.at(stage.channel('general'))?.voiceChannelId).toBe(stage.channel('Lounge'))
    stage.exit('Alex')
    await expect.poll(() => answer('Haru', 'here')).toContain(stage.channel('Stage left'))
    expect(readings()).toBe(1)
  })

  it.each([
    ['to see the text channel', 'general', VIEW, /View Channel/],
    ['to enter', 'Lounge', CONNECT, /“Connect” permission/],
    ['to speak', 'Lounge', SPEAK, /“Speak” permission/]
  ])('says when the bot lacks the permission %s', async (_, channel, bits, word) => {
    stage.enter('Mina')
    deny(channel, bits)
    await expect.poll(() => answer('Mina', 'here')).toMatch(word)
    expect(readings()).toBe(0)
  })

  it('says when it may not enter the voice channel whose chat it shall read', async () => {
    deny('Stage left', CONNECT)
    await expect.poll(() => answer('Mina', 'here', { 'voice-channel': stage.channel('Lounge') }, 'Stage left')).toMatch(/chat of/)
  })

  it('has a limit in each server', async () => {
    for (let count = 0; count < 20; count++) stage.bot.app.readings.add({ guildId: stage.guildId, textChannelId: `${count}`, voiceChannelId: '1' })
    stage.enter('Mina')
    expect(await answer('Mina', 'here')).toMatch(/At most 20 channels/)
  })
})

describe('/read stop', () => {
  it('is for who is there, and for managers, who may name the channel', async () => {
    stage.enter('Alex')
    await answer('Alex', 'here')
    stage.exit('Alex')
    await expect.poll(() => answer('Alex', 'stop')).toMatch(/Only who is in/)
    expect(await answer('Mina', 'stop', { channel: stage.channel('general') }, 'read-aloud')).toMatch(/don’t read/)
    expect(readings()).toBe(0)
  })
})

describe('/read list and /read settings', () => {
  it('show what is read, whom managers muted, and the panel of the server’s settings', async () => {
    expect(await answer('Mina', 'list')).toMatch(/No channel is being read/)
    stage.enter('Mina')
    await answer('Mina', 'here')
    await answer('Mina', 'mute', { member: stage.person('Alex') })
    expect(await answer('Mina', 'list')).toContain(`<#${stage.channel('general')}> → <#${stage.channel('Lounge')}>\n🔇 Muted by managers: <@${stage.person('Alex')}>`)
    expect(await answer('Haru', 'list')).not.toContain(stage.person('Alex'))
    const panel = await stage.reply('Mina', 'general', 'read', {}, { subcommand: 'settings' })
    expect(panel.components.length).toBeGreaterThan(1)
  })
})

describe('without the message-content intent', () => {
  it('the bot starts and speaks, and /read says where it is switched on', async () => {
    stage.sandbox.switches.disallowedIntents = GatewayIntentBits.MessageContent
    await stage.restart()
    await stage.register(stage.node)
    stage.enter('Mina')
    expect(stage.bot.app.canReadMessages()).toBe(false)
    expect(await answer('Mina', 'here')).toMatch(/Developer Portal.*Message Content Intent/)
    await stage.replyLike(stage.slash('Mina', 'general', 'say', { text: 'All else works.' }), /Said in/)
    stage.bot.app.readings.add({ guildId: stage.guildId, textChannelId: stage.channel('general'), voiceChannelId: stage.channel('Lounge') })
    stage.post('Mina', 'Not seen.')
    await expect.poll(() => stage.results()).toEqual({ noIntent: 1 })
  })

  it('it is used again when it was switched on, after a start', async () => {
    stage.sandbox.switches.disallowedIntents = GatewayIntentBits.MessageContent
    await stage.restart()
    stage.sandbox.switches.disallowedIntents = 0
    await stage.restart()
    expect(stage.bot.app.canReadMessages()).toBe(true)
  })

  it('and with an application that says that it has it, the bot starts once more without', async () => {
    // As when it is switched off between the question and the login.
    const { switches } = stage.sandbox
    let asked = 0
    Object.defineProperty(switches, 'disallowedIntents', { get: () => (asked++ === 0 ? 0 : GatewayIntentBits.MessageContent) })
    await stage.restart()
    expect([stage.bot.app.canReadMessages(), stage.sandbox.gateway.sessionCount()]).toEqual([false, 1])
  })
})
