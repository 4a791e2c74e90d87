import { ActionRowBuilder, ButtonBuilder, ButtonStyle, RoleSelectMenuBuilder, StringSelectMenuBuilder } from 'discord.js'
import type { Guild, GuildMember, MessageActionRowComponentBuilder } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { managesServer } from '../../bot/discord/permissions.ts'
import { plain } from '../../bot/discord/respond.ts'
import type { GuildSettings } from '../../bot/guilds/settings.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { isOn, switchesOn } from './change.ts'
import { idOf } from './control.ts'
import type { Control } from './control.ts'
import type { Looker } from './looker.ts'
import { CHOICES, LAYOUT, SECTIONS } from './sections.ts'
import type { Choice, RoleField, Section, Switch } from './sections.ts'
import { voiceMenu } from './voice-menu.ts'

type Row = ActionRowBuilder<MessageActionRowComponentBuilder>

export interface Panel {
  content: string
  components: Row[]
}

/** One section as it stands now, with a word about what was just done; `sure` asks before everything is reset. */
export function panelOf(section: Section, app: App, looker: Looker, { note, sure = false }: { note?: string; sure?: boolean } = {}): Panel {
  const { member, t } = looker
  const settings = app.settings.get(member.guild.id)
  const { switches, choices = [], role } = LAYOUT[section]
  const voices = section === 'server' ? voiceMenu(app, looker) : undefined
  const lines = [`### ${t(`settings.${section}`)}`, hintOf(section, settings, t), role && roleLine(role, settings, member.guild, t), voices?.hint, sure ? t('settings.sure') : note]
  return {
    content: lines.filter((line) => line !== undefined && line !== '').join('\n'),
    components: [
      row(...SECTIONS.map((each) => button({ section: each, does: 'show' }, t(`settings.${each}`), each === section ? ButtonStyle.Primary : ButtonStyle.Secondary)), ...formButton(section, t)),
      ...(switches ? [row(switchMenu(section, switches, settings, t))] : []),
      ...choices.map((field) => row(choiceMenu(section, field, settings, t))),
      ...(role ? [row(roleMenu(section, role, settings, member, t))] : []),
      ...(voices ? [row(voices.menu), row(...resetButtons(sure, t))] : [])
    ]
  }
}

const row = (...parts: MessageActionRowComponentBuilder[]): Row => new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(parts)

const button = (control: Control, label: string, style: ButtonStyle) => new ButtonBuilder().setCustomId(idOf(control)).setLabel(label).setStyle(style)

const formButton = (section: Section, t: Translate) => (section === 'how' ? [button({ section, does: 'form' }, t('settings.form'), ButtonStyle.Secondary)] : [])

const resetButtons = (sure: boolean, t: Translate) =>
  sure
    ? [button({ section: 'server', does: 'resetNow' }, t('settings.resetNow'), ButtonStyle.Danger), button({ section: 'server', does: 'keep' }, t('settings.keep'), ButtonStyle.Secondary)]
    : [button({ section: 'server', does: 'reset' }, t('settings.reset'), ButtonStyle.Danger)]

function hintOf(section: Section, { maxLength: max, skipPrefix }: GuildSettings, t: Translate): string {
  if (section !== 'how') return t(`settings.hint.${section}`)
  return skipPrefix === '' ? t('settings.hint.howAll', { max }) : t('settings.hint.how', { max, prefix: plain(skipPrefix) })
}

function roleLine(field: RoleField, settings: GuildSettings, guild: Guild, t: Translate): string | undefined {
  const roleId = settings[field]
  if (roleId === null) return undefined
  const key = field === 'readerRoleId' ? 'settings.readers' : 'settings.managers'
  return guild.roles.cache.has(roleId) ? t(key, { role: `<@&${roleId}>` }) : t(`${key}Gone`)
}

function switchMenu(section: Section, fields: readonly Switch[], settings: GuildSettings, t: Translate) {
  const options = fields.map((field) => ({ label: t(`settings.${field}`), value: field, default: isOn(settings, field) }))
  const control: Control = { section, does: 'switch', shown: switchesOn(section, settings) }
  return new StringSelectMenuBuilder().setCustomId(idOf(control)).setPlaceholder(t('settings.none')).setMinValues(0).setMaxValues(options.length).addOptions(options)
}

function choiceMenu(section: Section, field: Choice, settings: GuildSettings, t: Translate) {
  const now = String(settings[field])
  const known = CHOICES[field].map(String)
  const options = (known.includes(now) ? known : [...known, now]).map((value) => ({ label: choiceLabel(field, value, t), value, default: value === now }))
  return new StringSelectMenuBuilder().setCustomId(idOf({ section, does: 'choose', field })).addOptions(options)
}

function choiceLabel(field: Choice, value: string, t: Translate): string {
  if (field === 'idleMinutes') return value === '0' ? t('settings.idle.never') : t('settings.idle', { minutes: Number(value) })
  return t(`settings.${field}.${value}` as 'settings.links.skip')
}

/** Shut to who may not choose the manager role. */
function roleMenu(section: Section, field: RoleField, settings: GuildSettings, member: GuildMember, t: Translate) {
  const roleId = settings[field]
  const menu = new RoleSelectMenuBuilder().setCustomId(idOf({ section, does: 'role' })).setPlaceholder(t(`settings.role.${field}`)).setMinValues(0).setMaxValues(1)
  // Discord refuses a panel that names a role which is gone.
  if (roleId !== null && member.guild.roles.cache.has(roleId)) menu.setDefaultRoles(roleId)
  return menu.setDisabled(field === 'managerRoleId' && !managesServer(member))
}
