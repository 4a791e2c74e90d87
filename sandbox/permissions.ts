import { PermissionFlagsBits } from 'discord-api-types/v10'
import { isThread } from './find.ts'
import type { Channel, Guild } from './world.ts'

export const permission = PermissionFlagsBits

const union = (...bits: bigint[]) => bits.reduce((all, bit) => all | bit, 0n)
const EVERYTHING = union(...Object.values(permission))

const TALKING = union(
  permission.ViewChannel,
  permission.SendMessages,
  permission.SendMessagesInThreads,
  permission.EmbedLinks,
  permission.AttachFiles,
  permission.ReadMessageHistory,
  permission.AddReactions,
  permission.Connect,
  permission.Speak,
  permission.UseVAD,
  permission.SendVoiceMessages,
  permission.RequestToSpeak
)

/** What a fresh server lets everybody do. */
export const EVERYONE_PERMISSIONS = union(TALKING, permission.UseApplicationCommands, permission.Stream, permission.ChangeNickname)

/** What the invitation of the bot asks for; muting is what lets it lift its own suppression on a stage. */
export const BOT_PERMISSIONS = union(TALKING, permission.MuteMembers)

/** What a member may do in a guild or in one of its channels: owner, then administrators, then roles, then overwrites. */
export function permissionsOf(guild: Guild, userId: string, channel?: Channel): bigint {
  const member = guild.members.get(userId)
  if (!member) return 0n
  if (guild.ownerId === userId) return EVERYTHING
  const roleIds = [guild.id, ...member.roleIds]
  const base = union(...roleIds.map((id) => guild.roles.get(id)?.permissions ?? 0n))
  if (base & permission.Administrator) return EVERYTHING
  if (!channel) return base
  if (channel.type === 12 && channel.memberIds?.includes(userId) !== true) return 0n

  const { overwrites } = guild.channels.get(channel.parentId ?? '') ?? channel
  const apply = (bits: bigint, kind: 'role' | 'member', ids: readonly string[]) => {
    const matching = overwrites.filter((row) => row.kind === kind && ids.includes(row.id))
    return (bits & ~union(...matching.map((row) => row.deny))) | union(...matching.map((row) => row.allow))
  }
  let bits = apply(base, 'role', [guild.id])
  bits = apply(bits, 'role', member.roleIds)
  bits = apply(bits, 'member', [userId])
  // Who can't see a channel can do nothing in it.
  return bits & permission.ViewChannel ? bits : 0n
}

/** Whoever writes in a thread needs a permission of its own. */
export function sendPermission({ type }: Pick<Channel, 'type'>): bigint {
  return isThread({ type }) ? permission.SendMessagesInThreads : permission.SendMessages
}

/** What it takes to read a channel's messages; a voice channel's own chat is for who may enter. */
export function readPermissions({ type }: Pick<Channel, 'type'>): bigint[] {
  return type === 2 || type === 13 ? [permission.ViewChannel, permission.Connect] : [permission.ViewChannel]
}

export function may(guild: Guild, userId: string, channel: Channel, ...needed: bigint[]): boolean {
  const wanted = union(...needed)
  return (permissionsOf(guild, userId, channel) & wanted) === wanted
}
