import { InteractionContextType } from 'discord.js'
import type { Command } from '../bot/discord/command.ts'
import { mayModerate } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/leave`: the bot leaves its voice channel; what waits there is told to its authors. */
export const leave: Command = {
  data: {
    name: 'leave',
    description: 'Leave the voice channel',
    description_localizations: { ja: 'ボイスチャンネルから出ます', ko: '음성 채널에서 나갑니다' },
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { sessions, clock }, t) {
    const session = sessions.get(interaction.guildId)
    if (session === undefined) {
      await respond(interaction, { content: t('voice.notHere') }, clock)
      return
    }
    const channel = `<#${session.channelId()}>`
    if (!mayModerate(interaction, session)) {
      await respond(interaction, { content: t('refused.notHere', { channel }) }, clock)
      return
    }
    session.stop()
    session.leave()
    await respond(interaction, { content: t('leave.done', { channel }) }, clock)
  }
}
