import type { Clock } from '../../bot/core/clock.ts'
import { placeOf } from '../find.ts'
import type { Place } from '../find.ts'
import { openInteraction } from '../interactions.ts'
import { may, permission, permissionsOf } from '../permissions.ts'
import type { Choice, Interaction, RegisteredCommand, World } from '../world.ts'
import { fillOptions } from './command-options.ts'
import type { CommandPath, OptionValue } from './command-options.ts'
import { Refusal } from './refusal.ts'
import type { Waits } from './waits.ts'

/** The channel, when this person may see it. @throws Refusal */
export function visiblePlace(world: World, userId: string, channelId: string): Place {
  const place = placeOf(world, channelId)
  if (!place || !may(place.guild, userId, place.channel, permission.ViewChannel)) throw new Refusal('You do not have access to this channel.')
  return place
}

const SLASH = 1
const MESSAGE_MENU = 3

/** The command of this kind and name that the person sees here: the guild's own before the global one. */
function commandFor(world: World, { guild, channel }: Place, userId: string, name: string, kind: 1 | 3): RegisteredCommand {
  const found = [...world.commands.values()]
    .filter(({ guildId, data }) => data.name === name && (data['type'] ?? SLASH) === kind && (guildId === null || guildId === guild.id))
    .sort((a, b) => Number(a.guildId === null) - Number(b.guildId === null))[0]
  const bits = permissionsOf(guild, userId, channel)
  if (!found || !isVisible(found.data, bits)) throw new Refusal(kind === SLASH ? `There is no command /${name} here.` : `There is no ${name} in this menu.`)
  if (!(bits & permission.UseApplicationCommands)) throw new Refusal('You may not use commands in this channel.')
  return found
}

/** Commands with default permissions are hidden from who lacks them; `0` leaves administrators. */
function isVisible(data: RegisteredCommand['data'], bits: bigint): boolean {
  const contexts = data['contexts']
  if (Array.isArray(contexts) && !contexts.includes(0)) return false
  const wanted = data['default_member_permissions']
  if (typeof wanted !== 'string' || bits & permission.Administrator) return true
  return BigInt(wanted) !== 0n && (bits & BigInt(wanted)) === BigInt(wanted)
}

/** `/command` as a person types and sends it, the suggestions while typing, and the menu of a message. */
export function commandActs(world: World, clock: Clock, waits: Waits) {
  function open(type: 2 | 4, userId: string, channelId: string, name: string, values: Record<string, OptionValue>, path: CommandPath, focused?: string): Interaction {
    const place = visiblePlace(world, userId, channelId)
    const command = commandFor(world, place, userId, name, SLASH)
    const { options, resolved } = fillOptions(command.data, values, path, { world, guild: place.guild, userId, ...(focused !== undefined && { focused }) })
    const data = {
      id: command.id,
      name,
      type: 1,
      options,
      ...(Object.keys(resolved).length > 0 && { resolved }),
      ...(command.guildId !== null && { guild_id: command.guildId })
    }
    return openInteraction(world, clock, { type, guildId: place.guild.id, channelId, userId, commandName: name, options, data, sourceMessageId: null })
  }

  return {
    /** An entry of a message's menu, "Apps" in Discord's client. @throws Refusal when the message is gone, or there is no such entry */
    menu(userId: string, messageId: string, name: string): Interaction {
      const message = world.messages.get(messageId)
      if (!message || (message.onlyForUserId ?? userId) !== userId) throw new Refusal('This message is gone.')
      const { channelId } = message
      const place = visiblePlace(world, userId, channelId)
      const command = commandFor(world, place, userId, name, MESSAGE_MENU)
      // The message itself goes along with the event, as it is then: `payload/interaction.ts`.
      const data = { id: command.id, name, type: MESSAGE_MENU, target_id: messageId, ...(command.guildId !== null && { guild_id: command.guildId }) }
      return openInteraction(world, clock, { type: 2, guildId: place.guild.id, channelId, userId, commandName: name, options: [], data, sourceMessageId: null })
    },

    /** @throws Refusal as the client would show it: unknown or hidden command, missing or bad option */
    slash: (userId: string, channelId: string, commandName: string, options: Record<string, OptionValue> = {}, path: CommandPath = {}): Interaction =>
      open(2, userId, channelId, commandName, options, path),

    /** What the bot suggests for the option being typed. @throws Refusal also when it suggests nothing in time */
    async autocomplete(
      userId: string,
      channelId: string,
      commandName: string,
      options: Record<string, OptionValue>,
      focused: string,
      path: CommandPath = {}
    ): Promise<Choice[]> {
      const interaction = open(4, userId, channelId, commandName, options, path, focused)
      await waits.until(() => interaction.state !== 'waiting')
      if (!interaction.choices) throw new Refusal('Loading options failed.')
      return interaction.choices
    }
  }
}
