import { permissionsOf } from '../permissions.ts'
import type { Guild, Interaction, Member, Message, World } from '../world.ts'

/** Messages of one channel that a fresh page is given; older ones are scrolled out of this small world. */
const MESSAGES_PER_CHANNEL = 200

/** What the page sees of a message: attachments by address instead of bytes. */
export function messageView(message: Message) {
  return {
    ...message,
    attachments: message.attachments.map(({ bytes, ...rest }) => ({
      ...rest,
      sizeBytes: bytes.byteLength,
      url: `/sandbox/attachments/${rest.id}`
    }))
  }
}

/** What the page sees of an interaction: all but its token. `display` is what was used, e.g. `/nodes list`, or an entry of a message's menu. */
export function interactionView(interaction: Interaction) {
  const { id, type, guildId, channelId, userId, commandName, createdAtMs, messageIds, state, sourceMessageId } = interaction
  const isMenu = 'target_id' in interaction.data
  const display = isMenu ? commandName : `/${[commandName, ...subcommandNames(interaction.options)].join(' ')}`
  const ephemeral = interaction.callback?.ephemeral ?? false
  const form = interaction.modal ?? null
  return { id, type, guildId, channelId, userId, display, createdAtMs, messageIds, state, ephemeral, sourceMessageId, form }
}

/** Subcommands (type 1) and their groups (type 2) nest in the options. */
function subcommandNames(options: unknown[]): string[] {
  const [first] = options as { type: number; name: string; options?: unknown[] }[]
  return first && first.type <= 2 ? [first.name, ...subcommandNames(first.options ?? [])] : []
}

/** Autocomplete is answered to the one who asks, and leaves no trace in the timeline. */
export const isShown = ({ type }: Interaction): boolean => type !== 4

export const commandsView = (world: World) => [...world.commands.values()].map(({ id, guildId, data }) => ({ id, guildId, data }))

export const voiceView = (guild: Guild) => ({ guildId: guild.id, states: [...guild.voiceStates.values()] })

/** Everything that the page shows, as plain JSON; never a token. */
export function snapshot(world: World, nowMs: number) {
  return {
    nowMs,
    application: { id: world.application.id, name: world.application.name },
    guilds: [...world.guilds.values()].map((guild) => guildView(world, guild)),
    commands: commandsView(world),
    messages: newestPerChannel([...world.messages.values()]).map(messageView),
    interactions: [...world.interactions.values()].filter(isShown).slice(-MESSAGES_PER_CHANNEL).map(interactionView)
  }
}

function guildView(world: World, guild: Guild) {
  return {
    id: guild.id,
    name: guild.name,
    channels: [...guild.channels.values()].map(({ id, name, type }) => ({ id, name, type })),
    roles: [...guild.roles.values()].map(({ id, name }) => ({ id, name })),
    members: [...guild.members.values()].flatMap((member) => memberView(world, guild, member)),
    voiceStates: voiceView(guild).states
  }
}

function memberView(world: World, guild: Guild, member: Member) {
  const user = world.users.get(member.userId)
  if (!user) return []
  const { id, username, bot, color } = user
  const permissions = String(permissionsOf(guild, member.userId))
  const owner = guild.ownerId === id
  return [{ id, username, name: member.nick ?? user.displayName, bot, color, locale: member.locale, owner, permissions }]
}

function newestPerChannel(messages: Message[]): Message[] {
  const counts = new Map<string, number>()
  return messages
    .reverse()
    .filter(({ channelId }) => {
      const count = (counts.get(channelId) ?? 0) + 1
      counts.set(channelId, count)
      return count <= MESSAGES_PER_CHANNEL
    })
    .reverse()
}
