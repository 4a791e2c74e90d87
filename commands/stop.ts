import { InteractionContextType } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { mayModerate } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/stop`: silence now, and an empty queue. The bot stays. */
export const stop: Command = {
  data: {
    ...told(['stop', '停止', '정지'], ['Stop speaking and empty the queue', '読み上げを止めて、待ちを空にします', '말하기를 멈추고 대기열을 비웁니다']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    const { sessions, clock } = app
    const session = sessions.get(interaction.guildId)
    const content = () => {
      if (session === undefined) return t('voice.notHere')
      if (!mayModerate(interaction, session, app)) return t('refused.notHere', { channel: `<#${session.channelId()}>` })
      const count = session.stop()
      return count === 0 ? t('skip.nothing') : t('stop.done', { count })
    }
    await respond(interaction, { content: content() }, clock)
  }
}
