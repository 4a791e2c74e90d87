import { once } from 'node:events'
import { Events, GatewayIntentBits, MessageFlags, MessageReferenceType, Partials } from 'discord.js'
import type { Client, Message } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loggedIn, sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

const PLAIN = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates, GatewayIntentBits.GuildMessages]
const IMAGE = { filename: 'cat.png', contentType: 'image/png', bytes: new Uint8Array(4) }

let bot: SandboxWithBot
let mina: string
let general: string

beforeEach(async () => {
  bot = await sandboxWithBot()
  mina = bot.user('Mina')
  general = bot.channel('general')
})
afterEach(() => bot.close())

/** The message as discord.js gives it, of something that is done now. */
async function heard(post: () => { id: string } | Promise<{ id: string }>, client: Client = bot.client): Promise<Message> {
  const messages = new Map<string, Message>()
  const keep = (message: Message) => void messages.set(message.id, message)
  client.on(Events.MessageCreate, keep)
  const { id } = await post()
  await expect.poll(() => messages.has(id)).toBe(true)
  client.off(Events.MessageCreate, keep)
  const message = messages.get(id)
  if (message === undefined) throw new Error('it was not heard')
  return message
}

describe('what people post, as discord.js hears it', () => {
  it('stickers alone', async () => {
    const message = await heard(() => bot.sandbox.act.sendMessage(mina, general, '', { stickers: ['Wave'] }))
    expect([message.content, message.stickers.map(({ name }) => name), message.system]).toEqual(['', ['Wave'], false])
  })

  it('a poll', async () => {
    const { poll } = await heard(() => bot.sandbox.act.sendMessage(mina, general, '', { poll: { question: 'Tea?', answers: ['Yes', 'No'] } }))
    expect([poll?.question.text, poll?.answers.map(({ text }) => text)]).toEqual(['Tea?', ['Yes', 'No']])
  })

  it('a voice message', async () => {
    const voice = { filename: 'voice-message.ogg', contentType: 'audio/ogg', bytes: new Uint8Array(4), durationSecs: 1, waveform: 'AA==' }
    const message = await heard(() => bot.sandbox.act.sendMessage(mina, general, '', { attachments: [voice], isVoiceMessage: true }))
    expect([message.flags.has(MessageFlags.IsVoiceMessage), message.attachments.first()?.duration]).toEqual([true, 1])
  })

  it('a forwarded message: no words of its own, and what it was then', async () => {
    const original = bot.sandbox.act.sendMessage(mina, general, 'Look at this.', { attachments: [IMAGE] })
    const message = await heard(() => bot.sandbox.act.forwardMessage(bot.user('Haru'), general, original.id))
    const snapshot = message.messageSnapshots.first()
    expect([message.content, message.reference?.type]).toEqual(['', MessageReferenceType.Forward])
    expect([snapshot?.content, snapshot?.attachments.first()?.contentType]).toEqual(['Look at this.', 'image/png'])
  })

  it('a webhook: a name, and no member', async () => {
    const message = await heard(() => bot.sandbox.act.postByWebhook('1234567890123456789', general, 'Weather', 'Rain at noon.'))
    expect([message.webhookId, message.author.username, message.member, message.applicationId]).toEqual(['1234567890123456789', 'Weather', null, null])
  })

  it('another bot, and what Discord itself writes', async () => {
    const other = bot.sandbox.act.addMember(bot.guild.id, 'Jukebox', { bot: true })
    const message = await heard(() => bot.sandbox.act.sendMessage(other, general, 'Now playing.'))
    expect([message.author.bot, message.member?.displayName, message.webhookId]).toEqual([true, 'Jukebox', null])
    expect((await heard(() => bot.sandbox.act.postSystemMessage(mina, general, 7))).system).toBe(true)
  })

  it('in a thread, in a voice channel’s own chat', async () => {
    const thread = bot.sandbox.act.startThread(mina, general, 'side talk')
    const message = await heard(() => bot.sandbox.act.sendMessage(mina, thread.id, 'In here.'))
    expect([message.channel.isThread(), message.channel.isThread() && message.channel.parentId]).toEqual([true, general])
    expect((await heard(() => bot.sandbox.act.sendMessage(mina, bot.channel('Lounge'), 'Hi.'))).channelId).toBe(bot.channel('Lounge'))
  })

  it('is told of deletions, one by one and many at once', async () => {
    const client = await loggedIn(bot.sandbox, { partials: [Partials.Message] })
    const posts = ['a', 'b', 'c'].map((text) => bot.sandbox.act.sendMessage(mina, general, text))
    const one = once(client, Events.MessageDelete)
    bot.sandbox.act.deleteMessage(mina, posts[0]?.id ?? '')
    expect(((await one) as [Message])[0].id).toBe(posts[0]?.id)
    const many = once(client, Events.MessageBulkDelete)
    bot.sandbox.act.purge(posts.map(({ id }) => id))
    expect([...((await many) as [Map<string, Message>])[0].keys()]).toEqual([posts[1]?.id, posts[2]?.id])
    await client.destroy()
  })
})

describe('the message-content intent', () => {
  it('hides what was written from a bot without it, and nothing else', async () => {
    const client = await loggedIn(bot.sandbox, { intents: PLAIN })
    const original = bot.sandbox.act.sendMessage(mina, general, 'Secret.', { attachments: [IMAGE] })
    const hidden = await heard(() => bot.sandbox.act.sendMessage(mina, general, 'Hello', { attachments: [IMAGE], stickers: ['Wave'] }), client)
    expect([hidden.content, hidden.attachments.size, hidden.stickers.size, hidden.author.username]).toEqual(['', 0, 1, 'mina'])
    expect((await heard(() => bot.sandbox.act.sendMessage(mina, general, '', { poll: { question: 'Tea?', answers: [] } }), client)).poll).toBeNull()
    const forwarded = (await heard(() => bot.sandbox.act.forwardMessage(mina, general, original.id), client)).messageSnapshots.first()
    expect([forwarded?.content, forwarded?.attachments.size]).toEqual(['', 0])
    await client.destroy()
  })

  it('hides nothing that mentions the bot or is its own', async () => {
    const client = await loggedIn(bot.sandbox, { intents: PLAIN })
    const mention = `<@${bot.sandbox.world.application.id}> hi`
    expect((await heard(() => bot.sandbox.act.sendMessage(mina, general, mention), client)).content).toBe(mention)
    expect((await heard(async () => (await bot.api('POST', `/channels/${general}/messages`, { content: 'mine' })).json() as Promise<{ id: string }>, client)).content).toBe('mine')
    await client.destroy()
  })

  it('of an application that was not granted it counts over REST too, and its flags say so', async () => {
    const { id } = bot.sandbox.act.sendMessage(mina, general, 'Hello')
    const read = async () => ((await (await bot.api('GET', `/channels/${general}/messages/${id}`)).json()) as { content: string }).content
    const flags = async () => ((await (await bot.api('GET', '/applications/@me')).json()) as { flags: number }).flags
    expect([await read(), (await flags()) & (1 << 19)]).toEqual(['Hello', 1 << 19])
    bot.sandbox.switches.disallowedIntents = GatewayIntentBits.MessageContent
    expect([await read(), (await flags()) & (1 << 19)]).toEqual(['', 0])
    await expect(loggedIn(bot.sandbox)).rejects.toThrow('Used disallowed intents')
  })
})

describe('what the bot can’t read', () => {
  it('is the chat of a voice channel that it may not enter', async () => {
    const lounge = bot.channel('Lounge')
    const heardIn: string[] = []
    bot.client.on(Events.MessageCreate, ({ channelId }) => heardIn.push(channelId))
    bot.sandbox.act.setOverwrites(lounge, [{ id: bot.sandbox.world.application.id, kind: 'member', allow: 0n, deny: 1n << 20n }])
    bot.sandbox.act.sendMessage(mina, lounge, 'Not for the bot.')
    await heard(() => bot.sandbox.act.sendMessage(mina, general, 'For the bot.'))
    expect(heardIn).toEqual([general])
  })

  it('is a thread of a channel that it can’t see', async () => {
    const thread = bot.sandbox.act.startThread(mina, general, 'side talk')
    bot.sandbox.act.setOverwrites(general, [{ id: bot.sandbox.world.application.id, kind: 'member', allow: 0n, deny: 1n << 10n }])
    bot.sandbox.act.sendMessage(mina, thread.id, 'Not for the bot.')
    expect((await heard(() => bot.sandbox.act.sendMessage(mina, bot.channel('read-aloud'), 'For the bot.'))).content).toBe('For the bot.')
  })
})
