import { once } from 'node:events'
import { Readable } from 'node:stream'
import { createAudioPlayer, createAudioResource, entersState, joinVoiceChannel, StreamType, VoiceConnectionStatus, AudioPlayerStatus } from '@discordjs/voice'
import type { VoiceConnection } from '@discordjs/voice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

/** Packets of 20 ms (a valid first byte), each one its own. */
const packets = (count: number) => Array.from({ length: count }, (_, n) => Buffer.from([0xf8, 1 + (n % 250), n >> 8, 7, 7, 7, 7, 7]))

/** The library has its end-to-end encryption, as its networking state says. */
function encrypts({ state }: VoiceConnection): boolean {
  const inner = state.status === VoiceConnectionStatus.Ready ? state.networking.state : undefined
  return inner !== undefined && 'dave' in inner && inner.dave?.session?.ready === true
}

describe('the bot in voice channels, with the real @discordjs/voice', () => {
  let bot: SandboxWithBot
  let connection: VoiceConnection | undefined
  beforeEach(async () => {
    bot = await sandboxWithBot({
      guilds: [
        {
          name: 'Voxpool Sandbox',
          channels: [
            { name: 'general', type: 0 },
            { name: 'Lounge', type: 2 },
            { name: 'Other', type: 2 },
            { name: 'Stage', type: 13 }
          ],
          members: [{ name: 'Mina' }, { name: 'Haru' }]
        }
      ]
    })
  })
  afterEach(async () => {
    if (connection && connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy()
    connection = undefined
    await bot.close()
  })

  function join(name: string): VoiceConnection {
    const guild = bot.client.guilds.cache.get(bot.guild.id)!
    connection = joinVoiceChannel({ guildId: guild.id, channelId: bot.channel(name), adapterCreator: guild.voiceAdapterCreator })
    return connection
  }
  const botState = () => bot.guild.voiceStates.get(bot.client.user.id)

  it('joins, plays, and is heard packet for packet by the person there', async () => {
    bot.sandbox.act.joinVoice(bot.user('Mina'), bot.channel('Lounge'))
    const voice = join('Lounge')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    expect(botState()).toMatchObject({ channelId: bot.channel('Lounge'), suppress: false })

    const listener = bot.sandbox.voice.listen(bot.guild.id, bot.channel('Lounge'))
    const player = createAudioPlayer()
    voice.subscribe(player)
    const sent = packets(50)
    // What is sent before the call is encrypted reaches nobody: begin when it is.
    await expect.poll(() => encrypts(voice)).toBe(true)
    player.play(createAudioResource(Readable.from(sent), { inputType: StreamType.Opus }))
    await entersState(player, AudioPlayerStatus.Idle, 15_000)
    const heard = await listener.heard(sent.length)
    expect(heard.map(({ opus }) => Buffer.from(opus).toString('hex'))).toEqual(sent.map((packet) => packet.toString('hex')))
    listener.close()
  })

  it('leaves, and everybody is told', async () => {
    const voice = join('Lounge')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    const left = once(bot.client, 'voiceStateUpdate', { signal: AbortSignal.timeout(10_000) })
    voice.destroy()
    expect(((await left)[1] as { channelId: string | null }).channelId).toBeNull()
    expect(botState()).toBeUndefined()
  })

  it('is disconnected by a person: its voice socket closes with 4014', async () => {
    const voice = join('Lounge')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    bot.sandbox.act.kickVoice(bot.client.user.id, bot.guild.id)
    await entersState(voice, VoiceConnectionStatus.Disconnected, 10_000)
    expect(voice.state).toMatchObject({ status: 'disconnected', closeCode: 4014 })
    expect(bot.client.guilds.cache.get(bot.guild.id)?.members.me?.voice.channelId).toBeNull()
  })

  it('is moved by a person and connects again there', async () => {
    const voice = join('Lounge')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    bot.sandbox.act.moveVoice(bot.client.user.id, bot.channel('Other'))
    await expect.poll(() => voice.joinConfig.channelId).toBe(bot.channel('Other'))
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    expect(botState()?.channelId).toBe(bot.channel('Other'))
    expect(bot.sandbox.voice.openSessions).toBe(1)
  })

  it('stays outside where it may not connect: nothing happens, as with Discord', async () => {
    bot.guild.channels.get(bot.channel('Lounge'))!.overwrites.push({ id: bot.client.user.id, kind: 'member', allow: 0n, deny: 1n << 20n })
    const voice = join('Lounge')
    await expect(entersState(voice, VoiceConnectionStatus.Connecting, 500)).rejects.toThrow()
    expect(voice.state.status).toBe(VoiceConnectionStatus.Signalling)
    expect(botState()).toBeUndefined()
  })

  it('comes to a stage as audience, and lifts that itself', async () => {
    const voice = join('Stage')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    expect(botState()?.suppress).toBe(true)
    const me = bot.client.guilds.cache.get(bot.guild.id)!.members.me!
    await me.voice.setSuppressed(false)
    expect(botState()?.suppress).toBe(false)
  })

  it('is heard by nobody from the audience, whatever it sends, nor while it is muted', async () => {
    const { act, voice } = bot.sandbox
    act.joinVoice(bot.user('Mina'), bot.channel('Stage'))
    const listener = voice.listen(bot.guild.id, bot.channel('Stage'))
    const stage = join('Stage')
    await entersState(stage, VoiceConnectionStatus.Ready, 10_000)
    await expect.poll(() => encrypts(stage)).toBe(true)
    const send = async (count: number) => {
      const before = voice.counters.packets
      for (const packet of packets(count)) stage.playOpusPacket(packet)
      await expect.poll(() => voice.counters.packets - before).toBe(count)
    }
    await send(5)
    act.inviteToSpeak(bot.client.user.id, bot.guild.id)
    act.setVoice(bot.client.user.id, bot.guild.id, { mute: true })
    await send(5)
    expect([listener.packets, voice.counters.unheardPackets]).toEqual([[], 10])
    act.setVoice(bot.client.user.id, bot.guild.id, { mute: false })
    await send(5)
    expect((await listener.heard(5)).length).toBe(5)
  })

  it('asks to speak where it may, and has asked for nothing any more when it is put back', async () => {
    await entersState(join('Stage'), VoiceConnectionStatus.Ready, 10_000)
    const patch = (body: object) => bot.api('PATCH', `/guilds/${bot.guild.id}/voice-states/@me`, { channel_id: bot.channel('Stage'), ...body })
    expect((await patch({ request_to_speak_timestamp: '2026-01-01T00:00:00.000Z' })).status).toBe(204)
    expect(botState()?.requestToSpeakAt).toBe('2026-01-01T00:00:00.000Z')
    await patch({ suppress: true })
    expect(botState()?.requestToSpeakAt).toBeNull()
    bot.guild.channels.get(bot.channel('Stage'))?.overwrites.push({ id: bot.client.user.id, kind: 'member', allow: 0n, deny: (1n << 32n) | (1n << 22n) })
    expect([(await patch({ request_to_speak_timestamp: '2026-01-01T00:00:00.000Z' })).status, (await patch({ suppress: false })).status]).toEqual([403, 403])
  })

  it('gets a new session when it rejoins, after the voice server forgot it', async () => {
    const voice = join('Lounge')
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    const before = botState()?.sessionId
    bot.sandbox.voice.closeWith(bot.guild.id, bot.client.user.id, 4006)
    await entersState(voice, VoiceConnectionStatus.Signalling, 10_000)
    await entersState(voice, VoiceConnectionStatus.Ready, 10_000)
    expect(botState()?.sessionId).not.toBe(before)
  })

  it('hears of people who come and go', async () => {
    const update = () => once(bot.client, 'voiceStateUpdate', { signal: AbortSignal.timeout(10_000) }) as Promise<[unknown, { channelId: string | null }]>
    const joined = update()
    bot.sandbox.act.joinVoice(bot.user('Haru'), bot.channel('Lounge'))
    expect((await joined)[1].channelId).toBe(bot.channel('Lounge'))
    const left = update()
    bot.sandbox.act.leaveVoice(bot.user('Haru'), bot.guild.id)
    expect((await left)[1].channelId).toBeNull()
  })

  it('is out of its channels once its session is over', async () => {
    await entersState(join('Lounge'), VoiceConnectionStatus.Ready, 10_000)
    await bot.client.destroy()
    await expect.poll(botState).toBeUndefined()
    expect(bot.sandbox.voice.openSessions).toBe(0)
  })
})
