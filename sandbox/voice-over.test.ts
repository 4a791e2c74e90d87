import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'

let stage: VoiceStage

beforeEach(async () => {
  stage = await openVoiceStage()
})

afterEach(() => stage.close())

const closeWith = (code: number) => stage.sandbox.voice.closeWith(stage.guildId, stage.botId, code)
const lounge = () => stage.channel('Lounge')
const forbid = (deny: bigint) => stage.sandbox.act.setOverwrites(lounge(), [{ id: stage.botId, kind: 'member', allow: 0n, deny }])

const VIEW = 1n << 10n
const CONNECT = 1n << 20n

/** What ends a session for good, and what people read of it. */
const ENDS: readonly [what: string, happens: () => void, sentence: RegExp][] = [
  ['its encryption is refused (4017)', () => closeWith(4017), /needs encryption/],
  ['Discord says that it connects too often (4021)', () => closeWith(4021), /too often/],
  ['Discord ends the call (4022)', () => closeWith(4022), /ended the call/],
  ['somebody disconnects it', () => stage.sandbox.act.kickVoice(stage.botId, stage.guildId), /disconnected me from/],
  ['somebody disconnects it while the gateway is down', kickUnseen, /disconnected me from/],
  ['its channel is deleted', () => stage.sandbox.act.deleteChannel(lounge()), /is gone/],
  ['it may not connect any more, and is put out', () => putOut(CONNECT), /“View Channel” and “Connect”/],
  ['it may not see the channel any more, and is put out', () => putOut(VIEW), /“View Channel” and “Connect”/],
  ['it may not connect any more, and loses its connection', () => loseConnectionWithout(CONNECT), /“View Channel” and “Connect”/],
  ['others took its place while it was away', loseFullChannel, /it is full now/]
]

function kickUnseen(): void {
  stage.sandbox.gateway.drop()
  stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
}

function putOut(deny: bigint): void {
  forbid(deny)
  stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
}

function loseConnectionWithout(deny: bigint): void {
  forbid(deny)
  void stage.until(() => isForbidden()).then(() => closeWith(4006))
}

/** The bot has heard of what it may not do any more. */
function isForbidden(): boolean {
  const guild = stage.bot.client.guilds.cache.get(stage.guildId)
  const channel = guild?.channels.cache.get(lounge())
  return guild?.members.me?.permissionsIn(lounge()).has(CONNECT) === false && channel !== undefined
}

/** It is dropped without a word, and somebody is quicker. */
function loseFullChannel(): void {
  const { act, world, gateway } = stage.sandbox
  const channel = world.guilds.get(stage.guildId)?.channels.get(lounge())
  if (channel === undefined) throw new Error('there is no Lounge')
  channel.userLimit = 2
  world.events.emit('channelChanged', channel)
  gateway.invalidateSessions(false)
  act.joinVoice(stage.person('Haru'), lounge())
}

describe('the session is over, its authors and its channel are told why, once, when', () => {
  it.each(ENDS)('%s', async (_, happens, sentence) => {
    const listener = stage.listen()
    const first = stage.say(LONG)
    const second = stage.say('This one has waited.')
    await listener.heard(15)
    happens()
    expect((await stage.replyLike(first, /Only the first/)).content).toMatch(sentence)
    expect((await stage.replyLike(second, sentence)).mentionedUserIds).toEqual([])
    await stage.until(() => stage.notices().length > 0)
    expect(stage.notices().map(({ content, mentionedUserIds }) => [sentence.test(content), mentionedUserIds])).toEqual([[true, []]])
    expect(stage.bot.app.sessions.get(stage.guildId)).toBeUndefined()
    await stage.until(() => stage.sandbox.voice.openSessions === 0)
    const heard = heardBy(listener)
    expect(heard.length).toBeLessThan(soundOf(LONG).length)
    expect(heard).toEqual(soundOf(LONG).slice(0, heard.length))
  })

  it('it is removed from the server, though there is nobody to tell', async () => {
    stage.say(LONG)
    await stage.listen().heard(15)
    stage.sandbox.act.removeBot(stage.guildId)
    await stage.until(() => stage.bot.app.sessions.all().length === 0)
    expect(stage.notices()).toEqual([])
    expect((await stage.bot.app.metrics.sessionsOver.get()).values.map(({ labels }) => labels.reason)).toEqual(['removed'])
  })

  it('somebody disconnects it just before it connects anew: it does not come back', async () => {
    await stage.close()
    const clock = manualClock()
    stage = await openVoiceStage({ clock })
    stage.slash('Mina', 'general', 'join')
    await stage.until(() => stage.state()?.status === 'ready', clock)
    closeWith(4000)
    await stage.until(() => stage.state()?.status === 'rejoining')
    stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
    await stage.until(() => stage.bot.client.guilds.cache.get(stage.guildId)?.members.me?.voice.channelId === null)
    await stage.until(() => stage.notices().length > 0, clock)
    expect(stage.notices()[0]?.content).toMatch(/disconnected me from/)
    expect([stage.bot.app.sessions.all(), stage.sandbox.world.guilds.get(stage.guildId)?.voiceStates.has(stage.botId)]).toEqual([[], false])
  })

  it('in the server’s own language', async () => {
    await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)
    const guild = stage.bot.client.guilds.cache.get(stage.guildId)
    if (guild === undefined) throw new Error('there is no server')
    Object.assign(guild, { preferredLocale: 'ja' })
    stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
    await stage.until(() => stage.notices().length > 0)
    expect(stage.notices()[0]?.content).toMatch(/から切断されました/)
  })

  it('nowhere where it may not write', async () => {
    await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)
    stage.sandbox.act.setOverwrites(stage.channel('general'), [{ id: stage.botId, kind: 'member', allow: 0n, deny: 1n << 11n }])
    stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
    await stage.until(() => stage.bot.app.sessions.all().length === 0)
    const sees = stage.bot.client.guilds.cache.get(stage.guildId)?.members.me?.permissionsIn(stage.channel('general')).has(1n << 11n)
    expect([sees, stage.notices()]).toEqual([false, []])
  })
})

describe('after it was disconnected', () => {
  it('what is said at once is heard, in a new session', async () => {
    const listener = stage.listen()
    const first = stage.say(LONG)
    await listener.heard(15)
    stage.sandbox.act.kickVoice(stage.botId, stage.guildId)
    await stage.until(() => stage.bot.client.guilds.cache.get(stage.guildId)?.members.me?.voice.channelId === null)
    const second = stage.say('Hello again.')
    await stage.replyLike(second, /Said in/)
    expect(heardBy(listener).slice(-soundOf('Hello again.').length)).toEqual(soundOf('Hello again.'))
    await stage.replyLike(first, /Only the first .* disconnected me/)
    expect(stage.notices().length).toBe(1)
  })
})
