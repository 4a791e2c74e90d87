import { placeOf } from '../find.ts'
import type { Attachment, Message, World } from '../world.ts'
import { bareMemberPayload, isoTime, userPayload, userPayloadById } from './people.ts'

/** Where the sandbox serves attachments, for the links in messages. */
export interface Links {
  origin: string
}

const path = (message: Message, attachment: Attachment) =>
  `/attachments/${message.channelId}/${attachment.id}/${encodeURIComponent(attachment.filename)}`

export function attachmentPayload(links: Links, message: Message, attachment: Attachment) {
  const url = `${links.origin}${path(message, attachment)}`
  return {
    id: attachment.id,
    filename: attachment.filename,
    size: attachment.bytes.byteLength,
    url,
    proxy_url: url,
    content_type: attachment.contentType,
    ...(attachment.durationSecs !== undefined && { duration_secs: attachment.durationSecs }),
    ...(attachment.waveform !== undefined && { waveform: attachment.waveform }),
    ...((message.flags & 64) !== 0 && { ephemeral: true })
  }
}

/** 20 the answer to a command, 19 a reply, 0 anything else. */
function typeOf(message: Message, isCommandReply: boolean): number {
  if (isCommandReply) return 20
  return message.replyToId === null ? 0 : 19
}

function interactionPayload(world: World, message: Message) {
  const interaction = message.interactionId === null ? undefined : world.interactions.get(message.interactionId)
  if (!interaction) return {}
  return {
    interaction_metadata: {
      id: interaction.id,
      type: interaction.type,
      user: userPayloadById(world, interaction.userId),
      authorizing_integration_owners: { 0: interaction.guildId }
    },
    webhook_id: world.application.id,
    application_id: world.application.id
  }
}

/** Discord's message object, as REST gives it. */
export function messagePayload(world: World, links: Links, message: Message) {
  const interaction = interactionPayload(world, message)
  const interacted = world.interactions.get(message.interactionId ?? '')
  return {
    id: message.id,
    channel_id: message.channelId,
    type: typeOf(message, interacted?.type === 2 && interacted.messageIds[0] === message.id),
    author: userPayloadById(world, message.authorId),
    content: message.content,
    timestamp: isoTime(message.createdAtMs),
    edited_timestamp: message.editedAtMs === null ? null : isoTime(message.editedAtMs),
    tts: false,
    mention_everyone: message.mentionsEveryone,
    mentions: message.mentionedUserIds.flatMap((id) => {
      const user = world.users.get(id)
      return user ? [userPayload(user)] : []
    }),
    mention_roles: [],
    attachments: message.attachments.map((attachment) => attachmentPayload(links, message, attachment)),
    embeds: message.embeds,
    components: message.components,
    pinned: false,
    flags: message.flags,
    ...interaction,
    ...(message.replyToId !== null && { message_reference: { type: 0, message_id: message.replyToId, channel_id: message.channelId } })
  }
}

/** The message as the gateway tells it: with guild and member; content hidden from who lacks the intent. */
export function messageEventPayload(world: World, links: Links, message: Message, showContent: boolean) {
  const guild = placeOf(world, message.channelId)?.guild
  const member = guild?.members.get(message.authorId)
  return {
    ...messagePayload(world, links, message),
    ...(guild && { guild_id: guild.id }),
    ...(member && { member: bareMemberPayload(member) }),
    ...(!showContent && { content: '', embeds: [], attachments: [], components: [] })
  }
}
