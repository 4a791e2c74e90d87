import { setImmediate as nextTurn } from 'node:timers/promises'
import { PermissionFlagsBits } from 'discord.js'
import type { RecordingWanted } from '../delivery/choose.ts'
import { record } from '../delivery/recording.ts'
import type { Recording } from '../delivery/recording.ts'
import type { Translate } from '../i18n/index.ts'
import type { Utterance } from '../speech/speak.ts'
import type { App } from './app.ts'
import { faultOf, tell } from './dispatch.ts'
import { attach, filesOf, sendFitting } from './fitting.ts'
import type { Fitting } from './fitting.ts'
import { openRecordingReply } from './recording-reply.ts'
import type { RecordingCommand, RecordingReply } from './recording-reply.ts'
import { respond } from './respond.ts'

/** From so many segments on it takes long enough that its author wants to see how far it is. */
const LONG_SEGMENTS = 4

/**
 * An utterance outside voice: a native voice message where it is wanted and may be sent (phones play it inside Discord, a file they do not), else
 * a file. It is sent once and whole, in parts if need be, or its author reads what happened.
 */
export async function sendRecording(interaction: RecordingCommand, app: App, t: Translate, utterance: Utterance, wanted: RecordingWanted): Promise<void> {
  const begun = app.files.begin(utterance, interaction.user.id)
  if (!begun.ok) {
    await respond(interaction, { content: t(`refused.${begun.reason}`) }, app.clock)
    return
  }
  const { count } = utterance.audio
  const mayVoice = interaction.appPermissions.has(PermissionFlagsBits.SendVoiceMessages)
  const asVoiceMessage = wanted !== 'file' && mayVoice
  let done = 0
  try {
    utterance.audio.warm()
    // What is asked of the node is on its way before the answer to Discord is made, which takes longer than all that came before.
    await nextTurn()
    const reply = await openRecordingReply(interaction, { asVoiceMessage: asVoiceMessage && count < LONG_SEGMENTS, clock: app.clock, t })
    try {
      const onSegment = (segments: number) => {
        done = segments
        if (count >= LONG_SEGMENTS) reply.progress(t('recording.progress', { done, count }))
      }
      const recording = await record(utterance, { withLevels: asVoiceMessage, onSegment })
      const note = wanted === 'voice-message' && !mayVoice ? t('recording.notAllowed') : undefined
      await sendFitting(recording, interaction.attachmentSizeLimit, (fitted) => send(fitted, recording, reply, { t, note }))
      app.metrics.utterances.inc({ outcome: 'uploaded' })
      app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: 'uploaded' }, 'said')
    } catch (thrown) {
      const why = tell(faultOf(thrown), interaction.commandName, app, t)
      await reply.finish({ content: done > 0 && done < count ? t('recording.broken', { done, count, why }) : why, privately: true })
      app.metrics.utterances.inc({ outcome: 'failed' })
    }
  } finally {
    begun.end()
  }
}

async function send(fitted: Fitting, { durationMs }: Recording, reply: RecordingReply, { t, note }: { t: Translate; note: string | undefined }): Promise<void> {
  const seconds = durationMs / 1000
  const notes = [t('say.file', { seconds: seconds.toFixed(1) }), note]
  if (fitted.how !== 'parts' && fitted.waveform !== undefined) {
    const file = attach({ ...fitted.file, name: 'voice-message.ogg' }).setWaveform(fitted.waveform).setDuration(seconds)
    const outcome = await reply.voiceMessage(file, notes[0] ?? '')
    if (outcome === 'sent') return
    if (outcome === 'refused') notes.push(t('recording.notTaken'))
  }
  if (fitted.how === 'smaller') notes.push(t('recording.smaller'))
  if (fitted.how === 'parts') notes.push(t('recording.parts', { count: fitted.files.length }))
  await reply.finish({ content: notes.filter((each) => each !== undefined).join('\n'), files: filesOf(fitted).map(attach) })
}
