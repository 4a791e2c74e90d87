import { z } from 'zod'
import type { Clock } from '../../bot/core/clock.ts'
import { openInteraction } from '../interactions.ts'
import type { Interaction, Message, World } from '../world.ts'
import { visiblePlace } from './commands.ts'
import { Refusal } from './refusal.ts'

const Component = z.looseObject({ type: z.int(), custom_id: z.string().optional(), disabled: z.boolean().optional() })
type Component = z.infer<typeof Component>

/** Every component below these, however deep layouts nest. */
function* componentsIn(value: unknown): Generator<Component> {
  if (Array.isArray(value)) for (const item of value) yield* componentsIn(item)
  else if (typeof value === 'object' && value !== null) {
    const parsed = Component.safeParse(value)
    if (parsed.success) yield parsed.data
    const { components, component, accessory } = value as Record<string, unknown>
    yield* componentsIn([components, component, accessory])
  }
}

/** Buttons, menus and forms, as a person uses them. */
export function componentActs(world: World, clock: Clock) {
  function find(userId: string, messageId: string, customId: string): { message: Message; component: Component } {
    const message = world.messages.get(messageId)
    if (!message || (message.onlyForUserId ?? userId) !== userId) throw new Refusal('This message is gone.')
    const component = [...componentsIn(message.components)].find(({ custom_id: id }) => id === customId)
    if (!component || component.disabled) throw new Refusal('This can not be used now.')
    return { message, component }
  }

  function open(userId: string, message: Message, type: 3 | 5, data: Record<string, unknown>): Interaction {
    const { guild } = visiblePlace(world, userId, message.channelId)
    const base = { guildId: guild.id, channelId: message.channelId, userId, commandName: '', options: [] }
    return openInteraction(world, clock, { ...base, type, data, sourceMessageId: message.id })
  }

  return {
    button(userId: string, messageId: string, customId: string): Interaction {
      const { message, component } = find(userId, messageId, customId)
      return open(userId, message, 3, { custom_id: customId, component_type: component.type })
    },

    /** A menu of texts; `values` are those of its options. */
    select(userId: string, messageId: string, customId: string, values: readonly string[]): Interaction {
      const { message, component } = find(userId, messageId, customId)
      const offered = z.array(z.looseObject({ value: z.string() })).safeParse(component['options'])
      const known = offered.success ? offered.data.map(({ value }) => value) : []
      if (component.type !== 3 || values.some((value) => !known.includes(value))) throw new Refusal('This is not one of the options.')
      return open(userId, message, 3, { custom_id: customId, component_type: 3, values })
    },

    /** Fills in and sends the form that an interaction was answered with. */
    submitForm(interactionId: string, texts: Record<string, string>): Interaction {
      const asked = world.interactions.get(interactionId)
      if (!asked?.modal) throw new Refusal('There is no form.')
      const inputs = [...componentsIn(asked.modal['components'])].filter(({ type }) => type === 4)
      const filled = inputs.map((input) => {
        const value = texts[input.custom_id ?? ''] ?? ''
        if (value === '' && input['required'] !== false) throw new Refusal('This field is required.')
        return { type: 1, components: [{ type: 4, custom_id: input.custom_id, value }] }
      })
      const { guildId, channelId, userId, sourceMessageId } = asked
      const data = { custom_id: asked.modal['custom_id'], components: filled }
      return openInteraction(world, clock, { type: 5, guildId, channelId, userId, commandName: '', options: [], data, sourceMessageId })
    }
  }
}
