import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'
import type { Listener } from './voice/listener.ts'
import type { Interaction } from './world.ts'

let stage: VoiceStage
let clock: ManualClock

beforeEach(async () => {
  clock = manualClock()
  stage = await openVoiceStage({ clock })
})

afterEach(() => stage.close())

const CONNECT = 1n << 20n
const SPEAK = 1n << 21n
const MUTE_MEMBERS = 1n << 22n
const REQUEST_TO_SPEAK = 1n << 32n

const act = () => stage.sandbox.act
const own = () => stage.sandbox.world.guilds.get(stage.guildId)?.voiceStates.get(stage.botId)
const join = () => stage.slash('Mina', 'general', 'join')

const replyTo = ({ messageIds }: Interaction) => stage.sandbox.world.messages.get(messageIds[0] ?? '')?.content ?? ''

function forbid(channel: string, deny: bigint): void {
  act().setOverwrites(stage.channel(channel), [{ id: stage.botId, kind: 'member', allow: 0n, deny }])
}

function fillLounge(): void {
  const channel = stage.sandbox.world.guilds.get(stage.guildId)?.channels.get(stage.channel('Lounge'))
  if (channel === undefined) throw new Error('there is no Lounge')
  channel.userLimit = 1
  stage.sandbox.world.events.emit('channelChanged', channel)
}

/** Mina is on the stage, where the bot lacks what is denied. */
function onStage(deny = 0n): Listener {
  forbid('Town hall', deny)
  act().joinVoice(stage.person('Mina'), stage.channel('Town hall'))
  return stage.listen('Town hall')
}

describe('before it joins, it says by name what keeps it from being heard:', () => {
  it.each([
    ['no permission to connect', () => forbid('Lounge', CONNECT), /“Connect” permission/],
    ['no permission to speak', () => forbid('Lounge', SPEAK), /“Speak” permission/],
    ['a full channel', fillLounge, /is full/],
    ['a stage where it may not even ask to speak', () => void onStage(REQUEST_TO_SPEAK | MUTE_MEMBERS), /“Request to Speak” there, or “Mute Members”/]
  ])('%s', async (_, happens, sentence) => {
    happens()
    await stage.replyLike(stage.say('Hello.'), sentence)
    await stage.replyLike(join(), sentence)
    expect([stage.bot.app.sessions.all(), own()]).toEqual([[], undefined])
  })
})

describe('while a moderator has muted it', () => {
  it('what is to be said is refused, and nothing is taken for heard', async () => {
    await stage.replyLike(join(), /I am in/)
    change({ mute: true })
    await stage.until(() => stage.bot.app.sessions.get(stage.guildId)?.silenced() === 'muted')
    await stage.replyLike(stage.say('Hello.'), /I am muted in/)
    await stage.replyLike(join(), /I am muted in/)
  })
})

describe('on a stage', () => {
  it('it becomes a speaker by itself where it may, and is heard from the first packet', async () => {
    const listener = onStage()
    await stage.replyLike(join(), /I am in/)
    expect(own()).toMatchObject({ channelId: stage.channel('Town hall'), suppress: false })
    await stage.replyLike(stage.say('Good evening.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Good evening.'))
  })

  it('it is heard from the first packet too when the first thing said brings it there', async () => {
    const listener = onStage()
    await stage.replyLike(stage.say('Good evening.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Good evening.'))
  })

  it('it asks where it may only ask, says so, and speaks when it is let', async () => {
    const listener = onStage(MUTE_MEMBERS)
    await stage.replyLike(join(), /have asked to speak/)
    expect(own()).toMatchObject({ suppress: true, requestToSpeakAt: expect.stringMatching(/^\d{4}-/) as unknown })
    const said = stage.say('Thank you.')
    await stage.until(() => /have asked to speak.*waits/.test(replyTo(said)), clock)
    expect(listener.packets).toEqual([])
    act().inviteToSpeak(stage.botId, stage.guildId)
    await stage.replyLike(said, /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Thank you.'))
  })

  it('it waits two minutes to be let, and then leaves out all that waits, each with a word', async () => {
    const listener = onStage(MUTE_MEMBERS)
    const first = stage.say('Hello?')
    const second = stage.say('Anybody?')
    await stage.until(() => stage.state()?.status === 'ready' && own()?.requestToSpeakAt !== undefined)
    await clock.advance(119_000)
    expect(stage.bot.app.sessions.get(stage.guildId)?.queued()).toBe(2)
    await stage.until(() => stage.bot.app.sessions.get(stage.guildId)?.queued() === 0, clock)
    for (const said of [first, second]) await stage.replyLike(said, /have asked to speak.*left it out/)
    expect(listener.packets).toEqual([])
    expect(stage.state()?.status).toBe('ready')
  })

  it('it is one of the speakers again after it was moved there', async () => {
    const listener = stage.listen('Town hall')
    act().joinVoice(stage.person('Haru'), stage.channel('Town hall'))
    const said = stage.say(LONG)
    await stage.listen().heard(15)
    act().moveVoice(stage.botId, stage.channel('Town hall'))
    await stage.replyLike(said, /Said in/)
    expect(own()).toMatchObject({ channelId: stage.channel('Town hall'), suppress: false })
    expect(listener.speech.length).toBeGreaterThan(30)
  })
})

/** What a moderator does while it speaks, and what its author reads. */
const SILENCINGS: readonly [what: string, channel: 'Lounge' | 'Town hall', silence: () => void, lift: () => void, sentence: RegExp][] = [
  ['is muted', 'Lounge', () => change({ mute: true }), () => change({ mute: false }), /A moderator has muted me/],
  ['loses the permission to speak', 'Lounge', () => change({ suppress: true }), () => change({ suppress: false }), /I may not speak in/],
  ['is put in the audience', 'Town hall', () => change({ suppress: true }), () => act().inviteToSpeak(stage.botId, stage.guildId), /I am in the audience/]
]

const change = (how: { mute?: boolean; suppress?: boolean }) => act().setVoice(stage.botId, stage.guildId, how)

describe.each(SILENCINGS)('while it speaks and %s', (_, channel, silence, lift, sentence) => {
  async function silenced() {
    const listener = channel === 'Town hall' ? onStage() : stage.listen()
    const said = stage.say(LONG)
    await listener.heard(15)
    const { counters } = stage.sandbox.voice
    const unheardBefore = counters.unheardPackets
    silence()
    await stage.until(() => stage.bot.app.sessions.get(stage.guildId)?.silenced() !== undefined)
    return { listener, said, unheard: () => counters.unheardPackets - unheardBefore }
  }

  it('its author is told, and the rest is heard when that is over', async () => {
    const { listener, said, unheard } = await silenced()
    await stage.until(() => /waits/.test(replyTo(said)), clock)
    expect(replyTo(said)).toMatch(sentence)
    lift()
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(listener)
    expect(heard).toEqual(soundOf(LONG).filter((packet) => heard.includes(packet)))
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(Math.min(unheard(), 3))
  })

  it('and that lasts, it is not taken for heard, nor is what comes after it', async () => {
    const { said } = await silenced()
    const next = stage.bot.app.sessions.get(stage.guildId)
    await stage.until(() => next?.queued() === 0, clock)
    const { content } = await stage.replyLike(said, /Only the first/)
    expect(content).toMatch(sentence)
    expect(stage.state()?.status).toBe('ready')
    expect((await stage.bot.app.metrics.utterances.get()).values.map(({ labels, value }) => [labels.outcome, value])).toEqual([['failed', 1]])
  })
})
