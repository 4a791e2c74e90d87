import { ChannelType, PermissionFlagsBits } from 'discord.js'
import type { ChatInputCommandInteraction, Client, Guild, GuildMember, VoiceBasedChannel } from 'discord.js'
import type { Missing, Place } from '../delivery/choose.ts'
import type { DeviceIdOf } from '../members/device-id.ts'
import type { Names } from '../speech/reading/names.ts'
import type { Session } from '../voice/session.ts'
import type { Sessions } from '../voice/sessions.ts'
import type { App } from './app.ts'
import { viewOf } from './guild-view.ts'
import { mayManage } from './permissions.ts'

/**
 * How this guild calls what a text mentions; only what is known already, since nothing spoken waits for a look-up.
 * @param mentioned the name of a user whom Discord sent along with the text
 */
export function namesOf(guild: Guild, mentioned: (id: string) => string | undefined = () => undefined): Names {
  return {
    user: (id) => mentioned(id) ?? guild.members.cache.get(id)?.displayName ?? guild.client.users.cache.get(id)?.displayName,
    role: (id) => guild.roles.cache.get(id)?.name,
    channel: (id) => guild.channels.cache.get(id)?.name
  }
}

/** Where a member could be heard, and what is in the way. */
export function placeOf(member: GuildMember, sessions: Sessions): Place {
  const channel = member.voice.channel
  const session = sessions.get(member.guild.id)
  const missing = channel ? missingIn(channel) : undefined
  return {
    memberChannelId: channel?.id ?? null,
    ...(missing !== undefined && { missing }),
    busyChannelId: session !== undefined && session.queued() > 0 ? session.channelId() : null
  }
}

/** What keeps the bot from being heard in a channel, before it enters and while it is there. */
export function missingIn(channel: VoiceBasedChannel): Missing | undefined {
  const { me } = channel.guild.members
  const permissions = me && channel.permissionsFor(me)
  const isThere = me?.voice.channelId === channel.id
  const isStage = channel.type === ChannelType.GuildStageVoice
  if (!permissions?.has([PermissionFlagsBits.ViewChannel, PermissionFlagsBits.Connect])) return 'connect'
  if (!isStage && !permissions.has(PermissionFlagsBits.Speak)) return 'speak'
  if (channel.full && !isThere && !permissions.has(PermissionFlagsBits.MoveMembers)) return 'full'
  if (isThere && me.voice.serverMute === true) return 'muted'
  const isSpeaker = isThere && me.voice.suppress === false
  return isStage && !isSpeaker && !permissions.any([PermissionFlagsBits.MuteMembers, PermissionFlagsBits.RequestToSpeak]) ? 'stage' : undefined
}

/**
 * The session of a member's channel, opened when it is not there yet.
 * @param tellIn the text channel for the one message when the session ends by itself
 */
export function openSessionIn(guild: Guild, channelId: string, sessions: Sessions, tellIn?: string): Session {
  return sessions.open({ view: viewOf(guild), channelId, ...(tellIn !== undefined && { tellIn }) })
}

/** Whether a member may skip what others say: who manages messages, or the bot. */
export function maySkip({ member, memberPermissions }: ChatInputCommandInteraction<'cached'>, app: Pick<App, 'settings'>): boolean {
  return memberPermissions.has(PermissionFlagsBits.ManageMessages) || mayManage(member, app)
}

/** Whether a member may end all that is said, or send the bot away: who is in the channel too. */
export function mayModerate(interaction: ChatInputCommandInteraction<'cached'>, session: Session, app: Pick<App, 'settings'>): boolean {
  return interaction.member.voice.channelId === session.channelId() || maySkip(interaction, app)
}

/** The devices of all people who are in a channel where the bot speaks: they use it without saying a word. */
export function listeners(client: Client, sessions: Sessions, deviceIdOf: DeviceIdOf): string[] {
  return sessions.all().flatMap((session) => {
    const states = client.guilds.cache.get(session.guildId)?.voiceStates.cache
    const there = states?.filter(({ channelId, id }) => channelId === session.channelId() && id !== client.user?.id)
    return there?.map(({ id }) => deviceIdOf(session.guildId, id)) ?? []
  })
}
