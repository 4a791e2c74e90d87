import { placeOf } from '../find.ts'
import type { Attachment, Message, Snapshot, World } from '../world.ts'
import { bareMemberPayload, isoTime, userPayload, userPayloadById } from './people.ts'

/** Where the sandbox serves attachments, for the links in messages. */
export interface Links {
  origin: string
}

type Carrier = Pick<Message, 'channelId' | 'flags'>

const path = (message: Carrier, attachment: Attachment) =>
  `/attachments/${message.channelId}/${attachment.id}/${encodeURIComponent(attachment.filename)}`

export function attachmentPayload(links: Links, message: Carrier, attachment: Attachment) {
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

/** 20 the answer to a command, 19 a reply, 0 anything else that is no system message. */
function typeOf(message: Message, isCommandReply: boolean): number {
  if (message.systemType !== null) return message.systemType
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

/** A webhook's is no user: the webhook's id under the name of the message. */
function authorPayload(world: World, { authorId, webhookName }: Message) {
  if (webhookName === null) return { author: userPayloadById(world, authorId) }
  const { global_name: _, ...husk } = userPayload({ id: authorId, username: webhookName, displayName: webhookName, bot: true, color: '' })
  return { author: { ...husk, discriminator: '0000' }, webhook_id: authorId }
}

function pollPayload({ poll, createdAtMs }: Message) {
  return poll && {
    question: { text: poll.question },
    answers: poll.answers.map((text, index) => ({ answer_id: index + 1, poll_media: { text } })),
    expiry: isoTime(createdAtMs + 86_400_000),
    allow_multiselect: false,
    layout_type: 1
  }
}

const stickerPayloads = (stickers: Message['stickers']) => stickers.map(({ id, name }) => ({ id, name, format_type: 1 }))

/** A forwarded message: a reference of type 1, and what it held then. */
function forwardPayload(world: World, links: Links, snapshot: Snapshot) {
  const { messageId, channelId, content, embeds, attachments, flags, stickers, createdAtMs } = snapshot
  const guildId = placeOf(world, channelId)?.guild.id
  const message = {
    type: 0,
    content,
    embeds,
    components: [],
    attachments: attachments.map((attachment) => attachmentPayload(links, snapshot, attachment)),
    timestamp: isoTime(createdAtMs),
    edited_timestamp: null,
    flags,
    mentions: [],
    mention_roles: [],
    ...(stickers.length > 0 && { sticker_items: stickerPayloads(stickers) })
  }
  return {
    message_reference: { type: 1, message_id: messageId, channel_id: channelId, ...(guildId !== undefined && { guild_id: guildId }) },
    message_snapshots: [{ message }]
  }
}

/** Discord's message object, as REST gives it. */
export function messagePayload(world: World, links: Links, message: Message) {
  const interaction = interactionPayload(world, message)
  const interacted = world.interactions.get(message.interactionId ?? '')
  const poll = pollPayload(message)
  return {
    id: message.id,
    channel_id: message.channelId,
    type: typeOf(message, interacted?.type === 2 && interacted.messageIds[0] === message.id),
    ...authorPayload(world, message),
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
    ...(message.stickers.length > 0 && { sticker_items: stickerPayloads(message.stickers) }),
    ...(poll && { poll }),
    ...(message.replyToId !== null && { message_reference: { type: 0, message_id: message.replyToId, channel_id: message.channelId } }),
    ...(message.forwarded && forwardPayload(world, links, message.forwarded))
  }
}

const NO_CONTENT = { content: '', embeds: [], attachments: [], components: [] }

/** What a bot without the message-content intent gets: empty fields, and no poll at all. */
export function withoutContent(payload: ReturnType<typeof messagePayload>) {
  const { poll: _, ...rest } = payload
  const snapshots = payload.message_snapshots?.map(({ message }) => ({ message: { ...message, ...NO_CONTENT } }))
  return { ...rest, ...NO_CONTENT, ...(snapshots && { message_snapshots: snapshots }) }
}

/** Whether the bot reads this whatever its intents: its own words, those that mention it, and direct ones. */
export function isReadAlways(world: World, message: Message): boolean {
  const botId = world.application.id
  return message.authorId === botId || message.mentionedUserIds.includes(botId) || world.dms.has(message.channelId)
}

/** The message as the gateway tells it: with guild and member; content hidden from who lacks the intent. */
export function messageEventPayload(world: World, links: Links, message: Message, showContent: boolean) {
  const guild = placeOf(world, message.channelId)?.guild
  const member = guild?.members.get(message.authorId)
  const payload = messagePayload(world, links, message)
  return {
    ...(showContent ? payload : withoutContent(payload)),
    ...(guild && { guild_id: guild.id }),
    ...(member && message.webhookName === null && { member: bareMemberPayload(member) })
  }
}
