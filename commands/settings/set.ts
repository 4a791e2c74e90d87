import type { GuildMember } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { managesServer } from '../../bot/discord/permissions.ts'
import { voicesOf } from '../../bot/discord/voices.ts'
import { GuildSettings } from '../../bot/guilds/settings.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { ANY_VOICE } from '../../bot/wire/node.ts'
import { LAYOUT } from './sections.ts'
import type { Section } from './sections.ts'

/** Who has only the manager role may not hand it on. Everybody's role is nobody's in particular. */
export function setRole(section: Section, roleId: string | undefined, member: GuildMember, { settings }: Pick<App, 'settings'>, t: Translate): string {
  const { role } = LAYOUT[section]
  const { id: guildId, roles } = member.guild
  if (role === undefined || (roleId !== undefined && !roles.cache.has(roleId))) return t('settings.same')
  if (role === 'managerRoleId' && !managesServer(member)) return t('settings.onlyServer')
  settings.change(guildId, { [role]: roleId === undefined || roleId === guildId ? null : roleId })
  return t('settings.saved')
}

/** Only the voice: speed and the like of the server's default stay. */
export function setVoice(voice: string | undefined, guildId: string, { preferences, pool }: Pick<App, 'preferences' | 'pool'>, t: Translate): string {
  const { voice: before, ...rest } = preferences.get({ guildId })
  const isKnown = voice === ANY_VOICE || voicesOf(pool).some(({ id }) => id === voice)
  if (voice === undefined || !isKnown || voice === (before ?? ANY_VOICE)) return t('settings.same')
  preferences.set({ guildId }, voice === ANY_VOICE ? rest : { ...rest, voice })
  return t('settings.saved')
}

/** The manager role stays, so that nobody is locked out by it. */
export function reset(guildId: string, { settings, preferences }: Pick<App, 'settings' | 'preferences'>, t: Translate): string {
  const { managerRoleId } = settings.get(guildId)
  settings.change(guildId, { ...GuildSettings.parse({}), managerRoleId })
  preferences.set({ guildId }, {})
  return t('settings.wasReset')
}
