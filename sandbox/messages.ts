import type { Clock } from '../bot/core/clock.ts'
import type { Attachment, Message, World } from './world.ts'

export const FLAG = { ephemeral: 64, loading: 128, voiceMessage: 8192, componentsV2: 32768 } as const

/** A sandbox that runs for days stays small: the oldest messages go first. */
const MESSAGES_MAX = 2_000
const ATTACHMENT_BYTES_MAX = 256 * 1024 * 1024

export type NewMessage = Pick<Message, 'channelId' | 'authorId'> & Partial<Omit<Message, 'id' | 'createdAtMs' | 'editedAtMs'>>

export function addMessage(world: World, clock: Clock, draft: NewMessage): Message {
  const message: Message = {
    content: '',
    embeds: [],
    components: [],
    attachments: [],
    flags: 0,
    mentionedUserIds: [],
    mentionsEveryone: false,
    interactionId: null,
    onlyForUserId: null,
    replyToId: null,
    systemType: null,
    webhookName: null,
    stickers: [],
    poll: null,
    forwarded: null,
    ...draft,
    id: world.nextId(),
    createdAtMs: clock.now(),
    editedAtMs: null
  }
  world.messages.set(message.id, message)
  forgetOldest(world)
  world.events.emit('message', message)
  return message
}

/** Changes the message in place. The first content of a deferred reply is no edit: nobody sees "(edited)" under it. */
export function editMessage(world: World, clock: Clock, message: Message, change: Partial<Message>): Message {
  const wasLoading = (message.flags & FLAG.loading) !== 0
  Object.assign(message, change, wasLoading ? {} : { editedAtMs: clock.now() })
  world.events.emit('messageEdited', message)
  return message
}

export function deleteMessage(world: World, message: Message): void {
  if (world.messages.delete(message.id)) world.events.emit('messageDeleted', message)
}

/** Several of one channel at once: one event. */
export function deleteMessages(world: World, messages: readonly Message[]): void {
  const deleted = messages.filter(({ id }) => world.messages.delete(id))
  if (deleted.length > 0) world.events.emit('messagesDeleted', deleted)
}

/** Newest last, as they were sent. */
export function messagesIn(world: World, channelId: string): Message[] {
  return [...world.messages.values()].filter((message) => message.channelId === channelId)
}

/** The attachment of a message, or of a command, while it is there. */
export function findAttachment(world: World, attachmentId: string): Attachment | undefined {
  for (const message of world.messages.values()) {
    const found = message.attachments.find(({ id }) => id === attachmentId)
    if (found) return found
  }
  return world.uploads.get(attachmentId)
}

function forgetOldest(world: World): void {
  const weigh = (message: Message) => message.attachments.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  let totalBytes = 0
  for (const message of world.messages.values()) totalBytes += weigh(message)
  for (const message of world.messages.values()) {
    if (world.messages.size <= MESSAGES_MAX && totalBytes <= ATTACHMENT_BYTES_MAX) return
    if (world.messages.size === 1) return
    totalBytes -= weigh(message)
    world.messages.delete(message.id)
  }
}
