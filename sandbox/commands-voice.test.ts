import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import type { Voice } from '../bot/wire/node.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { FLAG } from './messages.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Interaction, Message } from './world.ts'

const voice = (id: string, name: string, language: string): Voice => ({ id, name, language, engine: 'fault' })
const ENGLISH = [voice('heart', 'Heart', 'en-US'), voice('emma', 'Emma', 'en-GB')]
const JAPANESE = [voice('mei', 'Mei', 'ja'), ...Array.from({ length: 150 }, (_, index) => voice(`zunda-${index}`, `ずんだ ${index}`, 'ja'))]

const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

let stage: Stage
let english: FaultNode
let japanese: FaultNode

beforeEach(async () => {
  stage = await openStage()
  english = await startFaultNode({ serverId: 'english', voices: ENGLISH })
  japanese = await startFaultNode({ serverId: 'japanese', voices: JAPANESE })
  for (const node of [english, japanese]) await stage.register(node)
  await expect.poll(() => stage.bot.app.pool.nodes().map(({ voices = [] }) => voices.length)).toEqual([ENGLISH.length, JAPANESE.length])
})

afterEach(async () => {
  await stage.close()
  for (const node of [english, japanese]) await node.close()
})

const set = (name: string, options: Record<string, string | number>) => stage.reply(name, 'general', 'voice', options, { subcommand: 'set' })
const show = (name: string) => stage.reply(name, 'general', 'voice', {}, { subcommand: 'show' })

/** Says it as a file, and tells what the node was asked for. */
async function heardBy(name: string, options: Record<string, string | number> = {}) {
  const text = `Number ${english.received.length + japanese.received.length}.`
  await stage.reply(name, 'general', 'say', { text, deliver: 'file', ...options })
  return [english, japanese].flatMap(({ received }) => received).find(({ input }) => input === text)?.how
}

/** All that a command was answered with, once there are so many messages. */
async function messagesOf(interaction: Interaction, count: number): Promise<Message[]> {
  const there = () => [...stage.sandbox.world.messages.values()].filter(({ interactionId, flags }) => interactionId === interaction.id && !(flags & FLAG.loading))
  await stage.sandbox.act.until(() => there().length === count)
  return there()
}

describe('/voice set', () => {
  it('counts from the narrowest scope, field by field, and what /say asks for before all', async () => {
    expect((await set('Mina', { voice: 'emma', speed: 0.5, pitch: -2, volume: 0.5, scope: 'server' })).content).toMatch(/default/)
    expect(await heardBy('Alex')).toEqual({ voice: 'emma', speed: 0.5, pitch: -2, volume: 0.5, language: undefined })
    await set('Alex', { voice: 'mei', speed: 1.5 })
    expect(await heardBy('Alex')).toMatchObject({ voice: 'mei', speed: 1.5, pitch: -2, volume: 0.5 })
    await set('Alex', { speed: 2, scope: 'here' })
    expect(await heardBy('Alex')).toMatchObject({ voice: 'mei', speed: 2, pitch: -2 })
    expect(await heardBy('Alex', { voice: 'heart', pitch: 3 })).toMatchObject({ voice: 'heart', speed: 2, pitch: 3, volume: 0.5 })
    expect(await heardBy('Haru')).toMatchObject({ voice: 'emma', speed: 0.5 })
    await set('Alex', { voice: 'auto', scope: 'here' })
    expect(await heardBy('Alex')).toMatchObject({ voice: 'auto', speed: 2 })
  })

  it('outlives a restart, and is shown with whose choice it is', async () => {
    await set('Jisoo', { voice: 'Mei', volume: 0.8 })
    await set('Jisoo', { volume: 1.2, scope: 'here' })
    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes().filter(({ voices }) => voices !== undefined).length).toBe(2)
    const { content, onlyForUserId } = await show('Jisoo')
    expect(onlyForUserId).toBe(stage.person('Jisoo'))
    expect(content).toMatch(/목소리: \*\*Mei\*\* · 내 전체 설정\n속도: \*\*1배\*\* · 정하지 않음/)
    expect(content).toMatch(/음량: \*\*1\.2배\*\* · 이 서버에서의 내 설정/)
    expect(await heardBy('Jisoo')).toMatchObject({ voice: 'mei', volume: 1.2 })
  })

  it('changes a server’s default for those alone who manage it', async () => {
    expect((await set('Haru', { speed: 3, scope: 'server' })).content).toMatch(/サーバー管理/)
    expect((await stage.reply('Haru', 'general', 'voice', { scope: 'server' }, { subcommand: 'reset' })).content).toMatch(/サーバー管理/)
    expect(await heardBy('Haru')).toMatchObject({ speed: 1 })
  })

  it.each([
    ['Mina', /no voice “Haert”.*\nDid you mean \*\*Heart\*\* `heart`/],
    ['Haru', /「Haert」という声はいまありません。\nもしかして: \*\*Heart\*\* `heart`/],
    ['Jisoo', /“Haert” 목소리가 없어요\.\n혹시 \*\*Heart\*\* `heart`/]
  ])('refuses a voice that nobody has, with what is close, in the language of %s', async (name, word) => {
    expect((await set(name, { voice: 'Haert' })).content).toMatch(word)
    expect((await stage.reply(name, 'general', 'say', { text: 'Hello.', voice: 'Haert' })).content).toMatch(word)
    expect([english, japanese].flatMap(({ received }) => received)).toEqual([])
  })

  it('wants something to set, within bounds', async () => {
    expect((await set('Mina', {})).content).toMatch(/Choose a voice/)
    expect(() => stage.slash('Mina', 'general', 'voice', { speed: 9 }, { subcommand: 'set' })).toThrow('at most 4')
  })
})

describe('/voice reset', () => {
  it('forgets one scope, or all that is one’s own', async () => {
    for (const scope of ['everywhere', 'here', 'server']) await set('Mina', { speed: { everywhere: 1.5, here: 2, server: 3 }[scope] ?? 1, scope })
    const reset = (options = {}) => stage.reply('Mina', 'general', 'voice', options, { subcommand: 'reset' })
    expect((await reset({ scope: 'here' })).content).toMatch(/Speed: \*\*× 1\.5\*\*/)
    expect((await reset()).content).toMatch(/Speed: \*\*× 3\*\* · this server/)
    expect((await reset({ scope: 'server' })).content).toMatch(/Speed: \*\*× 1\*\* · nobody/)
  })
})

describe('the suggestions of voices', () => {
  const suggest = (name: string, typed: string, command = 'voice', path = { subcommand: 'set' }) =>
    stage.sandbox.act.autocomplete(stage.person(name), stage.channel('general'), command, { voice: typed, ...(command === 'say' && { text: 'Hi.' }) }, 'voice', command === 'say' ? {} : path)

  it('are at most 25, the automatic one and those of one’s own language first', async () => {
    const inEnglish = await suggest('Mina', '')
    expect(inEnglish.map(({ value }) => value).slice(0, 4)).toEqual(['auto', 'emma', 'heart', 'mei'])
    const inJapanese = await suggest('Haru', '')
    expect([inJapanese.length, inJapanese[0]?.name, inJapanese[1]?.name]).toEqual([25, '自動（文章に合わせる）', 'Mei · 日本語 · fault'])
  })

  it('find what is meant, in /say too', async () => {
    expect((await suggest('Mina', 'hrt', 'say'))[0]).toEqual({ name: 'Heart · American English · fault', value: 'heart' })
    expect((await suggest('Mina', 'ずんだ 59')).map(({ value }) => value)[0]).toBe('zunda-59')
    expect(await suggest('Mina', 'qqqq')).toEqual([])
  })
})

describe('/voice list', () => {
  it('shows all of them by pages whose buttons outlive a restart', async () => {
    const first = await stage.reply('Haru', 'general', 'voice', {}, { subcommand: 'list' })
    expect(first.content).toMatch(/^声 153 種類 · 1 \/ (\d) ページ\n\*\*日本語\*\*\nMei `mei` · fault\n/)
    expect(first.content.length).toBeLessThanOrEqual(2000)
    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes().filter(({ voices }) => voices !== undefined).length).toBe(2)
    const pressed = stage.sandbox.act.button(stage.person('Haru'), first.id, 'voice:list:1')
    await stage.sandbox.act.until(() => pressed.state === 'answered')
    const second = stage.sandbox.world.messages.get(first.id)
    expect(second?.content).toMatch(/ · 2 \/ \d ページ\n/)
    expect(second?.content).not.toContain('`mei`')
    expect(second?.onlyForUserId).toBe(stage.person('Haru'))
  })
})

describe('/voice preview', () => {
  it('is heard by who asks alone, and its button keeps what was tried', async () => {
    const reply = await stage.reply('Haru', 'general', 'voice', { voice: 'Mei', speed: 1.2, pitch: 1 }, { subcommand: 'preview' })
    const [asked] = japanese.received
    expect([asked?.input, asked?.how]).toEqual(['こんにちは。わたしは、こんな声です。', { voice: 'mei', speed: 1.2, pitch: 1, volume: undefined, language: asked?.how.language }])
    const parsed = parseOggOpus(reply.attachments[0]?.bytes ?? new Uint8Array())
    expect(parsed.ok && hex(parsed.stream.packets)).toEqual(hex(packetsFor(asked?.input ?? '')))
    expect([reply.onlyForUserId, reply.content]).toEqual([stage.person('Haru'), expect.stringMatching(/\*\*Mei\*\* · \d\.\d 秒 · あなただけ/)])
    expect((await show('Haru')).content).not.toContain('Mei')

    const [button] = (reply.components as { components: { custom_id: string }[] }[]).flatMap(({ components }) => components)
    await stage.restart()
    const pressed = stage.sandbox.act.button(stage.person('Haru'), reply.id, button?.custom_id ?? '')
    expect((await stage.sandbox.act.replyOf(pressed.id)).onlyForUserId).toBe(stage.person('Haru'))
    expect(stage.bot.app.preferences.get({ userId: stage.person('Haru') })).toEqual({ voice: 'mei', speed: 1.2, pitch: 1 })
  })

  it('comes in smaller files when Discord takes less than it said', async () => {
    const guild = stage.sandbox.world.guilds.get(stage.guildId)
    // Only once the interaction has told of the greater one.
    stage.sandbox.world.events.on('interactionChanged', ({ state }) => {
      if (state === 'deferred' && guild !== undefined) guild.uploadLimitBytes = 800
    })
    const reply = await stage.reply('Haru', 'general', 'voice', { voice: 'Mei', text: 'A sentence that is long enough for more than one small file, and a few words more.' }, { subcommand: 'preview' })
    const packets = reply.attachments.flatMap(({ bytes }) => {
      const parsed = parseOggOpus(bytes)
      return parsed.ok ? parsed.stream.packets : []
    })
    expect(reply.attachments.length).toBeGreaterThan(1)
    expect(hex(packets)).toEqual(hex(japanese.received.flatMap(({ input }) => packetsFor(input))))
  })

  it('speaks as the member would here, and what they write', async () => {
    await set('Jisoo', { voice: 'emma', speed: 0.8 })
    const reply = await stage.reply('Jisoo', 'general', 'voice', { text: 'Just a try.' }, { subcommand: 'preview' })
    expect([english.received[0]?.input, english.received[0]?.how]).toMatchObject(['Just a try.', { voice: 'emma', speed: 0.8 }])
    expect([reply.attachments.length, reply.components]).toEqual([1, []])
  })
})

describe('a preferred voice whose node has died', () => {
  it('is replaced by one that fits the text, so that the member is heard, and told so once', async () => {
    await set('Mina', { voice: 'mei' })
    await japanese.kill()
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    const texts = ['Still to be heard.', 'And again.']
    const [first, second] = [stage.slash('Mina', 'general', 'say', { text: texts[0] ?? '' }), stage.slash('Mina', 'general', 'say', { text: texts[1] ?? '' })]
    for (const said of [first, second]) await stage.replyLike(said, /Said in/)
    expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(texts.flatMap(packetsFor)))
    expect(english.received.map(({ how }) => how.voice)).toEqual(['auto', 'auto'])
    expect((await messagesOf(first, 2))[1]).toMatchObject({ content: expect.stringMatching(/“mei” is not to be had/) as string, onlyForUserId: stage.person('Mina') })
    expect((await show('Mina')).content).toMatch(/⚠️ “mei”/)
    expect((await messagesOf(second, 1)).length).toBe(1)
  })

  it('is not replaced where it was asked for now', async () => {
    await japanese.kill()
    await stage.registry('unregister', { serverId: 'japanese' })
    await stage.bot.app.sync.now()
    expect((await stage.reply('Mina', 'general', 'say', { text: 'In this voice.', voice: 'mei', deliver: 'file' })).content).toMatch(/no voice “mei”/)
    expect(english.received).toEqual([])
  })
})
