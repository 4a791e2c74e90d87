import { ApplicationCommandType, InteractionContextType } from 'discord.js'
import type { MessageContextMenuCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import type { MessageMenu } from '../bot/discord/command.ts'
import { namesOf } from '../bot/discord/guild.ts'
import { postedOf } from '../bot/discord/posted.ts'
import { utteranceOf } from '../bot/discord/utterance.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { deliver } from './say/deliver.ts'

/** A message's menu, "Read aloud": in the voice of who wrote it. Discord sends the message along, so it needs no right to read messages. */
export const readAloud = menuEntry(['Read aloud', '読み上げる', '소리 내어 읽기'], ({ targetMessage }) => targetMessage.author.id)

/** The same, in the voice of who asks. */
export const readAloudInMyVoice = menuEntry(['Read aloud in my voice', '自分の声で読み上げる', '내 목소리로 읽기'], ({ user }) => user.id)

function menuEntry(name: readonly [en: string, ja: string, ko: string], voiceOf: (interaction: MessageContextMenuCommandInteraction<'cached'>) => string): MessageMenu {
  return {
    data: {
      type: ApplicationCommandType.Message,
      name: name[0],
      name_localizations: { ja: name[1], ko: name[2] },
      contexts: [InteractionContextType.Guild]
    },
    executeOn: (interaction, app, t) => readMessage(interaction, app, t, voiceOf(interaction))
  }
}

async function readMessage(interaction: MessageContextMenuCommandInteraction<'cached'>, app: App, t: Translate, voiceOf: string): Promise<void> {
  const { targetMessage, guild, user } = interaction
  const { mentions } = targetMessage
  const uttered = utteranceOf(app, {
    guild,
    posted: postedOf(targetMessage),
    names: namesOf(guild, (id) => mentions.members.get(id)?.displayName ?? mentions.users.get(id)?.displayName),
    voiceOf,
    askedBy: user.id,
    overlong: 'cut'
  })
  await deliver(interaction, app, t, uttered, { wanted: 'auto', privately: true })
}
