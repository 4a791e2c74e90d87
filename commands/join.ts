import { InteractionContextType, MessageFlags } from 'discord.js'
import type { Command } from '../bot/discord/command.ts'
import { placeOf } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/join`: the bot comes to the member's voice channel. */
export const join: Command = {
  data: {
    name: 'join',
    description: 'Come to your voice channel',
    description_localizations: { ja: 'あなたのボイスチャンネルに入ります', ko: '내 음성 채널로 부릅니다' },
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    const { memberChannelId, missing, busyChannelId } = placeOf(interaction.member, app.sessions)
    const refused = await (async () => {
      if (memberChannelId === null) return t('refused.notInVoice')
      if (missing !== undefined) return t(`refused.${missing}`, { channel: `<#${memberChannelId}>` })
      if (busyChannelId !== null && busyChannelId !== memberChannelId) return t('refused.elsewhere', { channel: `<#${busyChannelId}>` })
      await interaction.deferReply({ flags: MessageFlags.Ephemeral })
      const session = app.sessions.open(interaction.guildId, memberChannelId, interaction.guild.voiceAdapterCreator)
      await session.ready()
      return t('join.done', { channel: `<#${memberChannelId}>` })
    })()
    await respond(interaction, { content: refused })
  }
}
