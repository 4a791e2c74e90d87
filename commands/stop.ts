import { InteractionContextType } from 'discord.js'
import type { Command } from '../bot/discord/command.ts'
import { mayModerate } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/stop`: silence now, and an empty queue. The bot stays. */
export const stop: Command = {
  data: {
    name: 'stop',
    description: 'Stop speaking and empty the queue',
    description_localizations: { ja: '読み上げを止めて、待ちを空にします', ko: '말하기를 멈추고 대기열을 비웁니다' },
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { sessions, clock }, t) {
    const session = sessions.get(interaction.guildId)
    const content = () => {
      if (session === undefined) return t('voice.notHere')
      if (!mayModerate(interaction, session)) return t('refused.notHere', { channel: `<#${session.channelId()}>` })
      const count = session.stop()
      return count === 0 ? t('skip.nothing') : t('stop.done', { count })
    }
    await respond(interaction, { content: content() }, clock)
  }
}
