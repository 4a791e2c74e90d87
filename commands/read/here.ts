import { ChannelType, MessageFlags, PermissionFlagsBits } from 'discord.js'
import type { Guild, GuildMember, GuildTextBasedChannel, VoiceBasedChannel } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { missingIn, openSessionIn } from '../../bot/discord/guild.ts'
import { mayManage } from '../../bot/discord/permissions.ts'
import { READINGS_MAX } from '../../bot/guilds/readings.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { peopleIn } from '../../bot/reader/people.ts'
import type { Answer } from './answer.ts'

/**
 * `/read here`: this channel is read to the member's voice channel, or to the one named. Everybody may do that for the voice channel that they are
 * in, and who manages the bot here for every one; but nobody takes a channel away from people who listen to it elsewhere.
 */
export const here: Answer = async (interaction, app, t) => {
  const { guild, channelId, channel, member } = interaction
  if (!app.canReadMessages()) return t('read.noIntent')
  const hidden = hiddenFrom(guild, channel)
  if (hidden !== undefined) return t(hidden, { text: `<#${channelId}>` })
  const voice = interaction.options.getChannel<ChannelType.GuildVoice | ChannelType.GuildStageVoice>('voice-channel') ?? member.voice.channel
  if (voice === null) return t('read.where')
  const foreign = [voice.id, app.readings.at(channelId)?.voiceChannelId].find((id) => id !== undefined && !mayDecide(member, id, voice.id, app))
  if (foreign !== undefined) return t('read.notYours', { channel: `<#${foreign}>` })
  const missing = missingIn(voice)
  if (missing === 'connect' || missing === 'speak' || missing === 'stage') return t(`refused.${missing}`, { channel: `<#${voice.id}>` })
  if (!app.readings.add({ guildId: guild.id, textChannelId: channelId, voiceChannelId: voice.id })) return t('read.tooMany', { max: READINGS_MAX })
  const done = t('read.here', { text: `<#${channelId}>`, channel: `<#${voice.id}>` })
  const hindrance = missing === undefined ? hindranceTo(voice, app, t) : t(`refused.${missing}`, { channel: `<#${voice.id}>` })
  if (hindrance !== undefined) return `${done} ${hindrance}`
  await interaction.deferReply({ flags: MessageFlags.Ephemeral })
  await openSessionIn(guild, voice.id, app.sessions, channelId).ready()
  return done
}

/** What the bot lacks to see what is written in a channel. Of a private thread that it is not in, Discord tells it nothing at all. */
function hiddenFrom(guild: Guild, channel: GuildTextBasedChannel | null): 'read.unseen' | 'read.view' | 'read.chat' | 'read.thread' | undefined {
  if (channel === null) return 'read.unseen'
  const permissions = guild.members.me && channel.permissionsFor(guild.members.me)
  if (!permissions?.has([PermissionFlagsBits.ViewChannel, PermissionFlagsBits.ReadMessageHistory])) return 'read.view'
  if (channel.isVoiceBased() && !permissions.has(PermissionFlagsBits.Connect)) return 'read.chat'
  const isHidden = channel.type === ChannelType.PrivateThread && !channel.joined && !permissions.has(PermissionFlagsBits.ManageThreads)
  return isHidden ? 'read.thread' : undefined
}

/** Whether a member may have this channel read to `wanted`: of the voice channel where it is read so far, also when nobody is there. */
function mayDecide(member: GuildMember, voiceChannelId: string, wanted: string, app: App): boolean {
  if (member.voice.channelId === voiceChannelId || mayManage(member, app)) return true
  return voiceChannelId !== wanted && peopleIn(member.guild, voiceChannelId) === 0
}

/** Why the bot does not come at once. */
function hindranceTo(voice: VoiceBasedChannel, { sessions }: App, t: Translate): string | undefined {
  if (peopleIn(voice.guild, voice.id) === 0) return t('read.soon')
  const elsewhere = sessions.get(voice.guild.id)?.channelId()
  if (elsewhere === undefined || elsewhere === voice.id || peopleIn(voice.guild, elsewhere) === 0) return undefined
  return t('read.busy', { channel: `<#${elsewhere}>` })
}
