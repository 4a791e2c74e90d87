import { MessageFlags } from 'discord.js'
import type { RepliableInteraction } from 'discord.js'
import { record } from '../delivery/recording.ts'
import type { Translate } from '../i18n/index.ts'
import type { Utterance } from '../speech/speak.ts'
import type { App } from './app.ts'
import { attach, filesOf, sendFitting } from './fitting.ts'
import { respond } from './respond.ts'
import type { Reply } from './respond.ts'

/** An utterance that its member alone hears: an ephemeral answer with a file. @param caption the answer's words, by the recording's seconds */
export async function sendPrivately(
  interaction: RepliableInteraction<'cached'>,
  app: App,
  t: Translate,
  utterance: Utterance,
  { caption, ...more }: { caption: (seconds: string) => string } & Pick<Reply, 'components' | 'mustReach'>
): Promise<void> {
  const begun = app.files.begin(utterance, interaction.user.id)
  if (!begun.ok) {
    await respond(interaction, { content: t(`refused.${begun.reason}`) }, app.clock)
    return
  }
  try {
    utterance.audio.warm()
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const recording = await record(utterance, { withLevels: false })
    const content = caption((recording.durationMs / 1000).toFixed(1))
    await sendFitting(recording, interaction.attachmentSizeLimit, (fitted) => respond(interaction, { content, files: filesOf(fitted).map(attach), ...more }, app.clock))
    app.metrics.utterances.inc({ outcome: 'uploaded' })
    app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: 'uploaded' }, 'said')
  } catch (error) {
    app.metrics.utterances.inc({ outcome: 'failed' })
    throw error
  } finally {
    begun.end()
  }
}
