import type { Clock } from '../bot/core/clock.ts'
import { commandActs, visiblePlace } from './acts/commands.ts'
import { componentActs } from './acts/components.ts'
import { Refusal } from './acts/refusal.ts'
import { serverActs } from './acts/server.ts'
import { voiceActs } from './acts/voice.ts'
import { createWaits } from './acts/waits.ts'
import type { BotVoice } from './gateway/bot-voice.ts'
import { notified } from './mentions.ts'
import { addMessage, deleteMessage, editMessage } from './messages.ts'
import { may, permission } from './permissions.ts'
import type { Attachment, Message, World } from './world.ts'

export interface Sent {
  replyToId?: string
  attachments?: readonly Omit<Attachment, 'id'>[]
}

export interface ActDeps {
  world: World
  /** Discord's time. */
  clock: Clock
  /** The time of who waits. */
  wireClock: Clock
  botVoice: BotVoice
}

export type Acts = ReturnType<typeof createActs>

/**
 * What people do in Discord's client. What the client would not let them do is thrown as a `Refusal`, in its words;
 * everything else happens at once, and the bot hears of it through the gateway.
 */
export function createActs({ world, clock, wireClock, botVoice }: ActDeps) {
  const waits = createWaits(world, wireClock)

  function sendMessage(userId: string, channelId: string, content: string, { replyToId, attachments = [] }: Sent = {}): Message {
    const dm = world.dms.get(channelId)
    const place = dm ? undefined : visiblePlace(world, userId, channelId)
    if (dm ? dm.userId !== userId : place && !may(place.guild, userId, place.channel, permission.SendMessages)) {
      throw new Refusal('You may not write in this channel.')
    }
    if (content.length > 2000) throw new Refusal('Your message is too long.')
    if (content.trim() === '' && attachments.length === 0) throw new Refusal('Your message is empty.')
    const replied = replyToId === undefined ? undefined : world.messages.get(replyToId)
    return addMessage(world, clock, {
      channelId,
      authorId: userId,
      content: content.trim(),
      attachments: attachments.map((attachment) => ({ ...attachment, id: world.nextId() })),
      replyToId: replied?.id ?? null,
      ...notified(content, {
        guild: place?.guild,
        allowed: undefined,
        mayMentionEveryone: place ? may(place.guild, userId, place.channel, permission.MentionEveryone) : false,
        repliedUserId: replied?.authorId
      })
    })
  }

  function ownMessage(userId: string, messageId: string): Message {
    const message = world.messages.get(messageId)
    if (message?.authorId !== userId) throw new Refusal('This is not your message.')
    return message
  }

  return {
    ...commandActs(world, clock, waits),
    ...componentActs(world, clock),
    ...voiceActs(world, botVoice),
    ...serverActs(world, botVoice),
    ...waits,
    sendMessage,
    editMessage: (userId: string, messageId: string, content: string): Message =>
      editMessage(world, clock, ownMessage(userId, messageId), { content: content.trim() }),
    deleteMessage: (userId: string, messageId: string): void => deleteMessage(world, ownMessage(userId, messageId))
  }
}
