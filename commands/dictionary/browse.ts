import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js'
import type { ChatInputCommandInteraction, GuildMember, MessageActionRowComponentBuilder } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { cut, plain, rowsWithin } from '../../bot/discord/respond.ts'
import type { Reply } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { rowOf } from './row.ts'
import { scopeNamed } from './scope.ts'

/** Fits Discord's 2,000 characters when every sign of every row had to be escaped; beyond that a row's end is cut. */
const PAGE_ROWS = 10
const ROW_MAX_CHARS = 180

const FOUND_MAX = 10

/** One page of a scope's entries, the newest first. The buttons carry the page they lead to; a page that is gone is the last one. */
export function pageOf(name: string | null | undefined, wanted: number, member: GuildMember, { dictionaries }: App, t: Translate): Reply {
  const scope = scopeNamed(name, member)
  const of = t(`dictionary.of.${scope.of}`)
  const entries = dictionaries.list(scope)
  if (entries.length === 0) return { content: t('dictionary.none', { of }) }
  const pages = Math.ceil(entries.length / PAGE_ROWS)
  const page = Math.min(Math.max(0, wanted), pages - 1)
  const shown = entries.slice(Math.max(0, entries.length - (page + 1) * PAGE_ROWS), entries.length - page * PAGE_ROWS).reverse()
  const button = (to: number, label: string) =>
    new ButtonBuilder({ customId: `dictionary:list:${scope.of}:${to}`, label, style: ButtonStyle.Secondary, disabled: to < 0 || to >= pages })
  const row = new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(button(page - 1, `◀ ${t('dictionary.previous')}`), button(page + 1, `${t('dictionary.next')} ▶`))
  return {
    content: [t('dictionary.list', { of, count: entries.length, page: page + 1, pages }), ...shown.map((entry) => cut(rowOf(entry, t), ROW_MAX_CHARS))].join('\n'),
    components: pages > 1 ? [row] : []
  }
}

/** What is found in the scope that was named, or in all that hold for the member here. */
export function search({ options, member }: ChatInputCommandInteraction<'cached'>, { dictionaries }: App, t: Translate): string {
  const query = options.getString('query', true)
  const given = options.getString('scope')
  const names = given === null ? ['mine', 'server', 'all'] : [given]
  const rows = names.flatMap((name) => {
    const scope = scopeNamed(name, member)
    return dictionaries.search(scope, query, FOUND_MAX).map((entry) => `${cut(rowOf(entry, t), ROW_MAX_CHARS)} · ${t(`dictionary.of.${scope.of}`)}`)
  })
  return rows.length === 0 ? t('dictionary.notFound', { name: plain(cut(query, 60)) }) : rowsWithin(rows, (left) => t('dictionary.more', { count: left }))
}
