import { once } from 'node:events'
import { ChannelType, Events, PermissionFlagsBits, Status } from 'discord.js'
import type { Guild, VoiceState } from 'discord.js'
import type { OverReason } from '../voice/over.ts'
import type { GuildView, Silenced } from '../voice/guild-view.ts'

/** What a voice session needs of its guild, out of what discord.js knows at the moment. */
export function viewOf(guild: Guild): GuildView {
  const { client, id: guildId } = guild
  const own = () => guild.members.me?.voice

  return {
    guildId,
    adapterCreator: guild.voiceAdapterCreator,
    isUp: () => guild.available && guild.shard.status === Status.Ready,
    ownChannelId: () => own()?.channelId ?? null,
    hasPeople: (channelId) => guild.voiceStates.cache.some((state) => state.channelId === channelId && state.id !== client.user.id),
    hindrance: (channelId) => hindranceIn(guild, channelId),
    silenced: () => silencedBy(own()),
    async askToSpeak(signal) {
      const channel = own()?.channel
      const permissions = guild.members.me && channel?.permissionsFor(guild.members.me)
      const wish = permissions?.has(PermissionFlagsBits.MuteMembers) ? { suppressed: false } : permissions?.has(PermissionFlagsBits.RequestToSpeak) ? { requestToSpeak: true } : undefined
      if (wish === undefined) return
      await own()?.edit(wish)
      // The answer comes before the news that it is so.
      while (silencedBy(own()) === 'audience') await once(client, Events.VoiceStateUpdate, { signal })
    }
  }
}

function hindranceIn(guild: Guild, channelId: string): OverReason | undefined {
  if (!guild.client.guilds.cache.has(guild.id)) return 'removed'
  const channel = guild.channels.cache.get(channelId)
  if (channel?.isVoiceBased() !== true) return 'channelDeleted'
  const { me } = guild.members
  if (me === null) return undefined
  const permissions = channel.permissionsFor(me)
  if (!permissions.has([PermissionFlagsBits.ViewChannel, PermissionFlagsBits.Connect])) return 'noPermission'
  return channel.full && me.voice.channelId !== channelId && !permissions.has(PermissionFlagsBits.MoveMembers) ? 'channelFull' : undefined
}

/** `suppress` is the audience of a stage; elsewhere it says that somebody may not speak. */
function silencedBy(own: VoiceState | undefined): Silenced | undefined {
  if (own?.serverMute === true) return 'muted'
  if (own?.suppress !== true) return undefined
  if (own.channel?.type !== ChannelType.GuildStageVoice) return 'speak'
  return own.requestToSpeakTimestamp === null ? 'audience' : 'asked'
}
