import { AttachmentBuilder, MessageFlags } from 'discord.js'
import type { RepliableInteraction } from 'discord.js'
import { VoxError } from '../core/errors.ts'
import { record } from '../delivery/recording.ts'
import { fitUpload } from '../delivery/upload.ts'
import type { Translate } from '../i18n/index.ts'
import type { Utterance } from '../speech/speak.ts'
import type { App } from './app.ts'
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
    const fitted = await fitUpload(recording, interaction.attachmentSizeLimit)
    if (fitted.how === 'tooLarge') throw new VoxError('UPLOAD_TOO_LARGE', { sizeBytes: fitted.sizeBytes, limitBytes: interaction.attachmentSizeLimit })
    const files = (fitted.how === 'parts' ? fitted.files : [fitted.file]).map(({ name, bytes }) => new AttachmentBuilder(bytes, { name }))
    await respond(interaction, { content: caption((recording.durationMs / 1000).toFixed(1)), files, ...more }, app.clock)
    app.metrics.utterances.inc({ outcome: 'uploaded' })
    app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: 'uploaded' }, 'said')
  } catch (error) {
    app.metrics.utterances.inc({ outcome: 'failed' })
    throw error
  } finally {
    begun.end()
  }
}
