import type { Channel, DmChannel, Guild, User, World } from './world.ts'

export interface Place {
  guild: Guild
  channel: Channel
}

/** A thread, open to who sees its channel (11) or private (12). */
export const isThread = ({ type }: Pick<Channel, 'type'>): boolean => type === 11 || type === 12

/** A guild's channel and its guild, wherever it is. */
export function placeOf(world: World, channelId: string): Place | undefined {
  for (const guild of world.guilds.values()) {
    const channel = guild.channels.get(channelId)
    if (channel) return { guild, channel }
  }
  return undefined
}

/** The direct channel with a user, opened when there was none. */
export function dmWith(world: World, userId: string): DmChannel {
  const known = [...world.dms.values()].find((dm) => dm.userId === userId)
  if (known) return known
  const dm = { id: world.nextId(), userId }
  world.dms.set(dm.id, dm)
  return dm
}

function named<T>(things: Iterable<T>, nameOf: (thing: T) => string, name: string): T {
  for (const thing of things) if (nameOf(thing) === name) return thing
  throw new Error(`the sandbox has nothing named ${name}`)
}

/** @throws when nobody is called so */
export const userNamed = (world: World, name: string): User => named(world.users.values(), (user) => user.displayName, name)

/** @throws when no guild is called so */
export const guildNamed = (world: World, name: string): Guild => named(world.guilds.values(), (guild) => guild.name, name)

/** @throws when no channel of the guild is called so */
export const channelNamed = (guild: Guild, name: string): Channel => named(guild.channels.values(), (channel) => channel.name, name)
