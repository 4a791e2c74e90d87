import { channelPayload, rolePayload } from '../payload/guild.ts'
import { bareMemberPayload, userPayload } from '../payload/people.ts'
import { permissionsOf } from '../permissions.ts'
import type { Guild, World } from '../world.ts'

/** The things that an interaction names by id, as Discord sends them along. */
export interface Resolved {
  users?: Record<string, unknown>
  members?: Record<string, unknown>
  roles?: Record<string, unknown>
  channels?: Record<string, unknown>
  /** Ids alone: the payload has the rest, with the address. */
  attachments?: Record<string, { id: string }>
}

/** Adds what an option of type 6 to 9 names; false when it does not exist or is of the wrong kind. */
export function resolveId(world: World, guild: Guild, option: { type: number; channel_types?: number[] }, id: string, into: Resolved): boolean {
  const user = world.users.get(id)
  const role = guild.roles.get(id)
  const channel = guild.channels.get(id)
  if ((option.type === 6 || option.type === 9) && user) {
    into.users = { ...into.users, [id]: userPayload(user) }
    const member = guild.members.get(id)
    if (member) into.members = { ...into.members, [id]: { ...bareMemberPayload(member), permissions: String(permissionsOf(guild, id)) } }
    return true
  }
  if ((option.type === 8 || option.type === 9) && role) {
    into.roles = { ...into.roles, [id]: rolePayload(role, 0) }
    return true
  }
  if (option.type === 7 && channel && (option.channel_types?.includes(channel.type) ?? true)) {
    into.channels = { ...into.channels, [id]: { ...channelPayload(channel), permissions: '0' } }
    return true
  }
  return false
}

/** Adds the file of an option of type 11; false when it does not exist, or somebody else uploaded it. */
export function resolveUpload(world: World, userId: string, id: string, into: Resolved): boolean {
  const isOwn = world.uploads.get(id)?.userId === userId
  if (isOwn) into.attachments = { ...into.attachments, [id]: { id } }
  return isOwn
}

/** Adds what a text mentions: Discord resolves mentions in text options too. What does not exist is left out. */
export function resolveMentions(world: World, guild: Guild, text: string, into: Resolved): void {
  for (const [, kind, id = ''] of text.matchAll(/<(@!?|@&|#)(\d{15,20})>/g)) {
    resolveId(world, guild, { type: kind === '#' ? 7 : kind === '@&' ? 8 : 6 }, id, into)
  }
}
