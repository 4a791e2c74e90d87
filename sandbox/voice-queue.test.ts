import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PACKET_MS } from '../bot/audio/opus.ts'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { speak } from '../bot/speech/speak.ts'
import { LONG, heardBy, hex, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'

let stage: VoiceStage
let clock: ManualClock

beforeEach(async () => {
  clock = manualClock()
  stage = await openVoiceStage({ clock })
})

afterEach(() => stage.close())

const session = () => {
  const found = stage.bot.app.sessions.get(stage.guildId)
  if (found === undefined) throw new Error('there is no session')
  return found
}
const utter = (text: string) => speak(stage.bot.app.relay, { text, deviceId: 'mina' })

describe('the queue of a server', () => {
  it('takes fifty that wait, and says of the next that it was not taken, and why', async () => {
    const first = stage.say(LONG)
    await stage.listen().heard(5)
    const waiting = Array.from({ length: 50 }, () => stage.say('Me too.'))
    await stage.replyLike(stage.say('One too many.'), /full, so this one was not taken: 50 may wait/)
    expect(session().queued()).toBe(51)
    await stage.replyLike(stage.slash('Mina', 'general', 'stop'), /50 more taken/)
    for (const said of [first, ...waiting]) await stage.replyLike(said, /Stopped/)
  })

  it('tells who waits, with what is spoken and how long it takes, learning from what was said', async () => {
    const listener = stage.listen()
    const long = stage.say(LONG)
    stage.sandbox.act.joinVoice(stage.person('Haru'), stage.channel('Lounge'))
    await listener.heard(10)
    const next = stage.slash('Haru', 'general', 'say', { text: LONG, deliver: 'voice' })
    await stage.until(() => session().queued() === 2)
    const [playing, waiting] = session().items()
    expect([playing, waiting]).toMatchObject([
      { authorId: stage.person('Mina'), text: LONG, playing: true },
      { authorId: stage.person('Haru'), text: LONG, playing: false }
    ])
    // Of what plays all has come: to the packet. Of what waits, by its text: at least a second more than it really takes.
    const wholeMs = soundOf(LONG).length * PACKET_MS
    expect(playing?.remainingMs).toBeLessThanOrEqual(wholeMs - 10 * PACKET_MS)
    expect(session().queuedMs()).toBeGreaterThan(waiting?.remainingMs ?? Infinity)
    const firstGuessMs = waiting?.remainingMs ?? 0
    await stage.replyLike(long, /Said in/)
    await stage.replyLike(next, /読み上げました/)
    const again = session().enqueue(utter('Wait.'), { authorId: 'a' })
    session().enqueue(utter(LONG), { authorId: 'b' })
    const secondGuessMs = session().items()[1]?.remainingMs ?? 0
    expect(Math.abs(secondGuessMs - wholeMs)).toBeLessThan(Math.abs(firstGuessMs - wholeMs))
    expect([again.ok, session().silentMs()]).toEqual([true, 0])
  })

  it('drops what has become too old for its turn, says so and counts it', async () => {
    const listener = stage.listen()
    stage.say(LONG)
    await listener.heard(5)
    const old = session().enqueue(utter('Too late.'), { authorId: 'a', maxAgeMs: 20_000 })
    const patient = session().enqueue(utter('Still worth it.'), { authorId: 'a', maxAgeMs: 60_000 })
    await clock.advance(21_000)
    if (!old.ok || !patient.ok) throw new Error('it was not taken')
    expect(await old.ended).toEqual({ outcome: 'dropped', reason: 'old' })
    expect(await patient.ended).toMatchObject({ outcome: 'heard' })
    expect(heardBy(listener)).toEqual(soundOf(LONG, 'Still worth it.'))
    expect((await stage.bot.app.metrics.dropped.get()).values.map(({ labels, value }) => [labels.reason, value])).toEqual([['old', 1]])
  })
})

describe('/skip', () => {
  it('ends one’s own, anybody’s for who manages messages, and nobody else’s', async () => {
    const listener = stage.listen()
    stage.sandbox.act.joinVoice(stage.person('Haru'), stage.channel('Lounge'))
    const minas = stage.say(LONG)
    await listener.heard(5)
    const harus = stage.slash('Haru', 'general', 'say', { text: LONG, deliver: 'voice' })
    await stage.replyLike(stage.slash('Haru', 'general', 'skip'), /ほかの人のもの/)
    await stage.replyLike(stage.slash('Mina', 'general', 'skip'), /Skipped/)
    await stage.replyLike(minas, /Stopped before its end/)
    await stage.until(() => session().speaker() === stage.person('Haru'))
    // Mina owns the server.
    await stage.replyLike(stage.slash('Mina', 'general', 'skip'), /Skipped/)
    await stage.replyLike(harus, /途中で/)
    expect(session().queued()).toBe(0)
  })

  it('ends with five frames of silence too, so that no sound is made up for the rest', async () => {
    const listener = stage.listen()
    stage.say(LONG)
    await listener.heard(10)
    session().skip()
    await stage.until(() => listener.packets.slice(-5).every(({ silence }) => silence) && session().queued() === 0)
    expect(hex(listener.packets.slice(-6).map(({ opus }) => opus)).map((packet) => packet === 'f8fffe')).toEqual([false, true, true, true, true, true])
  })
})

describe('the packets of an utterance', () => {
  it('follow each other without a gap in number or time, over a late segment too, and end with five of silence', async () => {
    const text = 'This is the first sentence, which is said. And here comes the second one, which is late.'
    const expected = soundOf(text)
    let asked = 0
    // The second synthesis takes as long as the first one plays, and a little more.
    stage.node.synthesisMs = () => (asked++ === 0 ? 0 : 2_500)
    const listener = stage.listen()
    await stage.replyLike(stage.say(text), /Said in/)
    await stage.until(() => listener.packets.slice(-5).every(({ silence }) => silence))
    expect(heardBy(listener)).toEqual(expected)
    const { packets } = listener
    const [first] = packets
    if (first === undefined) throw new Error('nothing was heard')
    expect(packets.map(({ sequence }) => (sequence - first.sequence) & 0xffff)).toEqual(packets.map((_, index) => index))
    expect(packets.map(({ timestamp }) => (timestamp - first.timestamp) >>> 0)).toEqual(packets.map((_, index) => index * 960))
    const silent = packets.map(({ silence }) => silence)
    expect(silent.slice(-5)).toEqual(Array(5).fill(true))
    expect(silent.slice(silent.indexOf(false), -5).filter(Boolean).length).toBeGreaterThan(5)
    const lasted = packets.length * PACKET_MS
    expect((packets.at(-1)?.atMs ?? 0) - first.atMs).toBeGreaterThan(lasted * 0.9)
  })
})
