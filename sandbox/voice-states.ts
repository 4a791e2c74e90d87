import { permission, permissionsOf } from './permissions.ts'
import type { VoiceState, World } from './world.ts'

/** Who may connect where, and whether they come in as audience of a stage. */
export type JoinRefusal = 'unknown_channel' | 'not_voice' | 'no_permission' | 'full'

/** Why a member may not enter a voice channel; nothing when they may. */
export function joinRefusal(world: World, guildId: string, channelId: string, userId: string): JoinRefusal | undefined {
  const guild = world.guilds.get(guildId)
  const channel = guild?.channels.get(channelId)
  if (!guild || !channel) return 'unknown_channel'
  if (channel.type !== 2 && channel.type !== 13) return 'not_voice'
  const bits = permissionsOf(guild, userId, channel)
  if (!(bits & permission.ViewChannel) || !(bits & permission.Connect)) return 'no_permission'
  const others = [...guild.voiceStates.values()].filter((state) => state.channelId === channelId && state.userId !== userId)
  if (channel.userLimit > 0 && others.length >= channel.userLimit && !(bits & permission.MoveMembers)) return 'full'
  return undefined
}

/** The state of somebody who enters: on a stage as audience (`suppress`), and likewise where they may not speak. */
export function enteringState(world: World, guildId: string, draft: Pick<VoiceState, 'userId' | 'channelId' | 'sessionId' | 'selfMute' | 'selfDeaf'>): VoiceState {
  const guild = world.guilds.get(guildId)
  const channel = guild?.channels.get(draft.channelId)
  const suppress = channel?.type === 13 || (guild !== undefined && channel !== undefined && !(permissionsOf(guild, draft.userId, channel) & permission.Speak))
  return { ...draft, mute: false, deaf: false, suppress }
}

/** Puts somebody somewhere, or nowhere (`null`), and says so. */
export function setVoiceState(world: World, guildId: string, userId: string, after: VoiceState | null): void {
  const states = world.guilds.get(guildId)?.voiceStates
  if (!states) return
  const before = states.get(userId) ?? null
  if (after) states.set(userId, after)
  else if (!states.delete(userId)) return
  world.events.emit('voiceState', guildId, before, after, userId)
}

/** The people (no bots) of a voice channel. */
export function peopleIn(world: World, guildId: string, channelId: string): string[] {
  const states = [...(world.guilds.get(guildId)?.voiceStates.values() ?? [])]
  return states.filter((state) => state.channelId === channelId && world.users.get(state.userId)?.bot === false).map(({ userId }) => userId)
}
