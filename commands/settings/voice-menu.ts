import { StringSelectMenuBuilder } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { cut } from '../../bot/discord/respond.ts'
import { voicesOf } from '../../bot/discord/voices.ts'
import { languageOf } from '../../bot/i18n/index.ts'
import { languageName } from '../../bot/i18n/language-name.ts'
import { ANY_VOICE } from '../../bot/wire/node.ts'
import { idOf } from './control.ts'
import type { Looker } from './looker.ts'

/** Discord's bounds of a select. */
const OPTIONS_MAX = 25
const TEXT_MAX_CHARS = 100

/** The voice of members who chose none, out of as many as a select holds: the one that is chosen, then those of the looker's language. */
export function voiceMenu({ pool, preferences }: Pick<App, 'pool' | 'preferences'>, { member, locale, t }: Looker): { menu: StringSelectMenuBuilder; hint: string | undefined } {
  const now = preferences.get({ guildId: member.guild.id }).voice ?? ANY_VOICE
  const voices = voicesOf(pool).filter(({ id }) => id.length <= TEXT_MAX_CHARS && id !== ANY_VOICE)
  const rank = ({ id, language }: (typeof voices)[number]) => (id === now ? 0 : language.split('-')[0] === languageOf(locale) ? 1 : 2)
  const offered = voices.toSorted((a, b) => rank(a) - rank(b)).slice(0, OPTIONS_MAX - 2)
  const option = (value: string, label: string) => ({ label: cut(label, TEXT_MAX_CHARS), value, default: value === now })
  const named = (id: string, name: string) => option(id, t('settings.voice', { name }))
  const options = [option(ANY_VOICE, t('settings.voice.auto')), ...offered.map(({ id, name, language }) => named(id, `${name} · ${languageName(language, locale)}`))]
  // Its node is away, or a longer name was set by the command.
  if (!options.some((each) => each.default)) options.push({ ...named(now, now), value: now.slice(0, TEXT_MAX_CHARS), default: true })
  const hint = voices.length === 0 ? t('settings.noVoices') : offered.length < voices.length ? t('settings.voices', { max: offered.length, count: voices.length }) : undefined
  return { menu: new StringSelectMenuBuilder().setCustomId(idOf({ section: 'server', does: 'voice' })).addOptions(options), hint }
}
