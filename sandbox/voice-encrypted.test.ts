import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'

let stage: VoiceStage

beforeEach(async () => {
  stage = await openVoiceStage()
})

afterEach(() => stage.close())

/** Packets that were played although nobody could hear them. */
async function playedUnheard(): Promise<number> {
  return (await stage.bot.app.metrics.unheard.get()).values.reduce((sum, { value }) => sum + value, 0)
}

describe('speech waits for the encryption group, so that none of it is lost,', () => {
  it('when the group is late', async () => {
    stage.sandbox.voice.faults.delayDaveMs = 800
    const listener = stage.listen()
    await stage.replyLike(stage.say('Nothing of this is lost.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Nothing of this is lost.'))
    expect(await playedUnheard()).toBe(0)
  })

  it('when somebody else makes it', async () => {
    stage.sandbox.voice.faults.committer = 'person'
    const listener = stage.listen()
    await stage.replyLike(stage.say('Nothing of this is lost.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Nothing of this is lost.'))
  })

  it('when the first person comes while it speaks to nobody', async () => {
    const { act, voice } = stage.sandbox
    const listener = stage.listen()
    const said = stage.say(LONG)
    act.leaveVoice(stage.person('Mina'), stage.guildId)
    await stage.until(() => voice.counters.unheardPackets >= 10)
    act.joinVoice(stage.person('Haru'), stage.channel('Lounge'))
    const before = voice.counters.unheardPackets
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(listener)
    expect(heard.length).toBeGreaterThan(20)
    expect(heard).toEqual(soundOf(LONG).slice(-heard.length))
    // What was on its way when they came.
    expect(voice.counters.unheardPackets - before).toBeLessThanOrEqual(2)
    expect(await playedUnheard()).toBe(0)
  })

  it('when more people come and go while it speaks', async () => {
    const { act, voice } = stage.sandbox
    const listener = stage.listen()
    const said = stage.say(LONG)
    await listener.heard(10)
    act.joinVoice(stage.person('Haru'), stage.channel('Lounge'))
    await listener.heard(25)
    act.leaveVoice(stage.person('Mina'), stage.guildId)
    act.joinVoice(stage.person('Jisoo'), stage.channel('Lounge'))
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(listener)
    expect(heard).toEqual(soundOf(LONG).filter((packet) => heard.includes(packet)))
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(voice.counters.unheardPackets)
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(3)
  })

  it('after a move, and after a rejoin', async () => {
    const { act, voice } = stage.sandbox
    const listeners = [stage.listen(), stage.listen('Stage left')]
    act.joinVoice(stage.person('Haru'), stage.channel('Stage left'))
    const said = stage.say(LONG)
    await listeners[0]?.heard(10)
    voice.faults.delayDaveMs = 600
    act.moveVoice(stage.botId, stage.channel('Stage left'))
    await listeners[1]?.heard(10)
    voice.closeWith(stage.guildId, stage.botId, 4006)
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(...listeners)
    expect(heard).toEqual(soundOf(LONG).filter((packet) => heard.includes(packet)))
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(4)
    expect(await playedUnheard()).toBe(0)
  })
})

describe('a group that is never set up', () => {
  it('holds speech for three seconds; what is played then is counted, and its author is told that nobody heard it', async () => {
    stage.sandbox.voice.faults.delayDaveMs = 3_600_000
    const listener = stage.listen()
    await stage.replyLike(stage.say('Nobody hears me.'), /Nobody could hear that: the encryption of <#\d+>/)
    expect(listener.packets.filter(({ silence }) => silence).length).toBeGreaterThanOrEqual(150)
    expect(listener.speech).toEqual([])
    expect(await playedUnheard()).toBe(soundOf('Nobody hears me.').length)
  })

  it('is made anew with the connection, so that the next words are heard', async () => {
    stage.sandbox.voice.faults.delayDaveMs = 3_600_000
    await stage.replyLike(stage.say('Nobody hears me.'), /Nobody could hear that/)
    stage.sandbox.voice.faults.delayDaveMs = 0
    const listener = stage.listen()
    await stage.replyLike(stage.say('Now they do.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Now they do.'))
  })
})
