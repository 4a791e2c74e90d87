import { InteractionContextType, MessageFlags } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { openSessionIn, placeOf } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/join`: the bot comes to the member's voice channel. */
export const join: Command = {
  data: {
    ...told(['join', '参加', '참가'], ['Come to your voice channel', 'あなたのボイスチャンネルに入ります', '내 음성 채널로 부릅니다']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    const { memberChannelId, missing, busyChannelId } = placeOf(interaction.member, app.sessions)
    if (memberChannelId === null) {
      await respond(interaction, { content: t('refused.notInVoice') }, app.clock)
      return
    }
    const channel = `<#${memberChannelId}>`
    const elsewhere = busyChannelId !== null && busyChannelId !== memberChannelId ? busyChannelId : undefined
    if (missing !== undefined || elsewhere !== undefined) {
      await respond(interaction, { content: missing !== undefined ? t(`refused.${missing}`, { channel }) : t('refused.elsewhere', { channel: `<#${elsewhere}>` }) }, app.clock)
      return
    }
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const session = openSessionIn(interaction.guild, memberChannelId, app.sessions, interaction.channelId)
    await session.ready()
    const silenced = session.silenced()
    await respond(interaction, { content: silenced === undefined ? t('join.done', { channel }) : t(`silenced.${silenced}`, { channel }) }, app.clock)
  }
}
