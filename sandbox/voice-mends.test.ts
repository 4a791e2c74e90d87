import { VoiceConnectionDisconnectReason, getVoiceConnection } from '@discordjs/voice'
import { Events } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConnectionState } from '../bot/voice/connection-state.ts'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'

let stage: VoiceStage

beforeEach(async () => {
  stage = await openVoiceStage()
})

afterEach(() => stage.close())

/** Trouble while it speaks, and the states that the connection goes through until it is ready again. */
const TROUBLES: readonly [what: string, happens: () => void, goesThrough: ConnectionState['status'][]][] = [
  ['the wire is cut (1006)', () => closeWith(1006), ['resuming']],
  ['the voice server crashes and can be resumed (4015)', () => closeWith(4015), ['resuming']],
  ['the voice session is no longer valid (4006)', () => closeWith(4006), ['rejoining', 'joining']],
  ['the voice session has timed out (4009)', () => closeWith(4009), ['rejoining', 'joining']],
  ['the voice server does not know an opcode (4001)', () => closeWith(4001), ['rejoining', 'joining']],
  ['Discord names another voice server', () => stage.sandbox.act.nameVoiceServer(stage.guildId), ['resuming']],
  ['the voice server is gone, and another one is named later', loseServerForAWhile, ['serverless', 'resuming']],
  ['the gateway’s session is over and a new one begins', () => stage.sandbox.gateway.invalidateSessions(false), ['displaced', 'rejoining', 'joining']],
  ['the server comes back from an outage, and the bot is nowhere there', () => comeBack(null), ['rejoining', 'joining']]
]

function closeWith(code: number): void {
  stage.sandbox.voice.closeWith(stage.guildId, stage.botId, code)
}

/** An outage of the server is over, and the gateway says anew where everybody is. */
function comeBack(channelId: string | null): void {
  const { client } = stage.bot
  const guild = client.guilds.cache.get(stage.guildId)
  const own = guild?.voiceStates.cache.get(stage.botId)
  if (guild === undefined || own === undefined) throw new Error('the bot is not there')
  own.channelId = channelId
  client.emit(Events.GuildAvailable, guild)
}

function loseServerForAWhile(): void {
  stage.sandbox.act.loseVoiceServer(stage.guildId)
  closeWith(4015)
  void stage.until(() => stage.state()?.status === 'serverless').then(() => stage.sandbox.act.nameVoiceServer(stage.guildId))
}

/** The states from now on, each change once. */
function watchStates(): ConnectionState['status'][] {
  const seen: ConnectionState['status'][] = []
  const look = setInterval(() => {
    const status = stage.state()?.status ?? 'over'
    if (seen.at(-1) !== status) seen.push(status)
    if (status === 'over') clearInterval(look)
  }, 1)
  look.unref()
  return seen
}

describe('while it speaks and', () => {
  it.each(TROUBLES)('%s, the queue and the rest of the utterance are heard', async (_, happens, goesThrough) => {
    const listener = stage.listen()
    const first = stage.say(LONG)
    const second = stage.say('This one has waited.')
    await listener.heard(20)
    const seen = watchStates()
    const { counters } = stage.sandbox.voice
    const lostBefore = counters.strayPackets + counters.unheardPackets
    happens()
    await stage.replyLike(first, /Said in/)
    await stage.replyLike(second, /Said in/)
    const heard = heardBy(listener)
    const wanted = soundOf(LONG, 'This one has waited.')
    // Once each and in order; what is missing had been sent when the trouble came.
    expect(heard).toEqual(wanted.filter((packet) => heard.includes(packet)))
    expect(wanted.length - heard.length).toBeLessThanOrEqual(Math.min(5, counters.strayPackets + counters.unheardPackets - lostBefore))
    expect(seen.filter((status) => status !== 'ready' && goesThrough.includes(status))).toEqual(goesThrough)
    expect(stage.sandbox.voice.openSessions).toBe(1)
    expect(stage.notices()).toEqual([])
  })

  it.each([
    ['the gateway’s wire is cut and its session resumed', () => stage.sandbox.gateway.drop()],
    ['the gateway asks to connect again', () => stage.sandbox.gateway.askToReconnect()]
  ])('%s, nothing of it is heard', async (_, happens) => {
    const listener = stage.listen()
    const said = stage.say(LONG)
    await listener.heard(20)
    const seen = watchStates()
    happens()
    await stage.until(() => listener.speech.length === soundOf(LONG).length)
    await stage.replyLike(said, /Said in/)
    expect(heardBy(listener)).toEqual(soundOf(LONG))
    expect(seen).toEqual(['ready'])
  })

  it('its connection was made anew, whatever the old one still says is not heard', async () => {
    const listener = stage.listen()
    const said = stage.say(LONG)
    await listener.heard(15)
    const old = getVoiceConnection(stage.guildId)
    const network = old !== undefined && 'networking' in old.state ? old.state.networking : undefined
    closeWith(4006)
    await stage.until(() => stage.state()?.status === 'ready' && getVoiceConnection(stage.guildId) !== old)
    const ready = stage.state()
    network?.emit('close', 4022)
    old?.emit('stateChange', { status: 'ready' }, { status: 'disconnected', reason: VoiceConnectionDisconnectReason.EndpointRemoved })
    old?.emit('error', new Error('late'))
    await stage.replyLike(said, /Said in/)
    expect(stage.state()).toBe(ready)
    expect(network).toBeDefined()
  })

  it('somebody moves it, it goes on where it was put', async () => {
    const before = stage.listen()
    const after = stage.listen('Stage left')
    stage.sandbox.act.joinVoice(stage.person('Haru'), stage.channel('Stage left'))
    const said = stage.say(LONG)
    await before.heard(20)
    stage.sandbox.act.moveVoice(stage.botId, stage.channel('Stage left'))
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(before, after)
    expect(heard).toEqual(soundOf(LONG).filter((packet) => heard.includes(packet)))
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(2)
    expect(after.speech.length).toBeGreaterThan(30)
    expect(stage.bot.app.sessions.get(stage.guildId)?.channelId()).toBe(stage.channel('Stage left'))
  })

  it('the server comes back from an outage with the bot in another channel, it goes on there', async () => {
    const after = stage.listen('Stage left')
    stage.sandbox.act.joinVoice(stage.person('Haru'), stage.channel('Stage left'))
    const said = stage.say(LONG)
    await stage.listen().heard(15)
    comeBack(stage.channel('Stage left'))
    await stage.replyLike(said, /Said in/)
    expect(after.speech.length).toBeGreaterThan(30)
    expect(stage.bot.app.sessions.get(stage.guildId)?.channelId()).toBe(stage.channel('Stage left'))
  })

  it('it is moved while the gateway is down, it follows when the gateway tells', async () => {
    const after = stage.listen('Stage left')
    stage.sandbox.act.joinVoice(stage.person('Haru'), stage.channel('Stage left'))
    const said = stage.say(LONG)
    await stage.listen().heard(20)
    stage.sandbox.gateway.drop()
    stage.sandbox.act.moveVoice(stage.botId, stage.channel('Stage left'))
    await stage.replyLike(said, /Said in/)
    expect(after.speech.length).toBeGreaterThan(30)
    expect(stage.bot.app.sessions.get(stage.guildId)?.channelId()).toBe(stage.channel('Stage left'))
  })
})
