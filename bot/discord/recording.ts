import { setImmediate as nextTurn } from 'node:timers/promises'
import { AttachmentBuilder, PermissionFlagsBits } from 'discord.js'
import { VoxError } from '../core/errors.ts'
import type { RecordingWanted } from '../delivery/choose.ts'
import { record } from '../delivery/recording.ts'
import type { AudioFile, Recording } from '../delivery/recording.ts'
import { fitUpload } from '../delivery/upload.ts'
import type { Upload } from '../delivery/upload.ts'
import type { Translate } from '../i18n/index.ts'
import type { Utterance } from '../speech/speak.ts'
import type { App } from './app.ts'
import { faultOf, tell } from './dispatch.ts'
import { openRecordingReply } from './recording-reply.ts'
import type { RecordingCommand, RecordingReply } from './recording-reply.ts'
import { respond } from './respond.ts'

type Fitting = Exclude<Upload, { how: 'tooLarge' }>

/** From so many segments on it takes long enough that its author wants to see how far it is. */
const LONG_SEGMENTS = 4

/** Discord may take less than it said: then half of what it refused is tried, so many times. */
const SMALLER_TIMES = 3

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
      await upload(recording, reply, { limitBytes: interaction.attachmentSizeLimit, t, note })
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

/** Sends what fits, and where Discord finds it too large all the same, what is smaller. @throws VoxError `UPLOAD_TOO_LARGE`, or what Discord said */
async function upload(recording: Recording, reply: RecordingReply, options: { limitBytes: number; t: Translate; note: string | undefined }): Promise<void> {
  let { limitBytes } = options
  for (let time = 0; ; time++) {
    const fitted = await fitUpload(recording, limitBytes)
    if (fitted.how === 'tooLarge') throw new VoxError('UPLOAD_TOO_LARGE', { sizeBytes: fitted.sizeBytes, limitBytes })
    try {
      await send(fitted, recording, reply, options)
      return
    } catch (error) {
      if (faultOf(error).code !== 'UPLOAD_TOO_LARGE' || time === SMALLER_TIMES) throw error
      limitBytes = Math.floor(largestOf(fitted) / 2)
    }
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

const filesOf = (fitted: Fitting): AudioFile[] => (fitted.how === 'parts' ? fitted.files : [fitted.file])
const largestOf = (fitted: Fitting): number => Math.max(...filesOf(fitted).map(({ bytes }) => bytes.length))
const attach = ({ name, bytes }: AudioFile) => new AttachmentBuilder(bytes, { name })
