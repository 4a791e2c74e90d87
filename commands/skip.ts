import { InteractionContextType, PermissionFlagsBits } from 'discord.js'
import type { Command } from '../bot/discord/command.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/skip`: ends what is being said: one's own, or anybody's for members who manage messages. */
export const skip: Command = {
  data: {
    name: 'skip',
    description: 'Skip what is being said now',
    description_localizations: { ja: 'いまの読み上げを飛ばします', ko: '지금 말하는 것을 건너뜁니다' },
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { sessions, clock }, t) {
    const session = sessions.get(interaction.guildId)
    const speaker = session?.speaker()
    const content = () => {
      if (session === undefined) return t('voice.notHere')
      if (speaker === undefined) return t('skip.nothing')
      const may = speaker === interaction.user.id || interaction.memberPermissions.has(PermissionFlagsBits.ManageMessages)
      if (!may) return t('skip.notYours')
      session.skip()
      return t('skip.done')
    }
    await respond(interaction, { content: content() }, clock)
  }
}
