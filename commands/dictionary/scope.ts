import { ApplicationCommandOptionType } from 'discord.js'
import type { APIApplicationCommandBasicOption, GuildMember } from 'discord.js'
import type { Scope } from '../../bot/dictionary/scope.ts'
import type { App } from '../../bot/discord/app.ts'
import { told } from '../../bot/discord/command.ts'
import { mayManage } from '../../bot/discord/permissions.ts'

export type ScopeName = Scope['of']

const NAMES: readonly ScopeName[] = ['mine', 'server', 'all']

export const scopeOption: APIApplicationCommandBasicOption = {
  ...told(['scope', '範囲', '범위'], ['Whose entries: by itself your own', 'だれの辞書か（指定しなければ自分）', '누구의 사전인지 (고르지 않으면 내 것)']),
  type: ApplicationCommandOptionType.String,
  choices: [
    { name: 'mine', value: 'mine', name_localizations: { ja: '自分', ko: '내 것' } },
    { name: 'this server', value: 'server', name_localizations: { ja: 'このサーバー', ko: '이 서버' } },
    { name: 'all servers', value: 'all', name_localizations: { ja: 'すべてのサーバー', ko: '모든 서버' } }
  ]
}

/** The member's own unless another is named. */
export function scopeNamed(name: string | null | undefined, { id: userId, guild }: GuildMember): Scope {
  switch (NAMES.find((known) => known === name) ?? 'mine') {
    case 'mine':
      return { of: 'mine', userId }
    case 'server':
      return { of: 'server', guildId: guild.id }
    case 'all':
      return { of: 'all' }
  }
}

/** Everybody may read what is spoken to them; why a member may not change it, if so. */
export function changeRefused(of: ScopeName, member: GuildMember, app: App): 'refused.notManager' | 'refused.notAdmin' | undefined {
  if (of === 'server') return mayManage(member, app) ? undefined : 'refused.notManager'
  return of === 'mine' || app.isAdmin(member.id) ? undefined : 'refused.notAdmin'
}
