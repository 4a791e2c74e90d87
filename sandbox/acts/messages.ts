import type { Clock } from '../../bot/core/clock.ts'
import { placeOf } from '../find.ts'
import { notified } from '../mentions.ts'
import { addMessage, deleteMessage, deleteMessages, editMessage, FLAG } from '../messages.ts'
import { may, permission, sendPermission } from '../permissions.ts'
import type { Attachment, Channel, Message, World } from '../world.ts'
import { visiblePlace } from './commands.ts'
import { Refusal } from './refusal.ts'

export interface Sent {
  replyToId?: string
  attachments?: readonly Omit<Attachment, 'id'>[]
  /** Names; at most three. */
  stickers?: readonly string[]
  poll?: { question: string; answers: string[] }
  /** The one attachment was recorded in the client: nothing else may go with it. */
  isVoiceMessage?: boolean
}

/** What people, other bots and webhooks write. */
export function messageActs(world: World, clock: Clock) {
  function sendMessage(userId: string, channelId: string, content: string, sent: Sent = {}): Message {
    const { replyToId, attachments = [], stickers = [], poll = null, isVoiceMessage = false } = sent
    const dm = world.dms.get(channelId)
    const place = dm ? undefined : visiblePlace(world, userId, channelId)
    if (dm ? dm.userId !== userId : place && !may(place.guild, userId, place.channel, sendPermission(place.channel))) {
      throw new Refusal('You may not write in this channel.')
    }
    if (content.length > 2000) throw new Refusal('Your message is too long.')
    if (stickers.length > 3) throw new Refusal('A message has three stickers at most.')
    if (content.trim() === '' && attachments.length + stickers.length === 0 && poll === null) throw new Refusal('Your message is empty.')
    const replied = replyToId === undefined ? undefined : world.messages.get(replyToId)
    return addMessage(world, clock, {
      channelId,
      authorId: userId,
      content: content.trim(),
      attachments: withIds(attachments),
      stickers: stickers.map((name) => ({ id: world.nextId(), name })),
      poll,
      flags: isVoiceMessage ? FLAG.voiceMessage : 0,
      replyToId: replied?.id ?? null,
      ...notified(content, {
        guild: place?.guild,
        allowed: undefined,
        mayMentionEveryone: place ? may(place.guild, userId, place.channel, permission.MentionEveryone) : false,
        repliedUserId: replied?.authorId
      })
    })
  }

  function withIds(attachments: readonly Omit<Attachment, 'id'>[]): Attachment[] {
    return attachments.map((attachment) => ({ ...attachment, id: world.nextId() }))
  }

  function ownMessage(userId: string, messageId: string): Message {
    const message = world.messages.get(messageId)
    if (message?.authorId !== userId) throw new Refusal('This is not your message.')
    return message
  }

  return {
    sendMessage,

    /** What the client's "Forward" makes: a message without words of its own. */
    forwardMessage(userId: string, channelId: string, messageId: string): Message {
      visiblePlace(world, userId, channelId)
      const found = world.messages.get(messageId)
      if (found === undefined) throw new Refusal('There is no such message.')
      if (found.poll !== null) throw new Refusal('Polls can’t be forwarded.')
      const { content, embeds, attachments, flags, stickers, createdAtMs } = found
      const forwarded = found.forwarded ?? { content, embeds, attachments, flags, stickers, createdAtMs, messageId, channelId: found.channelId }
      return addMessage(world, clock, { channelId, authorId: userId, forwarded })
    },

    /** A webhook's message under a name of its own; the same `webhookId` is the same webhook. */
    postByWebhook(webhookId: string, channelId: string, name: string, content: string, { attachments = [] }: Pick<Sent, 'attachments'> = {}): Message {
      if (content === '' && attachments.length === 0) throw new Refusal('Cannot send an empty message')
      const mentions = notified(content, { guild: placeOf(world, channelId)?.guild, allowed: undefined, mayMentionEveryone: true })
      return addMessage(world, clock, { channelId, authorId: webhookId, webhookName: name, content: content.slice(0, 2000), attachments: withIds(attachments), ...mentions })
    },

    /** What Discord itself writes about somebody: 6 pinned a message, 7 joined the server, 8 boosted it. */
    postSystemMessage: (userId: string, channelId: string, systemType: number): Message => addMessage(world, clock, { channelId, authorId: userId, systemType }),

    editMessage: (userId: string, messageId: string, content: string): Message =>
      editMessage(world, clock, ownMessage(userId, messageId), { content: content.trim() }),
    deleteMessage: (userId: string, messageId: string): void => deleteMessage(world, ownMessage(userId, messageId)),

    /** As a moderator does it, of one channel. */
    purge: (messageIds: readonly string[]): void => deleteMessages(world, messageIds.flatMap((id) => world.messages.get(id) ?? [])),

    /** Opens a thread, which the bot may read as it may its channel; a private one only once it is in it. */
    startThread(userId: string, parentId: string, name: string, { isPrivate = false }: { isPrivate?: boolean } = {}): Channel {
      const { guild } = visiblePlace(world, userId, parentId)
      const thread: Channel = { id: world.nextId(), guildId: guild.id, name, type: isPrivate ? 12 : 11, parentId, overwrites: [], userLimit: 0, ...(isPrivate && { memberIds: [userId] }) }
      guild.channels.set(thread.id, thread)
      world.events.emit('channelCreated', thread)
      return thread
    },

    /** Somebody who is mentioned in a private thread is in it from then on. */
    addToThread(threadId: string, userId: string): void {
      const thread = placeOf(world, threadId)?.channel
      if (thread?.memberIds === undefined) throw new Refusal('There is no such private thread.')
      thread.memberIds.push(userId)
      if (userId === world.application.id) world.events.emit('channelCreated', thread)
    }
  }
}
