import { notified } from '../mentions.ts'
import { FLAG } from '../messages.ts'
import { permission, permissionsOf } from '../permissions.ts'
import type { Attachment, Channel, Guild, Message, World } from '../world.ts'
import { parse } from './body.ts'
import type { Body, UploadedFile } from './body.ts'
import { invalidForm, refused } from './errors.ts'
import { MessageBody } from './message-schema.ts'
import { checkMaySendVoice, checkVoiceMessage, checkWaveform } from './voice-message.ts'

/** Flags that a bot may set when it makes a message; the voice message's can't be set by an edit. */
const SETTABLE = 4 | 4096 | FLAG.voiceMessage | FLAG.componentsV2
const ROWS_MAX = 5

export interface ComposeContext {
  world: World
  /** Where it goes: absent for direct messages. */
  place: { guild: Guild; channel: Channel } | undefined
  authorId: string
  /** Only the answers to interactions may be ephemeral (64). */
  mayBeEphemeral?: boolean
  /** The message that is changed. */
  editing?: Message
}

export type Composed = Pick<
  Message,
  'content' | 'embeds' | 'components' | 'attachments' | 'flags' | 'mentionedUserIds' | 'mentionsEveryone' | 'replyToId'
>

/**
 * What a message becomes from what was sent.
 * @throws ApiError 50035 for bad fields, 50006 for an empty message, 40005 for too much, and those of voice messages
 */
export function composeMessage(body: Body, context: ComposeContext): Composed {
  const { world, place, editing, authorId } = context
  const fields = parse(MessageBody, body.json)
  const limitBytes = place?.guild.uploadLimitBytes ?? 10 * 1024 * 1024
  if (body.files.some(({ bytes }) => bytes.byteLength > limitBytes)) throw refused.tooLarge()

  const replyToId = fields.message_reference?.message_id ?? editing?.replyToId ?? null
  const replied = replyToId === null ? undefined : world.messages.get(replyToId)
  if (fields.message_reference && !replied && fields.message_reference.fail_if_not_exists !== false) {
    throw invalidForm(['message_reference'], 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message')
  }
  const content = fields.content === undefined ? (editing?.content ?? '') : (fields.content ?? '').trim()
  const message = {
    content,
    embeds: fields.embeds ?? (fields.embeds === null ? [] : (editing?.embeds ?? [])),
    components: fields.components ?? (fields.components === null ? [] : (editing?.components ?? [])),
    attachments: attachmentsOf(world, fields, body.files, editing),
    flags: flagsOf(fields.flags ?? 0, context),
    replyToId: replied ? replyToId : null,
    // Counted at every edit too, which Discord does not: a bot that must notify nobody is caught either way.
    ...notified(content, {
      guild: place?.guild,
      allowed: fields.allowed_mentions ?? undefined,
      mayMentionEveryone: place ? (permissionsOf(place.guild, authorId, place.channel) & permission.MentionEveryone) !== 0n : false,
      repliedUserId: replied?.authorId
    })
  }
  if (message.flags & FLAG.voiceMessage) {
    checkVoiceMessage(message)
    checkMaySendVoice(place, authorId, message.flags)
  } else if (isEmpty(message)) throw refused.emptyMessage()
  if (!(message.flags & FLAG.componentsV2) && message.components.length > ROWS_MAX) {
    throw invalidForm(['components'], 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${ROWS_MAX} in length.`)
  }
  if (message.flags & FLAG.componentsV2 && (content !== '' || message.embeds.length > 0)) {
    throw invalidForm(['content'], 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', 'The content and embeds fields cannot be used with this flag')
  }
  return message
}

const isEmpty = (message: Pick<Message, 'content' | 'embeds' | 'components' | 'attachments'>) =>
  message.content === '' && message.embeds.length + message.components.length + message.attachments.length === 0

function flagsOf(wanted: number, { editing, mayBeEphemeral }: ComposeContext): number {
  // A deferred reply keeps what it was deferred with; what an edit asks for beyond that is ignored without an error.
  if (editing) return (editing.flags & ~FLAG.loading) | (wanted & (4 | FLAG.componentsV2))
  return wanted & (SETTABLE | (mayBeEphemeral ? FLAG.ephemeral : 0))
}

function attachmentsOf(world: World, fields: MessageBody, files: readonly UploadedFile[], editing: Message | undefined): Attachment[] {
  const rows = fields.attachments
  const kept = editing?.attachments.filter(({ id }) => !rows || rows.some((row) => row.id === id)) ?? []
  const added = files.map(({ index, filename, contentType, bytes }): Attachment => {
    const row = rows?.find(({ id }) => id === String(index))
    if (row?.waveform) checkWaveform(row.waveform, index)
    return {
      id: world.nextId(),
      filename: row?.filename ?? filename,
      contentType,
      bytes,
      ...(typeof row?.duration_secs === 'number' && { durationSecs: row.duration_secs }),
      ...(typeof row?.waveform === 'string' && { waveform: row.waveform })
    }
  })
  const all = [...kept, ...added]
  if (all.length > 10) throw invalidForm(['attachments'], 'BASE_TYPE_BAD_LENGTH', 'Must be 10 or fewer in length.')
  return all
}
