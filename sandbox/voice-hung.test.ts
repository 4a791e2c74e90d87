import { getVoiceConnection } from '@discordjs/voice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'

let stage: VoiceStage
/** It goes on only where a test says so: what Discord answers in real time is never too late for the bot. */
let clock: ManualClock

beforeEach(async () => {
  clock = manualClock()
  stage = await openVoiceStage({ clock })
})

afterEach(() => stage.close())

const faults = () => stage.sandbox.voice.faults
const isAt = (status: string) => () => stage.state()?.status === status

/** The wait before the next try is over. */
const isOn = () => !isAt('rejoining')()

/** Where joining hangs. */
const HANGS: readonly [where: string, hang: (on: boolean) => void][] = [
  ['the gateway names no voice server', (on) => (stage.sandbox.switches.namesVoiceServer = !on)],
  ['the voice server says nothing', (on) => (faults().mute = on)],
  ['IP discovery is not answered', (on) => (faults().udpSilent = on)],
  ['the choice of the protocol is not answered', (on) => (faults().withholdDescription = on)],
  ['the voice server does not know the session', (on) => (faults().refuseIdentify = on ? 4006 : null)]
]

describe('when it joins and', () => {
  it.each(HANGS)('%s, once, it connects anew and speaks', async (_, hang) => {
    hang(true)
    const listener = stage.listen()
    const said = stage.say('Now you hear me.')
    await stage.until(isAt('rejoining'), clock)
    hang(false)
    await stage.until(isOn, clock)
    await stage.replyLike(said, /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('Now you hear me.'))
    expect(stage.sandbox.voice.openSessions).toBe(1)
  })

  it.each(HANGS)('%s, always, it gives up within a minute and a half and says so', async (_, hang) => {
    hang(true)
    const startMs = clock.monotonic()
    const said = stage.say('Nobody hears this.')
    const joined = stage.slash('Mina', 'general', 'join')
    await stage.until(() => stage.state() !== undefined)
    await stage.until(() => stage.state() === undefined, clock)
    expect(clock.monotonic() - startMs).toBeLessThan(90_000)
    expect((await stage.replyLike(said, /could not hold/)).content).toMatch(/\/join/)
    await stage.replyLike(joined, /could not hold/)
    await stage.until(() => stage.notices().length > 0)
    expect(stage.notices().map(({ content }) => content)).toEqual([expect.stringMatching(/could not hold the connection/)])
    hang(false)
    await stage.until(() => stage.sandbox.voice.openSessions === 0)
    const listener = stage.listen()
    await stage.replyLike(stage.say('And again.'), /Said in/)
    expect(heardBy(listener)).toEqual(soundOf('And again.'))
  })
})

/** The library misses that its network is gone, and believes to be ready. */
function deafenTheLibrary(): void {
  const state = getVoiceConnection(stage.guildId)?.state
  if (state === undefined || !('networking' in state)) throw new Error('it is not connected')
  state.networking.removeAllListeners()
  state.networking.destroy()
}

describe('while it speaks and', () => {
  it.each([
    ['nothing goes out', deafenTheLibrary, 'ready'],
    ['it is disconnected without a word from the gateway (4014 alone)', () => stage.sandbox.voice.closeWith(stage.guildId, stage.botId, 4014), 'displaced'],
    ['the wire is cut and the resumption is not answered', () => stage.sandbox.voice.closeWith(stage.guildId, stage.botId, 1006), 'resuming'],
    ['another voice server is named that says nothing', () => stage.sandbox.act.nameVoiceServer(stage.guildId), 'resuming'],
    ['the voice server is gone and no other is named', () => stage.sandbox.act.loseVoiceServer(stage.guildId), 'serverless']
  ])('%s, it connects anew and says the rest', async (_, happens, status) => {
    const listener = stage.listen()
    const said = stage.say(LONG)
    await listener.heard(15)
    faults().mute = true
    happens()
    await stage.until(isAt(status))
    await stage.until(isAt('rejoining'), clock)
    faults().mute = false
    await stage.until(isOn, clock)
    await stage.replyLike(said, /Said in/)
    const heard = heardBy(listener)
    expect(heard).toEqual(soundOf(LONG).filter((packet) => heard.includes(packet)))
    expect(soundOf(LONG).length - heard.length).toBeLessThanOrEqual(3)
  })

  it('the voice server throws it out again and again, it gives up and says so', async () => {
    stage.sandbox.voice.events.on('session', ({ what }) => {
      if (what === 'ready') stage.sandbox.voice.closeWith(stage.guildId, stage.botId, 4006)
    })
    const said = stage.say('Round and round.')
    await stage.until(() => stage.state() !== undefined)
    await stage.until(() => stage.state() === undefined, clock)
    await stage.replyLike(said, /could not hold/)
    const tries = (await stage.bot.app.metrics.rejoins.get()).values.reduce((sum, { value }) => sum + value, 0)
    expect(tries).toBe(5)
  })

  it('nothing ever goes out, it gives up and says so', async () => {
    const said = stage.say(LONG)
    let before: unknown
    const isNew = () => isAt('ready')() && stage.state() !== before
    for (let connections = 0; connections < 6; connections++) {
      await stage.until(isNew, connections > 0 ? clock : undefined)
      before = stage.state()
      deafenTheLibrary()
    }
    await stage.until(() => stage.state() === undefined, clock)
    await stage.replyLike(said, /could not hold/)
    await stage.until(() => stage.notices().length === 1)
  })

  it('the gateway stays away for two minutes, it gives up', async () => {
    const listener = stage.listen()
    const said = stage.say(LONG)
    await listener.heard(15)
    const { guilds } = stage.bot.client
    Object.assign(guilds.cache.get(stage.guildId) ?? {}, { available: false })
    stage.sandbox.voice.closeWith(stage.guildId, stage.botId, 4006)
    await stage.until(isAt('rejoining'))
    const startMs = clock.monotonic()
    await stage.until(() => stage.state() === undefined, clock)
    expect(clock.monotonic() - startMs).toBeGreaterThanOrEqual(120_000)
    await stage.replyLike(said, /Only the first .* could not hold/)
  })
})
