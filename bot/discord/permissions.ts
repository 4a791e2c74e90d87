import { PermissionFlagsBits } from 'discord.js'
import type { GuildMember } from 'discord.js'
import type { App } from './app.ts'

/** Whether a member may change what the bot does in this server: who manages the server, or has the manager role that its settings name. */
export function mayManage(member: GuildMember, { settings }: Pick<App, 'settings'>): boolean {
  const { managerRoleId } = settings.get(member.guild.id)
  return managesServer(member) || (managerRoleId !== null && member.roles.cache.has(managerRoleId))
}

/** Discord's own right, without the manager role: who has it chooses that role. Administrators have every right. */
export const managesServer = (member: GuildMember): boolean => member.permissions.has(PermissionFlagsBits.ManageGuild)
