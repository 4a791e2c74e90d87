import { LabelBuilder, ModalBuilder, TextInputBuilder, TextInputStyle } from 'discord.js'
import type { ModalSubmitInteraction } from 'discord.js'
import { READ_LENGTH } from '../../bot/guilds/settings.ts'
import type { GuildSettings } from '../../bot/guilds/settings.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { idOf } from './control.ts'

const LENGTH = 'length'
const PREFIX = 'prefix'

/** What no select can ask for. */
export function formOf({ maxLength, skipPrefix }: GuildSettings, t: Translate): ModalBuilder {
  const length = new TextInputBuilder().setCustomId(LENGTH).setStyle(TextInputStyle.Short).setMaxLength(4).setValue(String(maxLength))
  const prefix = new TextInputBuilder().setCustomId(PREFIX).setStyle(TextInputStyle.Short).setMaxLength(8).setRequired(false)
  // Discord refuses a value of no characters.
  if (skipPrefix !== '') prefix.setValue(skipPrefix)
  return new ModalBuilder()
    .setCustomId(idOf({ section: 'how', does: 'fill', maxLength, skipPrefix }))
    .setTitle(t('settings.how'))
    .addLabelComponents(
      new LabelBuilder().setLabel(t('settings.form.length')).setDescription(t('settings.form.lengthHint', READ_LENGTH)).setTextInputComponent(length),
      new LabelBuilder().setLabel(t('settings.form.prefix')).setDescription(t('settings.form.prefixHint')).setTextInputComponent(prefix)
    )
}

/** What was written into it; nothing for a field that was not sent. */
export function writtenIn({ fields }: ModalSubmitInteraction): { maxLength: string; skipPrefix: string } {
  const text = (id: string) => {
    const field = fields.fields.get(id)
    return field !== undefined && 'value' in field && typeof field.value === 'string' ? field.value : ''
  }
  return { maxLength: text(LENGTH), skipPrefix: text(PREFIX) }
}
