import type { Clock } from '../../bot/core/clock.ts'
import type { Place } from '../find.ts'
import { openInteraction } from '../interactions.ts'
import type { Interaction, Message, World } from '../world.ts'
import { chosen, componentsIn, isSelect } from './chosen.ts'
import type { Component } from './chosen.ts'
import { visiblePlace } from './commands.ts'
import { filledForm } from './forms.ts'
import type { Answers } from './forms.ts'
import { Refusal } from './refusal.ts'

/** Buttons, menus and forms, as a person uses them. */
export function componentActs(world: World, clock: Clock) {
  function find(userId: string, messageId: string, customId: string): Place & { message: Message; component: Component } {
    const message = world.messages.get(messageId)
    if (!message || (message.onlyForUserId ?? userId) !== userId) throw new Refusal('This message is gone.')
    const component = [...componentsIn(message.components)].find(({ custom_id: id }) => id === customId)
    if (!component || component.disabled) throw new Refusal('This can not be used now.')
    return { message, component, ...visiblePlace(world, userId, message.channelId) }
  }

  const open = (userId: string, { guild, channel }: Place, type: 3 | 5, data: Record<string, unknown>, sourceMessageId: string | null): Interaction =>
    openInteraction(world, clock, { guildId: guild.id, channelId: channel.id, userId, commandName: '', options: [], type, data, sourceMessageId })

  return {
    button(userId: string, messageId: string, customId: string): Interaction {
      const { message, component, ...place } = find(userId, messageId, customId)
      if (component.type !== 2) throw new Refusal('This is not a button.')
      return open(userId, place, 3, { custom_id: customId, component_type: 2 }, message.id)
    },

    /** A menu: `values` are those of its options, or the ids of members, roles or channels. @throws Refusal as the client would not let them */
    select(userId: string, messageId: string, customId: string, values: readonly string[]): Interaction {
      const { message, component, ...place } = find(userId, messageId, customId)
      if (!isSelect(component)) throw new Refusal('This is not a menu.')
      const resolved = chosen(world, place.guild, component, values)
      const data = { custom_id: customId, component_type: component.type, values, ...(Object.keys(resolved).length > 0 && { resolved }) }
      return open(userId, place, 3, data, message.id)
    },

    /** Fills in and sends the form that an interaction was answered with; what is not answered stays as the bot filled it. @throws Refusal */
    submitForm(interactionId: string, answers: Answers): Interaction {
      const asked = world.interactions.get(interactionId)
      if (!asked?.modal) throw new Refusal('There is no form.')
      const { userId, channelId, sourceMessageId, modal } = asked
      const place = visiblePlace(world, userId, channelId)
      return open(userId, place, 5, filledForm(world, place.guild, modal, answers), sourceMessageId)
    }
  }
}
