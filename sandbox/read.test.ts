import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectHeard, openReading } from './test-reading.ts'
import type { ReadingStage } from './test-reading.ts'

let stage: ReadingStage

beforeEach(async () => {
  stage = await openReading()
  stage.enter('Mina')
})

afterEach(() => stage.close())

describe('a channel that is read', () => {
  it('is heard in the voice channel, in the order in which it was written, whoever wrote it', async () => {
    expect(await stage.readHere()).toContain(`<#${stage.channel('general')}>`)
    const listener = stage.listen()
    stage.post('Mina', 'First of all.')
    stage.post('Haru', 'Then this.')
    stage.post('Alex', 'Last.')
    await expectHeard(listener, 'First of all.', 'Then this.', 'Last.')
    await expect.poll(() => stage.results()).toEqual({ heard: 3 })
  })

  it('is one of several, with the voice channel’s own chat and a thread', async () => {
    await stage.readHere('Mina', 'general')
    await stage.readHere('Mina', 'Lounge')
    stage.sandbox.act.startThread(stage.person('Mina'), stage.channel('general'), 'side talk')
    await expect.poll(() => stage.bot.client.channels.cache.has(stage.channel('side talk'))).toBe(true)
    await stage.readHere('Mina', 'side talk')
    const listener = stage.listen()
    stage.post('Haru', 'In the channel.', 'general')
    stage.post('Haru', 'In the chat.', 'Lounge')
    stage.post('Haru', 'In the thread.', 'side talk')
    stage.post('Haru', 'Somewhere else.', 'read-aloud')
    await expectHeard(listener, 'In the channel.', 'In the chat.', 'In the thread.')
    const { content } = await stage.reply('Mina', 'general', 'read', {}, { subcommand: 'list' })
    expect(content.match(/📖/g)?.length).toBe(3)
  })

  it('is read with all that a message can hold', async () => {
    await stage.readHere()
    const { act } = stage.sandbox
    const [mina, general] = [stage.person('Mina'), stage.channel('general')]
    const file = { bytes: new Uint8Array(1), filename: 'x' }
    act.sendMessage(mina, general, '', { stickers: ['Waving cat'] })
    act.sendMessage(mina, general, '', { poll: { question: 'Tea or coffee?', answers: ['Tea', 'Coffee'] } })
    act.forwardMessage(mina, general, act.sendMessage(mina, stage.channel('read-aloud'), 'From another channel.').id)
    act.sendMessage(mina, general, 'Look.', { attachments: [{ ...file, contentType: 'image/png' }] })
    act.sendMessage(mina, general, '', { attachments: [{ ...file, contentType: 'audio/ogg', durationSecs: 1, waveform: 'AA==' }], isVoiceMessage: true })
    await expect.poll(() => stage.results()).toEqual({ heard: 5 })
    const said = stage.node.received.map(({ input }) => input).join('\n')
    for (const words of [/Waving cat/, /Tea or coffee[\s\S]*Coffee/, /From another channel/, /Look[\s\S]*(?:image|picture)/, /voice message/]) expect(said).toMatch(words)
  })

  it('is heard no more by a bot that has ended', async () => {
    const { client } = stage.bot
    await stage.restart()
    expect([client.listenerCount('messageCreate'), client.listenerCount('messageDelete'), client.listenerCount('messageDeleteBulk')]).toEqual([0, 0, 0])
  })

  it('says who it is, and not again before somebody else has spoken', async () => {
    stage.choose({ saysName: true })
    stage.sandbox.act.setNick(stage.guildId, stage.person('Haru'), 'Captain')
    await stage.readHere()
    const listener = stage.listen()
    for (const [name, text] of [['Mina', 'One.'], ['Mina', 'Two.'], ['Haru', 'Three.'], ['Mina', 'Four.']] as const) stage.post(name, text)
    await expectHeard(listener, 'Mina. One.', 'Two.', 'Captain. Three.', 'Mina. Four.')
  })

  it('speaks in each author’s own voice', async () => {
    stage.bot.app.preferences.set({ userId: stage.person('Haru') }, { speed: 1.5, pitch: 3 })
    await stage.readHere()
    const listener = stage.listen()
    stage.post('Mina', 'Plain.')
    stage.post('Haru', 'Quick.')
    await expectHeard(listener, 'Plain.', 'Quick.')
    expect(stage.node.received.map(({ how }) => [how.speed, how.pitch])).toEqual([[1, undefined], [1.5, 3]])
  })

  it('speaks faster while much is waiting, where the server wants it', async () => {
    const waitsLong = Array.from({ length: 8 }, (_, index) => `Number ${index}, and a good many more words, so that it takes its time. `.repeat(4))
    await stage.readHere()
    const posts = waitsLong.map((text) => stage.post('Mina', text))
    stage.post('Haru', 'At the end.')
    await expect.poll(() => stage.bot.app.sessions.get(stage.guildId)?.queued()).toBe(9)
    stage.sandbox.act.purge(posts.map(({ id }) => id))
    await expect.poll(() => stage.node.received.find(({ input }) => input === 'At the end.')?.how.speed).toBeGreaterThan(1.2)
    expect(stage.node.received.find(({ input }) => input.startsWith('Number 0'))?.how.speed).toBe(1)
  })

  it('is not read twice when a message is edited', async () => {
    await stage.readHere()
    const listener = stage.listen()
    const { id } = stage.post('Mina', 'As it was.')
    stage.sandbox.act.editMessage(stage.person('Mina'), id, 'As it is now.')
    stage.post('Mina', 'Next.')
    await expectHeard(listener, 'As it was.', 'Next.')
  })

  it('leaves out what was deleted before its turn, one by one or many at once, and ends what is deleted while it is said', async () => {
    await stage.readHere()
    const listener = stage.listen()
    const texts = ['This is being said, and it takes a while. '.repeat(6), 'Gone.', 'Gone with others.', 'Gone too.', 'Stays.']
    const [long, ...waiting] = texts.map((text) => stage.post('Mina', text))
    await listener.heard(5)
    stage.sandbox.act.deleteMessage(stage.person('Mina'), waiting[0]?.id ?? '')
    stage.sandbox.act.purge(waiting.slice(1, 3).map(({ id }) => id))
    await expect.poll(() => stage.results()).toEqual({ deleted: 3 })
    stage.sandbox.act.deleteMessage(stage.person('Mina'), long?.id ?? '')
    await expect.poll(() => stage.results()).toEqual({ deleted: 4, heard: 1 })
    expect(stage.node.received.map(({ input }) => input)).not.toContain('Gone too.')
  })

  it('is silent about what waits once it is deleted itself, a thread with its channel too', async () => {
    const { act } = stage.sandbox
    act.startThread(stage.person('Mina'), stage.channel('general'), 'side talk')
    await expect.poll(() => stage.bot.client.channels.cache.has(stage.channel('side talk'))).toBe(true)
    for (const channel of ['general', 'side talk', 'read-aloud']) await stage.readHere('Mina', channel)
    const listener = stage.listen()
    stage.post('Mina', 'This is being said, and it takes a while. '.repeat(6))
    for (const channel of ['general', 'side talk', 'read-aloud']) stage.post('Haru', `In ${channel}.`, channel)
    await listener.heard(5)
    act.deleteChannel(stage.channel('general'))
    await expect.poll(() => stage.results()).toEqual({ deleted: 3, heard: 1 })
    expect(stage.node.received.map(({ input }) => input)).toContain('In read-aloud.')
    expect(stage.bot.app.readings.of(stage.guildId).map(({ textChannelId }) => textChannelId)).toEqual([stage.channel('read-aloud')])
  })

  it('is silent about what waits of somebody who is muted meanwhile, by themselves or by a manager', async () => {
    await stage.readHere()
    const listener = stage.listen()
    const { id } = stage.post('Mina', 'This is being said, and it takes a while. '.repeat(6))
    stage.post('Haru', 'Not any more.')
    stage.post('Alex', 'Nor this.')
    stage.post('Mina', 'But this.')
    await listener.heard(5)
    await stage.reply('Haru', 'general', 'read', {}, { subcommand: 'mute' })
    await stage.reply('Mina', 'general', 'read', { member: stage.person('Alex') }, { subcommand: 'mute' })
    stage.sandbox.act.deleteMessage(stage.person('Mina'), id)
    await expect.poll(() => stage.results()).toEqual({ deleted: 1, mutedBySelf: 1, mutedByManager: 1, heard: 1 })
  })

  it('names who wrote again after somebody whose name has no sound', async () => {
    stage.choose({ saysName: true })
    stage.sandbox.act.setNick(stage.guildId, stage.person('Haru'), '★☆')
    await stage.readHere()
    const listener = stage.listen()
    for (const [name, text] of [['Mina', 'One.'], ['Haru', 'Two.'], ['Mina', 'Three.']] as const) stage.post(name, text)
    await expectHeard(listener, 'Mina. One.', 'Two.', 'Mina. Three.')
  })

  it('may be a private thread, once somebody has mentioned the bot in it', async () => {
    const { act, world } = stage.sandbox
    const thread = act.startThread(stage.person('Mina'), stage.channel('general'), 'backstage', { isPrivate: true })
    expect(await stage.readHere('Mina', 'backstage')).toMatch(/private thread, mention me/)
    act.addToThread(thread.id, world.application.id)
    await expect.poll(() => stage.bot.client.channels.cache.has(thread.id)).toBe(true)
    expect(await stage.readHere('Mina', 'backstage')).toContain(`<#${thread.id}>`)
    const listener = stage.listen()
    stage.post('Mina', 'Between us.', 'backstage')
    await expectHeard(listener, 'Between us.')
    await stage.restart()
    await stage.register(stage.node)
    await expect.poll(() => stage.botIn()).toBe('Lounge')
    stage.post('Mina', 'Still here.', 'backstage')
    await expect.poll(() => stage.node.received.map(({ input }) => input)).toContain('Still here.')
  })

  it('is told when the role of those who are read is deleted, without mentioning anybody', async () => {
    const { act, world } = stage.sandbox
    const [readers, others] = [act.addRole(stage.guildId, 'Readers'), act.addRole(stage.guildId, 'Others')]
    stage.choose({ readerRoleId: readers })
    await stage.readHere()
    act.deleteRole(stage.guildId, others)
    act.deleteRole(stage.guildId, readers)
    const told = () => [...world.messages.values()].filter(({ content }) => content.includes('role'))
    await expect.poll(() => told().map(({ channelId, mentionedUserIds }) => [channelId, mentionedUserIds])).toEqual([[stage.channel('general'), []]])
    expect(told()[0]?.content).toMatch(/nobody/)
  })

  it('is not read any more after /read stop', async () => {
    await stage.readHere()
    const listener = stage.listen()
    stage.post('Mina', 'Before.')
    await expectHeard(listener, 'Before.')
    await expect.poll(() => stage.results()).toEqual({ heard: 1 })
    expect((await stage.reply('Mina', 'general', 'read', {}, { subcommand: 'stop' })).content).toMatch(/don’t read/)
    stage.post('Mina', 'After.')
    expect((await stage.reply('Mina', 'general', 'read', {}, { subcommand: 'stop' })).content).toMatch(/is not being read/)
    expect([stage.bot.app.sessions.get(stage.guildId)?.queued(), await stage.results()]).toEqual([0, { heard: 1 }])
  })
})

describe('a message that is not read is counted with its reason', () => {
  beforeEach(() => stage.readHere())

  /** What the one message that is posted now ends as. */
  async function resultOf(post: () => unknown): Promise<string> {
    const before = await stage.results()
    post()
    let changed: string | undefined
    await expect.poll(async () => {
      const now = await stage.results()
      return (changed = Object.keys(now).find((result) => now[result] !== before[result]))
    }).toBeDefined()
    return changed ?? ''
  }

  const general = () => stage.channel('general')

  it('who wrote it', async () => {
    const { act } = stage.sandbox
    const bot = act.addMember(stage.guildId, 'Jukebox', { bot: true })
    expect(await resultOf(() => act.sendMessage(bot, general(), 'Now playing.'))).toBe('bot')
    expect(await resultOf(() => act.postByWebhook('1234567890123456789', general(), 'Weather', 'Rain.'))).toBe('webhook')
    expect(await resultOf(() => act.postSystemMessage(stage.person('Haru'), general(), 7))).toBe('system')
    stage.choose({ onlyInVoice: true })
    expect(await resultOf(() => stage.post('Haru', 'I am not there.'))).toBe('notInVoice')
    const roleId = act.addRole(stage.guildId, 'Readers')
    stage.choose({ onlyInVoice: false, readerRoleId: roleId })
    expect(await resultOf(() => stage.post('Mina', 'I have no role.'))).toBe('role')
    act.setRoles(stage.guildId, stage.person('Mina'), [roleId])
    expect(await resultOf(() => stage.post('Mina', 'Now I have.'))).toBe('heard')
  })

  it('bots and webhooks are heard where the server wants them, under their names', async () => {
    stage.choose({ readsBots: true, readsWebhooks: true, saysName: true })
    const listener = stage.listen()
    const bot = stage.sandbox.act.addMember(stage.guildId, 'Jukebox', { bot: true })
    stage.sandbox.act.sendMessage(bot, general(), 'Now playing.')
    stage.sandbox.act.postByWebhook('1234567890123456789', general(), 'Weather', 'Rain.')
    stage.sandbox.act.postByWebhook('1234567890123456789', general(), 'Weather', 'More rain.')
    stage.sandbox.act.postByWebhook('1234567890123456789', general(), 'News', 'Nothing new.')
    await expectHeard(listener, 'Jukebox. Now playing.', 'Weather. Rain.', 'More rain.', 'News. Nothing new.')
  })

  it('what was written', async () => {
    expect(await resultOf(() => stage.post('Mina', '; not this one'))).toBe('prefix')
    expect(await resultOf(() => stage.post('Mina', '...'))).toBe('empty')
    const long = 'word '.repeat(399)
    expect(await resultOf(() => stage.post('Mina', long))).toBe('heard')
    expect(stage.node.received.map(({ input }) => input).join('').length).toBeLessThan(400)
  }, 120_000)

  it('who does not want to be read, and who shall not be', async () => {
    const mute = (who: string, options = {}) => stage.reply(who, 'general', 'read', options, { subcommand: 'mute' })
    const unmute = (who: string, options = {}) => stage.reply(who, 'general', 'read', options, { subcommand: 'unmute' })
    await mute('Haru')
    expect(await resultOf(() => stage.post('Haru', 'Not me.'))).toBe('mutedBySelf')
    await unmute('Haru')
    expect((await mute('Haru', { member: stage.person('Alex') })).content).toMatch(/サーバー管理/)
    expect((await mute('Mina', { member: stage.person('Haru') })).mentionedUserIds).toEqual([])
    expect(await resultOf(() => stage.post('Haru', 'Not him.'))).toBe('mutedByManager')
    expect((await unmute('Haru')).content).toMatch(/管理する人がミュート/)
    await stage.restart()
    await stage.register(stage.node)
    await expect.poll(() => stage.botIn()).toBe('Lounge')
    expect(await resultOf(() => stage.post('Haru', 'Still not him.'))).toBe('mutedByManager')
    await unmute('Mina', { member: stage.person('Haru') })
    expect(await resultOf(() => stage.post('Haru', 'Him again.'))).toBe('heard')
  })

  it('the queue is full, which is told once', async () => {
    const { act } = stage.sandbox
    stage.node.fault = 'hang'
    const people = Array.from({ length: 8 }, (_, index) => act.addMember(stage.guildId, `Person ${index}`))
    for (const person of people) for (let turn = 0; turn < 7; turn++) act.sendMessage(person, general(), `${person} ${turn}`)
    await expect.poll(async () => (await stage.results())['queueFull']).toBe(5)
    await expect.poll(() => [...stage.sandbox.world.messages.values()].filter(({ content }) => content.includes('queue here is full')).length).toBeGreaterThan(0)
    await stage.reply('Mina', 'general', 'stop')
    await expect.poll(() => stage.results()).toEqual({ queueFull: 5, skipped: 51 })
  })

  it('nobody is there to hear it, or the bot is not', async () => {
    stage.exit('Mina')
    await expect.poll(() => stage.bot.client.guilds.cache.get(stage.guildId)?.voiceStates.cache.get(stage.person('Mina'))?.channelId).toBeNull()
    expect(await resultOf(() => stage.post('Haru', 'Hello?'))).toBe('nobody')
    await stage.reply('Mina', 'general', 'leave')
    expect(await resultOf(() => stage.post('Haru', 'Hello again?'))).toBe('notHere')
  })

  it('no node can say it, which is told', async () => {
    stage.node.fault = 'refuseText'
    expect(await resultOf(() => stage.post('Mina', 'Hmm.'))).toBe('failed')
    await expect.poll(() => [...stage.sandbox.world.messages.values()].some(({ content }) => content.startsWith('⚠️'))).toBe(true)
  })
})
