import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { namesOf } from '../../bot/discord/guild.ts'
import { cut, plain, rowsWithin } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { TEXT_MAX, readPosted } from '../../bot/speech/reading/read.ts'
import { rowOf } from './row.ts'

/** Both together fit a message, also when every sign of what is spoken had to be escaped. */
const SPOKEN_MAX_CHARS = 1_000
const USED_MAX_CHARS = 900

/** What would be spoken of a text that the member writes here, and which entries had a part in it. */
export function trial({ options, guild, user }: ChatInputCommandInteraction<'cached'>, app: App, t: Translate): string {
  const used = new Map<string, string>()
  const { resolved } = options
  const read = readPosted(
    { content: options.getString('text', true) },
    {
      names: namesOf(guild, (id) => resolved?.members?.get(id)?.displayName ?? resolved?.users?.get(id)?.displayName),
      rules: { ...app.settings.get(guild.id), maxLength: TEXT_MAX, skipPrefix: '' },
      replace: app.dictionaries.replacerFor(guild.id, user.id, ({ of, entry }) => used.set(`${of} ${entry.id}`, `${rowOf(entry, t)} · ${t(`dictionary.of.${of}`)}`)),
      nowMs: app.clock.now()
    }
  )
  const spoken = read.ok ? t('dictionary.spoken', { text: cut(plain(cut(read.text, SPOKEN_MAX_CHARS)), SPOKEN_MAX_CHARS) }) : t('dictionary.unspoken')
  if (used.size === 0) return `${spoken}\n${t('dictionary.unused')}`
  return [spoken, t('dictionary.used'), rowsWithin([...used.values()], (left) => t('dictionary.more', { count: left }), USED_MAX_CHARS)].join('\n')
}
