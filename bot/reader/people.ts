import type { Guild, VoiceState } from 'discord.js'

/** Whether this is somebody who listens: bots are no audience. */
export function isPerson({ id, member, client }: VoiceState): boolean {
  return id !== client.user.id && member?.user.bot !== true
}

/** Whether people are in a voice channel beside this one. */
export function hasOthers(guild: Guild, channelId: string, userId: string): boolean {
  return guild.voiceStates.cache.some((state) => state.channelId === channelId && state.id !== userId && isPerson(state))
}

/** People in a voice channel, without bots. */
export function peopleIn(guild: Guild, channelId: string): number {
  return guild.voiceStates.cache.reduce((count, state) => (state.channelId === channelId && isPerson(state) ? count + 1 : count), 0)
}
