import { InteractionContextType } from 'discord.js'
import type { RepliableInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command, Component } from '../bot/discord/command.ts'
import { mayManage } from '../bot/discord/permissions.ts'
import { respond } from '../bot/discord/respond.ts'
import { READ_LENGTH } from '../bot/guilds/settings.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { chosen, switched, written } from './settings/change.ts'
import { controlOf } from './settings/control.ts'
import type { Control } from './settings/control.ts'
import { formOf, writtenIn } from './settings/form.ts'
import { panelOf } from './settings/panel.ts'
import type { Section } from './settings/sections.ts'
import { reset, setRole, setVoice } from './settings/set.ts'

/**
 * `/settings`: one panel for all that a server chooses, seen by who opened it. Each change is kept at once.
 * Everybody sees the command: Discord could hide it from who does not manage the server, but then also from the manager role, which Discord does not know.
 */
export const settings: Command = {
  data: {
    ...told(
      ['settings', '設定', '설정'],
      ['This server’s settings: who is read, how, when I come and go', 'このサーバーの設定（だれを、どう読むか、いつ入退室するか）', '이 서버의 설정 (누구를 어떻게 읽고 언제 들어오고 나갈지)']
    ),
    contexts: [InteractionContextType.Guild]
  },

  async execute(interaction, app, t) {
    await openSettings(interaction, app, t, 'who')
  },

  async component(interaction, app, t) {
    const control = controlOf(interaction.customId)
    if (control === undefined || !mayManage(interaction.member, app)) {
      await respond(interaction, { content: t(control === undefined ? 'settings.old' : 'refused.notManager') }, app.clock)
      return
    }
    if (control.does === 'form' && !interaction.isModalSubmit()) {
      await interaction.showModal(formOf(app.settings.get(interaction.guildId), t))
      return
    }
    const note = apply(control, interaction, app, t)
    const panel = panelOf(control.section, app, { member: interaction.member, locale: interaction.locale, t }, { ...(note !== undefined && { note }), sure: control.does === 'reset' })
    if (interaction.isModalSubmit() && !interaction.isFromMessage()) await respond(interaction, panel, app.clock)
    else await interaction.update({ ...panel, allowedMentions: { parse: [] } })
  }
}

/** Shows a section of the panel to who may change it. Whatever is pressed there comes to `settings.component`. */
export async function openSettings(interaction: RepliableInteraction<'cached'>, app: App, t: Translate, section: Section): Promise<void> {
  const { member, locale } = interaction
  await respond(interaction, mayManage(member, app) ? panelOf(section, app, { member, locale, t }) : { content: t('refused.notManager') }, app.clock)
}

/** Changes what the control is for, and nothing else; what it returns is said of it. */
function apply(control: Control, interaction: Component, app: App, t: Translate): string | undefined {
  const { guildId } = interaction
  const values: readonly string[] = interaction.isAnySelectMenu() ? interaction.values : []
  const keep = (change: ReturnType<typeof chosen>) => {
    if (change === undefined || Object.keys(change).length === 0) return t('settings.same')
    app.settings.change(guildId, change)
    return t('settings.saved')
  }
  switch (control.does) {
    case 'show':
    case 'keep':
    case 'form':
    case 'reset':
      return undefined
    case 'switch':
      return keep(switched(control.section, control.shown, values))
    case 'choose':
      return keep(chosen(control.field, values[0]))
    case 'fill': {
      const change = interaction.isModalSubmit() ? written(control, writtenIn(interaction)) : {}
      return change === undefined ? t('settings.badLength', READ_LENGTH) : keep(change)
    }
    case 'role':
      return setRole(control.section, values[0], interaction.member, app, t)
    case 'voice':
      return setVoice(values[0], guildId, app, t)
    case 'resetNow':
      return reset(guildId, app, t)
  }
}
