import type { Member, World } from '../world.ts'
import { Refusal } from './refusal.ts'

/** Who is in a server. A bot without the members intent hears of it only by what they write and where they speak. */
export function peopleActs(world: World) {
  function memberOf(guildId: string, userId: string): Member {
    const member = world.guilds.get(guildId)?.members.get(userId)
    if (member === undefined) throw new Refusal('They are not in this server.')
    return member
  }

  return {
    /** Somebody joins the server, or another bot is invited; returns their id. */
    addMember(guildId: string, name: string, { bot = false }: { bot?: boolean } = {}): string {
      const guild = world.guilds.get(guildId)
      if (guild === undefined) throw new Refusal('There is no such server.')
      const user = { id: world.nextId(), username: bot ? name : name.toLowerCase(), displayName: name, bot, color: '#475569' }
      world.users.set(user.id, user)
      guild.members.set(user.id, { userId: user.id, roleIds: [], nick: null, locale: 'en-US' })
      return user.id
    },
    setNick: (guildId: string, userId: string, nick: string | null): void => void (memberOf(guildId, userId).nick = nick),
    /** In place of the roles that they had. */
    setRoles: (guildId: string, userId: string, roleIds: readonly string[]): void => void (memberOf(guildId, userId).roleIds = [...roleIds]),
    /** A role without permissions of its own; returns its id. */
    addRole(guildId: string, name: string): string {
      const guild = world.guilds.get(guildId)
      if (guild === undefined) throw new Refusal('There is no such server.')
      const role = { id: world.nextId(), name, permissions: 0n }
      guild.roles.set(role.id, role)
      world.events.emit('roleCreated', guildId, role)
      return role.id
    },
    deleteRole(guildId: string, roleId: string): void {
      const guild = world.guilds.get(guildId)
      if (guild?.roles.delete(roleId) !== true) throw new Refusal('There is no such role.')
      for (const member of guild.members.values()) member.roleIds = member.roleIds.filter((id) => id !== roleId)
      world.events.emit('roleDeleted', guildId, roleId)
    }
  }
}
