import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { expectHeard, openReading } from './test-reading.ts'
import type { ReadingStage } from './test-reading.ts'

const GRACE_MS = 10_000

let clock: ManualClock
let stage: ReadingStage

beforeEach(async () => {
  clock = manualClock()
  stage = await openReading({ clock })
})

afterEach(() => stage.close())

const inVoice = (channel: string | undefined) => expect.poll(() => stage.botIn()).toBe(channel)

const session = () => stage.bot.app.sessions.get(stage.guildId)

/** The bot knows it too: what people did before this has reached it. */
const settled = () => stage.reply('Alex', 'read-aloud', 'status')

/** Nothing plays any more: time may go on without anybody missing the packets that would go out in it. */
const quiet = () => expect.poll(() => session()?.queued()).toBe(0)

/** Whether the bot has said this in a channel. */
const notice = (words: string) => [...stage.sandbox.world.messages.values()].some(({ content, onlyForUserId }) => onlyForUserId === null && content.includes(words))

async function readLounge(): Promise<void> {
  stage.enter('Mina')
  await stage.readHere()
  await inVoice('Lounge')
}

describe('a bot that reads', () => {
  it('comes at once when people are there, and else with the first person', async () => {
    expect(await stage.reply('Mina', 'general', 'read', { 'voice-channel': stage.channel('Lounge') }, { subcommand: 'here' })).toMatchObject({
      content: expect.stringMatching(/as soon as somebody enters/) as string
    })
    expect(session()).toBeUndefined()
    stage.enter('Haru')
    await inVoice('Lounge')
    const listener = stage.listen()
    stage.post('Haru', 'It came by itself.')
    await expectHeard(listener, 'It came by itself.')
  })

  it('leaves ten seconds after the last person, and comes back with the next', async () => {
    await readLounge()
    stage.exit('Mina')
    await settled()
    await clock.advance(GRACE_MS - 1)
    expect(stage.botIn()).toBe('Lounge')
    await clock.advance(1)
    await inVoice(undefined)
    stage.enter('Alex')
    await inVoice('Lounge')
  })

  it('stays when somebody comes back within that time', async () => {
    await readLounge()
    stage.exit('Mina')
    await settled()
    await clock.advance(GRACE_MS - 1_000)
    stage.enter('Haru')
    await settled()
    await clock.advance(GRACE_MS * 2)
    expect(stage.botIn()).toBe('Lounge')
  })

  it('counts somebody who was moved out as gone, and other bots as nobody', async () => {
    await readLounge()
    const bot = stage.sandbox.act.addMember(stage.guildId, 'Jukebox', { bot: true })
    stage.sandbox.act.joinVoice(bot, stage.channel('Lounge'))
    stage.sandbox.act.moveVoice(stage.person('Mina'), stage.channel('Stage left'))
    await settled()
    await clock.advance(GRACE_MS)
    await inVoice(undefined)
  })

  it('does not come for another bot', async () => {
    await stage.reply('Mina', 'general', 'read', { 'voice-channel': stage.channel('Lounge') }, { subcommand: 'here' })
    const bot = stage.sandbox.act.addMember(stage.guildId, 'Jukebox', { bot: true })
    stage.sandbox.act.joinVoice(bot, stage.channel('Lounge'))
    await settled()
    expect(session()).toBeUndefined()
  })

  it('leaves what /join brought it to, too, and stays where the server wants it to stay', async () => {
    stage.choose({ autoLeave: false })
    stage.enter('Mina')
    await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)
    stage.exit('Mina')
    await settled()
    await clock.advance(GRACE_MS * 3)
    expect(stage.botIn()).toBe('Lounge')
    stage.choose({ autoLeave: true })
    stage.enter('Mina')
    stage.exit('Mina')
    await settled()
    await clock.advance(GRACE_MS)
    await inVoice(undefined)
  })

  it('leaves after the idle time without a word, says so, and is not overruled when it was sent away', async () => {
    await readLounge()
    stage.choose({ idleMinutes: 5 })
    const listener = stage.listen()
    await clock.advance(4 * 60_000)
    stage.post('Mina', 'A word.')
    await expectHeard(listener, 'A word.')
    await quiet()
    await clock.advance(4.5 * 60_000)
    expect(stage.botIn()).toBe('Lounge')
    await clock.advance(60_000)
    await inVoice(undefined)
    await expect.poll(() => notice('Nothing was said')).toBe(true)
    stage.enter('Haru')
    await settled()
    expect(session()).toBeUndefined()
  })

  it('goes to another channel that it reads to when its own has emptied', async () => {
    await readLounge()
    stage.enter('Haru', 'Stage left')
    expect(await stage.readHere('Haru', 'read-aloud')).toContain(stage.channel('Lounge'))
    expect(stage.botIn()).toBe('Lounge')
    stage.post('Haru', 'Nobody reads this.', 'read-aloud')
    await expect.poll(() => stage.results()).toEqual({ notHere: 1 })
    stage.exit('Mina')
    await settled()
    await clock.advance(GRACE_MS)
    await inVoice('Stage left')
    const listener = stage.listen('Stage left')
    stage.post('Haru', 'Now it is read.', 'read-aloud')
    await expectHeard(listener, 'Now it is read.')
  })

  it('follows when a moderator moves it, and reads there what was read before', async () => {
    await readLounge()
    stage.enter('Haru', 'Stage left')
    stage.sandbox.act.moveVoice(stage.sandbox.world.application.id, stage.channel('Stage left'))
    await inVoice('Stage left')
    await expect.poll(() => session()?.channelId()).toBe(stage.channel('Stage left'))
    const listener = stage.listen('Stage left')
    stage.post('Mina', 'Heard over there.')
    await expectHeard(listener, 'Heard over there.')
    expect(stage.bot.app.readings.at(stage.channel('general'))?.voiceChannelId).toBe(stage.channel('Lounge'))
  })

  it('leaves some of what a member floods it with out, and tells them once', async () => {
    await readLounge()
    for (let number = 0; number < 16; number++) stage.post('Haru', `${number}.`)
    stage.post('Mina', 'Others go on.')
    await expect.poll(() => stage.results()).toMatchObject({ flood: 6, heard: 11 })
    const told = [...stage.sandbox.world.messages.values()].filter(({ content }) => content.startsWith('⏳'))
    expect(told.map(({ content, mentionedUserIds }) => [content.includes(`<@${stage.person('Haru')}>`), mentionedUserIds])).toEqual([[true, []]])
    await clock.advance(2_000)
    stage.post('Haru', 'One more.')
    await expect.poll(() => stage.results()).toMatchObject({ flood: 6, heard: 12 })
  })

  it('leaves out what has waited for too long, and says so', async () => {
    await readLounge()
    const listener = stage.listen()
    const { id } = stage.post('Mina', 'This one takes long. '.repeat(10))
    for (const text of ['Too old by then.', 'This one too.']) stage.post('Mina', text)
    await expect.poll(() => session()?.queued()).toBe(3)
    for (let second = 1; second <= 91; second++) {
      await listener.heard(second)
      await clock.advance(1_000)
    }
    stage.sandbox.act.deleteMessage(stage.person('Mina'), id)
    await expect.poll(() => stage.results()).toEqual({ deleted: 1, old: 2 })
    await expect.poll(() => notice('waited for more than 90 s')).toBe(true)
  })

  it('says in the text channel why it can’t come', async () => {
    await stage.reply('Mina', 'general', 'read', { 'voice-channel': stage.channel('Lounge') }, { subcommand: 'here' })
    const connect = 1n << 20n
    stage.sandbox.act.setOverwrites(stage.channel('Lounge'), [{ id: stage.sandbox.world.application.id, kind: 'member', allow: 0n, deny: connect }])
    stage.enter('Haru')
    await expect.poll(() => notice('I may not enter')).toBe(true)
    expect(stage.botIn()).toBeUndefined()
  })
})

describe('announcements', () => {
  beforeEach(async () => {
    stage.choose({ announces: true })
    await readLounge()
  })

  it('tell who comes and who goes, by their name here, and never of bots or who is muted', async () => {
    const listener = stage.listen()
    stage.sandbox.act.setNick(stage.guildId, stage.person('Haru'), 'Captain')
    stage.bot.app.mutes.set(stage.guildId, stage.person('Jisoo'), 'self', true)
    stage.enter('Jisoo')
    stage.enter('Haru')
    const bot = stage.sandbox.act.addMember(stage.guildId, 'Jukebox', { bot: true })
    stage.sandbox.act.joinVoice(bot, stage.channel('Lounge'))
    await expectHeard(listener, 'Captain joined.')
    await quiet()
    await clock.advance(60_000)
    stage.sandbox.act.moveVoice(stage.person('Haru'), stage.channel('Stage left'))
    await expectHeard(listener, 'Captain joined.', 'Captain left.')
  })

  it('are in the server’s language and voice', async () => {
    stage.choose({ language: 'ja' })
    stage.bot.app.preferences.set({ guildId: stage.guildId }, { pitch: 2 })
    const listener = stage.listen()
    stage.enter('Haru')
    await expectHeard(listener, 'Haruさんが入りました。')
    expect(stage.node.received[0]?.how).toMatchObject({ language: 'ja', pitch: 2 })
  })

  it('of somebody whose line comes and goes are one', async () => {
    const listener = stage.listen()
    for (let turn = 0; turn < 5; turn++) {
      stage.enter('Haru')
      stage.exit('Haru')
    }
    stage.enter('Haru')
    await expectHeard(listener, 'Haru joined.')
    await quiet()
    await clock.advance(60_000)
    stage.enter('Alex')
    await expectHeard(listener, 'Haru joined.', 'Alex joined.')
  })
})
