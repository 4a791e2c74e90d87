import { GatewayIntentBits } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { defaultSwitches } from './switches.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Attachment, Message } from './world.ts'

const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))
const picture: Omit<Attachment, 'id'> = { filename: 'cat.png', contentType: 'image/png', bytes: new Uint8Array(8) }
const recording: Omit<Attachment, 'id'> = { filename: 'voice-message.ogg', contentType: 'audio/ogg', bytes: new Uint8Array(8), durationSecs: 1, waveform: 'AAEC' }

let stage: Stage
let node: FaultNode

/** A bot that may not read what people write. */
beforeEach(async () => {
  stage = await openStage({ sandbox: { switches: { ...defaultSwitches(), disallowedIntents: GatewayIntentBits.MessageContent } } })
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

function write(name: string, content: string, more: Parameters<Stage['sandbox']['act']['sendMessage']>[3] = {}): Message {
  return stage.sandbox.act.sendMessage(stage.person(name), stage.channel('general'), content, more)
}
const use = (name: string, message: Message, entry = 'Read aloud') => stage.sandbox.act.menu(stage.person(name), message.id, entry)
const inputs = () => node.segments().join('')

describe('the menu of a message', () => {
  it('reads it in the channel of who asks, in its author’s voice or one’s own', async () => {
    stage.bot.app.preferences.set({ userId: stage.person('Haru') }, { speed: 1.5, pitch: 2 })
    stage.bot.app.preferences.set({ userId: stage.person('Mina') }, { speed: 0.5 })
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    const message = write('Haru', 'Hello from a message.')
    const reply = await stage.replyLike(use('Mina', message), /Said in/)
    await stage.replyLike(use('Mina', message, 'Read aloud in my voice'), /Said in/)
    expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex([...packetsFor('Hello from a message.'), ...packetsFor('Hello from a message.')]))
    expect(node.received.map(({ how: { speed, pitch } }) => [speed, pitch])).toEqual([[1.5, 2], [0.5, undefined]])
    expect(reply.onlyForUserId).toBe(stage.person('Mina'))
  })

  it('reads it to who asks alone, as a file, when they are in no channel', async () => {
    const reply = await stage.sandbox.act.replyOf(use('Jisoo', write('Haru', 'Only for you.')).id)
    const parsed = parseOggOpus(reply.attachments[0]?.bytes ?? new Uint8Array())
    expect(parsed.ok && hex(parsed.stream.packets)).toEqual(hex(packetsFor('Only for you.')))
    expect([reply.onlyForUserId, reply.content]).toEqual([stage.person('Jisoo'), '🎧 0.5초'])
  })

  it('reads pictures, stickers, polls, recordings, and what was forwarded', async () => {
    const original = write('Alex', 'The original words.', { attachments: [picture] })
    const messages = [
      write('Alex', 'Look at this', { attachments: [picture, picture] }),
      write('Alex', '', { stickers: ['Party Blob'] }),
      write('Alex', '', { poll: { question: 'Which fruit?', answers: ['Apple', 'Pear'] } }),
      write('Alex', '', { attachments: [recording], isVoiceMessage: true }),
      stage.sandbox.act.forwardMessage(stage.person('Alex'), stage.channel('general'), original.id)
    ]
    for (const message of messages) await stage.sandbox.act.replyOf(use('Mina', message).id)
    for (const words of [/Look at this.*2 images/s, /Party Blob/, /Which fruit.*Apple.*Pear/s, /a voice message/, /forwarded.*The original words.*an image/s]) expect(inputs()).toMatch(words)
  })

  it('speaks names that the bot has not met yet', async () => {
    const { guilds, users } = stage.bot.client
    const message = write('Alex', `Thank you <@${stage.person('Jisoo')}>!`)
    for (const guild of guilds.cache.values()) guild.members.cache.clear()
    users.cache.clear()
    await stage.sandbox.act.replyOf(use('Mina', message).id)
    expect(inputs()).toBe('Thank you Jisoo!')
  })

  it('reads a message of any length whole, and nothing where nothing can be said', async () => {
    const text = Array.from({ length: 260 }, (_, index) => `word${index}`).join(' ')
    await stage.sandbox.act.replyOf(use('Mina', write('Alex', text)).id)
    expect(inputs()).toBe(text)
    const before = node.received.length
    const reply = await stage.sandbox.act.replyOf(use('Haru', write('Alex', '***')).id)
    expect([reply.content, reply.onlyForUserId]).toEqual([expect.stringMatching(/読み上げられるものがありません/), stage.person('Haru')])
    expect(node.received.length).toBe(before)
  })

  it('has these two entries, in the language of who looks', () => {
    const menus = [...stage.sandbox.world.commands.values()].filter(({ data }) => data['type'] === 3)
    expect(menus.map(({ data }) => [data.name, data['name_localizations']])).toEqual([
      ['Read aloud', { ja: '読み上げる', ko: '소리 내어 읽기' }],
      ['Read aloud in my voice', { ja: '自分の声で読み上げる', ko: '내 목소리로 읽기' }]
    ])
    expect(() => use('Mina', write('Alex', 'Hi.'), 'Burn')).toThrow(/no Burn/)
  })
})

describe('/say', () => {
  it('speaks names that the bot has not met yet', async () => {
    for (const guild of stage.bot.client.guilds.cache.values()) guild.members.cache.clear()
    stage.bot.client.users.cache.clear()
    await stage.reply('Mina', 'general', 'say', { text: `Thank you <@${stage.person('Jisoo')}>!`, deliver: 'file' })
    expect(inputs()).toBe('Thank you Jisoo!')
  })
})
