import type { Message } from 'discord.js'
import type { Mutes } from '../guilds/mutes.ts'
import type { Writer } from './unread.ts'

/** Who wrote a message. `voiceChannelId` is the channel where they would be in voice. */
export function writerOf(message: Message<true>, voiceChannelId: string, mutes: Pick<Mutes, 'of'>): Writer {
  const { guild, author, member } = message
  return {
    kind: kindOf(message),
    hasRole: (roleId) => member?.roles.cache.has(roleId) ?? false,
    isInVoice: () => guild.voiceStates.cache.get(author.id)?.channelId === voiceChannelId,
    muter: () => mutes.of(guild.id, author.id)
  }
}

/** The name of who wrote it, as people in this server see it: the nickname first. A webhook has a name for each message. */
export function nameOf({ author, member }: Message<true>): string {
  return member?.displayName ?? author.displayName
}

/** The same for all that one speaker writes; a webhook speaks for many. */
export function speakerOf({ author, webhookId }: Message<true>): string {
  return webhookId === null ? author.id : `${author.id} ${author.username}`
}

function kindOf({ author, client, system, webhookId, applicationId }: Message<true>): Writer['kind'] {
  if (author.id === client.user.id) return 'self'
  if (system) return 'system'
  // Another bot's answer to a command comes by a webhook too: that of its application.
  if (webhookId !== null && webhookId !== applicationId) return 'webhook'
  return author.bot ? 'bot' : 'person'
}
