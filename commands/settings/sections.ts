import type { GuildSettings } from '../../bot/guilds/settings.ts'
import { LANGUAGES } from '../../bot/i18n/index.ts'

export const SECTIONS = ['who', 'how', 'moves', 'server'] as const
export type Section = (typeof SECTIONS)[number]

/** What is on or off: its value when it is off, and when it is on. */
export const SWITCHES = {
  readsBots: [false, true],
  readsWebhooks: [false, true],
  onlyInVoice: [false, true],
  saysName: [false, true],
  announces: [false, true],
  attachments: ['skip', 'kind'],
  emoji: ['skip', 'name'],
  speedsUp: [false, true],
  autoJoin: [false, true],
  autoLeave: [false, true]
} as const satisfies { [Field in keyof GuildSettings]?: readonly [off: GuildSettings[Field], on: GuildSettings[Field]] }
export type Switch = keyof typeof SWITCHES

/** What is one of several. Quiet minutes may be others too, which are then offered beside these. */
export const CHOICES = {
  links: ['skip', 'word', 'site'],
  spoilers: ['skip', 'word', 'read'],
  code: ['skip', 'word', 'read'],
  idleMinutes: [0, 5, 10, 15, 30, 60, 120, 240, 720],
  language: ['auto', ...LANGUAGES]
} as const satisfies { [Field in keyof GuildSettings]?: readonly GuildSettings[Field][] }
export type Choice = keyof typeof CHOICES

export type RoleField = 'managerRoleId' | 'readerRoleId'

interface Layout {
  switches?: readonly Switch[]
  choices?: readonly Choice[]
  role?: RoleField
}

/** What stands in a section. With the row that leads to the others that is at most Discord's five rows. */
export const LAYOUT: Readonly<Record<Section, Layout>> = {
  who: { switches: ['readsBots', 'readsWebhooks', 'onlyInVoice'], role: 'readerRoleId' },
  how: { switches: ['saysName', 'announces', 'attachments', 'emoji', 'speedsUp'], choices: ['links', 'spoilers', 'code'] },
  moves: { switches: ['autoJoin', 'autoLeave'], choices: ['idleMinutes'] },
  server: { choices: ['language'], role: 'managerRoleId' }
}
