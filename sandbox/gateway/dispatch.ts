import { isThread, placeOf } from '../find.ts'
import { FLAG } from '../messages.ts'
import { channelPayload, channelPayloads, rolePayloads, threadPayloadFor } from '../payload/guild.ts'
import { interactionPayload } from '../payload/interaction.ts'
import { isReadAlways, messageEventPayload } from '../payload/message.ts'
import type { Links } from '../payload/message.ts'
import { voiceStatePayload } from '../payload/people.ts'
import { may, readPermissions } from '../permissions.ts'
import type { Message, World, WorldEvents } from '../world.ts'
import { INTENT } from './session.ts'
import type { Session } from './session.ts'

/** Tells the bot's sessions what happens in the world, as far as their intents and permissions let them know. */
export function dispatchEvents(world: World, links: Links, sessions: () => Iterable<Session>): () => void {
  const botId = world.application.id

  /** Who has the intent hears of it. */
  const tell = (intent: number, type: string, data: (session: Session) => object | undefined) => {
    for (const session of sessions()) {
      if (intent !== 0 && !(session.intents & intent)) continue
      const payload = data(session)
      if (payload) session.dispatch(type, payload)
    }
  }

  /** The intent for messages of this channel; nothing where the bot can't look, and nobody is told of ephemeral ones. */
  function messageIntent(message: Message): number | undefined {
    if (message.flags & FLAG.ephemeral) return undefined
    if (world.dms.has(message.channelId)) return INTENT.directMessages
    const place = placeOf(world, message.channelId)
    return place && may(place.guild, botId, place.channel, ...readPermissions(place.channel)) ? INTENT.guildMessages : undefined
  }

  function tellMessage(type: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
    const intent = messageIntent(message)
    if (intent === undefined) return
    const always = isReadAlways(world, message)
    tell(intent, type, ({ intents }) => messageEventPayload(world, links, message, always || (intents & INTENT.messageContent) !== 0))
  }

  function channelUpdate(guildId: string, channelId: string): object | undefined {
    const guild = world.guilds.get(guildId)
    return guild && channelPayloads(guild).find(({ id }) => id === channelId)
  }

  function roleUpdate(guildId: string, roleId: string): object | undefined {
    const guild = world.guilds.get(guildId)
    const role = guild && rolePayloads(world, guild).find(({ id }) => id === roleId)
    return role && { guild_id: guildId, role }
  }

  const handlers: { [Name in keyof WorldEvents]?: (...args: WorldEvents[Name]) => void } = {
    message: (message) => tellMessage('MESSAGE_CREATE', message),
    messageEdited: (message) => tellMessage('MESSAGE_UPDATE', message),
    messageDeleted(message) {
      const intent = messageIntent(message)
      const guild = placeOf(world, message.channelId)?.guild
      if (intent !== undefined) {
        tell(intent, 'MESSAGE_DELETE', () => ({ id: message.id, channel_id: message.channelId, ...(guild && { guild_id: guild.id }) }))
      }
    },
    messagesDeleted(messages) {
      const [first] = messages
      const intent = first && messageIntent(first)
      const guild = placeOf(world, first?.channelId ?? '')?.guild
      if (first && intent !== undefined) {
        tell(intent, 'MESSAGE_DELETE_BULK', () => ({ ids: messages.map(({ id }) => id), channel_id: first.channelId, ...(guild && { guild_id: guild.id }) }))
      }
    },
    voiceState(guildId, before, after, userId) {
      const guild = world.guilds.get(guildId)
      if (guild) tell(INTENT.guildVoiceStates, 'VOICE_STATE_UPDATE', () => voiceStatePayload(world, guild, userId, after, before?.sessionId))
    },
    channelChanged: ({ id, guildId }) => tell(INTENT.guilds, 'CHANNEL_UPDATE', () => channelUpdate(guildId, id)),
    channelCreated(channel) {
      if (isThread(channel)) tell(INTENT.guilds, 'THREAD_CREATE', () => threadPayloadFor(botId, channel))
      else tell(INTENT.guilds, 'CHANNEL_CREATE', () => channelPayload(channel))
    },
    channelDeleted: (channel) => tell(INTENT.guilds, isThread(channel) ? 'THREAD_DELETE' : 'CHANNEL_DELETE', () => channelPayload(channel)),
    roleCreated: (guildId, { id }) => tell(INTENT.guilds, 'GUILD_ROLE_CREATE', () => roleUpdate(guildId, id)),
    roleDeleted: (guildId, roleId) => tell(INTENT.guilds, 'GUILD_ROLE_DELETE', () => ({ guild_id: guildId, role_id: roleId })),
    roleChanged: (guildId, { id }) => tell(INTENT.guilds, 'GUILD_ROLE_UPDATE', () => roleUpdate(guildId, id)),
    botRemoved: (guildId) => tell(INTENT.guilds, 'GUILD_DELETE', () => ({ id: guildId })),
    interaction: (interaction) => tell(0, 'INTERACTION_CREATE', () => interactionPayload(world, links, interaction))
  }
  const names = Object.keys(handlers) as (keyof WorldEvents)[]
  for (const name of names) world.events.on(name, handlers[name] as () => void)
  return () => {
    for (const name of names) world.events.off(name, handlers[name] as () => void)
  }
}
