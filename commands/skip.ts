import { InteractionContextType } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { maySkip } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'

/** `/skip`: ends what is being said: one's own, or anybody's for members who manage messages, or the bot. */
export const skip: Command = {
  data: {
    ...told(['skip', 'スキップ', '건너뛰기'], ['Skip what is being said now', 'いまの読み上げを飛ばします', '지금 말하는 것을 건너뜁니다']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    const { sessions, clock } = app
    const session = sessions.get(interaction.guildId)
    const speaker = session?.speaker()
    const content = () => {
      if (session === undefined) return t('voice.notHere')
      if (speaker === undefined) return t('skip.nothing')
      const may = speaker === interaction.user.id || maySkip(interaction, app)
      if (!may) return t('skip.notYours')
      session.skip()
      return t('skip.done')
    }
    await respond(interaction, { content: content() }, clock)
  }
}
