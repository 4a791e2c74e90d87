import { PermissionFlagsBits } from 'discord.js'
import type { Guild } from 'discord.js'
import type { App } from '../discord/app.ts'
import { languageOf, translator } from '../i18n/index.ts'
import type { LanguageCode, Translate } from '../i18n/index.ts'
import { createBuckets } from './buckets.ts'

export interface Notices {
  /** Says something in a text channel, in the server's language, mentioning nobody; nothing where the bot may not write, or has just said enough. */
  tell(guild: Guild, textChannelId: string, sentence: (t: Translate) => string): void
  /** Resolves when all have reached Discord, or have not. */
  settled(): Promise<unknown>
}

/** The language of what the bot says to a whole server: its setting, else what Discord knows of the server. */
export function languageIn(guild: Guild, { settings }: Pick<App, 'settings'>): LanguageCode {
  const { language } = settings.get(guild.id)
  return language === 'auto' ? languageOf(guild.preferredLocale) : language
}

/** What the reader tells a channel: three things at once, then one a minute, and never the same again within a minute; a channel is for its people. */
export function createNotices(app: Pick<App, 'clock' | 'log' | 'settings'>): Notices {
  const bounds = createBuckets({ clock: app.clock, burst: 3, refillMs: 60_000 })
  const repeats = createBuckets({ clock: app.clock, burst: 1, refillMs: 60_000 })
  const underWay = new Set<Promise<unknown>>()
  return {
    tell(guild, textChannelId, sentence) {
      const channel = guild.channels.cache.get(textChannelId)
      if (channel?.isSendable() !== true || guild.members.me === null) return
      const write = channel.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages
      if (!channel.permissionsFor(guild.members.me).has([PermissionFlagsBits.ViewChannel, write])) return
      const content = sentence(translator(languageIn(guild, app)))
      if (!repeats.take(`${textChannelId} ${content}`).taken || !bounds.take(textChannelId).taken) return
      const sent = channel
        .send({ content, allowedMentions: { parse: [] } })
        .catch((error: unknown) => app.log.warn({ err: error, guild: guild.id }, 'a notice did not reach Discord'))
        .finally(() => underWay.delete(sent))
      underWay.add(sent)
    },
    settled: () => Promise.all(underWay)
  }
}
