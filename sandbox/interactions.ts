import { randomBytes } from 'node:crypto'
import type { Clock } from '../bot/core/clock.ts'
import type { Interaction, World } from './world.ts'

/** No callback within this: "The application did not respond". */
export const CALLBACK_LIMIT_MS = 3_000

/** How long an interaction's token may be used; after it every call is 401, code 50027. */
export const TOKEN_LIFE_MS = 15 * 60_000

const INTERACTIONS_MAX = 2_000

export type NewInteraction = Pick<
  Interaction,
  'type' | 'guildId' | 'channelId' | 'userId' | 'commandName' | 'options' | 'data' | 'sourceMessageId'
>

/**
 * Opens an interaction and tells the gateway; after 3 s without a callback it has failed for good.
 */
export function openInteraction(world: World, clock: Clock, draft: NewInteraction): Interaction {
  const interaction: Interaction = {
    ...draft,
    id: world.nextId(),
    token: randomBytes(48).toString('base64url'),
    createdAtMs: clock.now(),
    messageIds: [],
    state: 'waiting'
  }
  world.interactions.set(interaction.id, interaction)
  for (const id of world.interactions.keys()) {
    if (world.interactions.size <= INTERACTIONS_MAX) break
    world.interactions.delete(id)
  }
  clock.after(CALLBACK_LIMIT_MS, () => {
    if (interaction.state === 'waiting') setState(world, interaction, 'failed')
  })
  world.events.emit('interaction', interaction)
  return interaction
}

export function setState(world: World, interaction: Interaction, state: Interaction['state']): void {
  interaction.state = state
  world.events.emit('interactionChanged', interaction)
}

export const isTokenAlive = (interaction: Interaction, clock: Clock): boolean => clock.now() - interaction.createdAtMs < TOKEN_LIFE_MS

export function interactionByToken(world: World, token: string): Interaction | undefined {
  for (const interaction of world.interactions.values()) if (interaction.token === token) return interaction
  return undefined
}
