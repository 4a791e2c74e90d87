import { PermissionFlagsBits } from 'discord.js'
import type { ChatInputCommandInteraction, Client, Guild, GuildMember, VoiceBasedChannel } from 'discord.js'
import type { Missing, Place } from '../delivery/choose.ts'
import type { DeviceIdOf } from '../members/device-id.ts'
import type { Names } from '../speech/reading.ts'
import type { Session } from '../voice/session.ts'
import type { Sessions } from '../voice/sessions.ts'

/** How this guild calls what a text mentions; only what is known already, since nothing spoken waits for a look-up. */
export function namesOf(guild: Guild): Names {
  return {
    user: (id) => guild.members.cache.get(id)?.displayName ?? guild.client.users.cache.get(id)?.displayName,
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
  if (!permissions?.has([PermissionFlagsBits.ViewChannel, PermissionFlagsBits.Connect])) return 'connect'
  if (!permissions.has(PermissionFlagsBits.Speak)) return 'speak'
  if (channel.full && !isThere && !permissions.has(PermissionFlagsBits.MoveMembers)) return 'full'
  if (isThere && (me.voice.serverMute === true || me.voice.suppress === true)) return 'muted'
  return undefined
}

/** The session of a member's channel, opened when it is not there yet. */
export function openSessionIn(guild: Guild, channelId: string, sessions: Sessions): Session {
  const hasPeople = (channel: string) => guild.voiceStates.cache.some((state) => state.channelId === channel && state.id !== guild.client.user.id)
  return sessions.open({ guildId: guild.id, channelId, adapterCreator: guild.voiceAdapterCreator, hasPeople })
}

/** Whether a member may end what others say: who is in the channel, or manages messages. */
export function mayModerate(interaction: ChatInputCommandInteraction<'cached'>, session: Session): boolean {
  return interaction.member.voice.channelId === session.channelId() || interaction.memberPermissions.has(PermissionFlagsBits.ManageMessages)
}

/** The devices of all people who are in a channel where the bot speaks: they use it without saying a word. */
export function listeners(client: Client, sessions: Sessions, deviceIdOf: DeviceIdOf): string[] {
  return sessions.all().flatMap((session) => {
    const states = client.guilds.cache.get(session.guildId)?.voiceStates.cache
    const there = states?.filter(({ channelId, id }) => channelId === session.channelId() && id !== client.user?.id)
    return there?.map(({ id }) => deviceIdOf(session.guildId, id)) ?? []
  })
}
