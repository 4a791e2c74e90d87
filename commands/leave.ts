import { InteractionContextType } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { mayModerate } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/leave`: the bot leaves its voice channel; what waits there is told to its authors. */
export const leave: Command = {
  data: {
    ...told(['leave', '退出', '퇴장'], ['Leave the voice channel', 'ボイスチャンネルから出ます', '음성 채널에서 나갑니다']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    const { sessions, clock } = app
    const session = sessions.get(interaction.guildId)
    if (session === undefined) {
      await respond(interaction, { content: t('voice.notHere') }, clock)
      return
    }
    const channel = `<#${session.channelId()}>`
    if (!mayModerate(interaction, session, app)) {
      await respond(interaction, { content: t('refused.notHere', { channel }) }, clock)
      return
    }
    session.stop()
    session.leave()
    await respond(interaction, { content: t('leave.done', { channel }) }, clock)
  }
}
