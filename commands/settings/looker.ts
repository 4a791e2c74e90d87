import type { GuildMember } from 'discord.js'
import type { Translate } from '../../bot/i18n/index.ts'

/** Who looks at the panel, and in which language. */
export interface Looker {
  member: GuildMember
  locale: string
  t: Translate
}
