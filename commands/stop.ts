import { InteractionContextType } from 'discord.js'
import type { Command } from '../bot/discord/command.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/stop`: silence now, and an empty queue. The bot stays. */
export const stop: Command = {
  data: {
    name: 'stop',
    description: 'Stop speaking and empty the queue',
    description_localizations: { ja: '読み上げを止めて、待ちを空にします', ko: '말하기를 멈추고 대기열을 비웁니다' },
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { sessions }, t) {
    const session = sessions.get(interaction.guildId)
    const count = session?.stop() ?? 0
    const content = session === undefined ? t('voice.notHere') : count === 0 ? t('skip.nothing') : t('stop.done', { count })
    await respond(interaction, { content })
  }
}
