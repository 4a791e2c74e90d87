import { ApplicationCommandOptionType } from 'discord.js'
import type { APIApplicationCommandBasicOption, GuildMember } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { told } from '../../bot/discord/command.ts'
import { mayManage } from '../../bot/discord/permissions.ts'
import type { Scope } from '../../bot/members/preferences.ts'

/** Whose choice it is: the member's everywhere, the member's in this server, or the server's default. */
export type ScopeName = 'everywhere' | 'here' | 'server'

export const scopeOption: APIApplicationCommandBasicOption = {
  ...told(['scope', '範囲', '범위'], ['For whom and where it counts', 'どこで使うか', '어디에서 쓸지']),
  type: ApplicationCommandOptionType.String,
  choices: [
    { name: 'everywhere', value: 'everywhere', name_localizations: { ja: 'すべてのサーバー', ko: '모든 서버' } },
    { name: 'this server', value: 'here', name_localizations: { ja: 'このサーバーだけ', ko: '이 서버만' } },
    { name: 'default of this server', value: 'server', name_localizations: { ja: 'このサーバーの標準', ko: '이 서버의 기본값' } }
  ]
}

export function scopeOf(name: ScopeName, { id: userId, guild }: GuildMember): Scope {
  switch (name) {
    case 'everywhere':
      return { userId }
    case 'here':
      return { userId, guildId: guild.id }
    case 'server':
      return { guildId: guild.id }
  }
}

/** A server's default is for those who manage it; the rest is everybody's own. */
export function mayChange(name: ScopeName, member: GuildMember, app: App): boolean {
  return name !== 'server' || mayManage(member, app)
}
