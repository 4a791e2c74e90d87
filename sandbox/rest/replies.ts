import { addMessage, editMessage, FLAG } from '../messages.ts'
import { setState } from '../interactions.ts'
import { placeOf } from '../find.ts'
import type { Interaction, Message } from '../world.ts'
import type { Body } from './body.ts'
import { composeMessage } from './compose.ts'
import type { RestDeps } from './deps.ts'
import { refused, unknown } from './errors.ts'

/** The messages with which a bot answers an interaction: the first reply, its edits, and follow-ups. */
export interface Replies {
  /** A new message of the interaction; the first one is its reply. */
  add(interaction: Interaction, body: Body): Message
  /** The message in place of which the bot "thinks". */
  addLoading(interaction: Interaction, flags: number): Message
  edit(interaction: Interaction, message: Message, body: Body): Message
  /** `@original` or an id of this interaction's messages. @throws ApiError 10008 */
  find(interaction: Interaction, messageId: string): Message
}

export function createReplies({ world, clock }: Pick<RestDeps, 'world' | 'clock'>): Replies {
  const authorId = world.application.id
  const context = (interaction: Interaction) => ({ world, place: placeOf(world, interaction.channelId), authorId, mayBeEphemeral: true })
  const base = ({ id, channelId }: Interaction) => ({ channelId, authorId, interactionId: id })
  const visibleTo = (interaction: Interaction, flags: number) => (flags & FLAG.ephemeral ? interaction.userId : null)

  function append(interaction: Interaction, draft: Parameters<typeof addMessage>[2]): Message {
    const message = addMessage(world, clock, draft)
    interaction.messageIds.push(message.id)
    return message
  }

  return {
    add(interaction, body) {
      const composed = composeMessage(body, context(interaction))
      return append(interaction, { ...base(interaction), ...composed, onlyForUserId: visibleTo(interaction, composed.flags) })
    },
    addLoading(interaction, wanted) {
      const flags = FLAG.loading | (wanted & (FLAG.ephemeral | FLAG.voiceMessage | 4 | 4096))
      return append(interaction, { ...base(interaction), flags, onlyForUserId: visibleTo(interaction, flags) })
    },
    edit(interaction, message, body) {
      const wasLoading = (message.flags & FLAG.loading) !== 0
      if (message.flags & FLAG.voiceMessage && !wasLoading) throw refused.voiceEdit()
      const edited = editMessage(world, clock, message, composeMessage(body, { ...context(interaction), editing: message }))
      if (wasLoading) setState(world, interaction, 'answered')
      return edited
    },
    find(interaction, messageId) {
      const id = messageId === '@original' ? (interaction.messageIds[0] ?? interaction.sourceMessageId ?? '') : messageId
      const message = world.messages.get(id)
      if (!message || (!interaction.messageIds.includes(id) && id !== interaction.sourceMessageId)) throw unknown.message()
      return message
    }
  }
}
