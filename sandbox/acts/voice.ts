import { randomBytes } from 'node:crypto'
import { placeOf } from '../find.ts'
import type { BotVoice } from '../gateway/bot-voice.ts'
import { enteringState, joinRefusal, setVoiceState } from '../voice-states.ts'
import type { JoinRefusal } from '../voice-states.ts'
import type { World } from '../world.ts'
import { Refusal } from './refusal.ts'

const WHY: Record<JoinRefusal, string> = {
  unknown_channel: 'There is no such channel.',
  not_voice: 'This is not a voice channel.',
  no_permission: 'You may not connect to this channel.',
  full: 'This channel is full.'
}

/** People in voice channels, and what they do to the bot there. */
export function voiceActs(world: World, botVoice: BotVoice) {
  const botId = world.application.id

  function place(userId: string, channelId: string): void {
    const guildId = placeOf(world, channelId)?.guild.id ?? ''
    const refusal = joinRefusal(world, guildId, channelId, userId)
    if (refusal) throw new Refusal(WHY[refusal])
    // A person speaks in one place at a time, whatever the server.
    for (const guild of world.guilds.values()) if (guild.id !== guildId) setVoiceState(world, guild.id, userId, null)
    const known = world.guilds.get(guildId)?.voiceStates.get(userId)
    const { sessionId = randomBytes(16).toString('hex'), selfMute = false, selfDeaf = false } = known ?? {}
    setVoiceState(world, guildId, userId, enteringState(world, guildId, { userId, channelId, sessionId, selfMute, selfDeaf }))
  }

  return {
    /** @throws Refusal */
    joinVoice: (userId: string, channelId: string): void => place(userId, channelId),
    leaveVoice: (userId: string, guildId: string): void => setVoiceState(world, guildId, userId, null),

    /** Somebody is dragged into another channel; the bot's voice socket closes with 4014 and it is told a new server. */
    moveVoice(userId: string, channelId: string): void {
      const guildId = placeOf(world, channelId)?.guild.id
      if (guildId === undefined || !world.guilds.get(guildId)?.voiceStates.has(userId)) throw new Refusal('They are not in a voice channel.')
      if (userId === botId) botVoice.put(guildId, channelId)
      else place(userId, channelId)
    },

    /** Somebody is disconnected from voice; of the bot, its voice socket closes with 4014. */
    kickVoice(userId: string, guildId: string): void {
      if (userId === botId) botVoice.put(guildId, null)
      else setVoiceState(world, guildId, userId, null)
    },

    /** The guild's voice server goes away, and the bot is told so; `nameVoiceServer` names another one. */
    loseVoiceServer: (guildId: string): void => botVoice.lose(guildId),
    nameVoiceServer: (guildId: string): void => botVoice.renew(guildId),

    /** A moderator of a stage lets somebody speak, who may have asked for it. */
    inviteToSpeak(userId: string, guildId: string): void {
      const state = world.guilds.get(guildId)?.voiceStates.get(userId)
      if (world.guilds.get(guildId)?.channels.get(state?.channelId ?? '')?.type !== 13 || !state) throw new Refusal('They are not on a stage.')
      setVoiceState(world, guildId, userId, { ...state, suppress: false, requestToSpeakAt: null })
    },

    /** Muted or deafened by a moderator, or by themselves. */
    setVoice(userId: string, guildId: string, change: { mute?: boolean; deaf?: boolean; selfMute?: boolean; selfDeaf?: boolean; suppress?: boolean }): void {
      const state = world.guilds.get(guildId)?.voiceStates.get(userId)
      if (!state) throw new Refusal('They are not in a voice channel.')
      setVoiceState(world, guildId, userId, { ...state, ...change })
    }
  }
}
