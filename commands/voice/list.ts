import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js'
import type { MessageActionRowComponentBuilder } from 'discord.js'
import { cut, plain } from '../../bot/discord/respond.ts'
import type { Reply } from '../../bot/discord/respond.ts'
import { voicesOf } from '../../bot/discord/voices.ts'
import { languageOf } from '../../bot/i18n/index.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { languageName } from '../../bot/i18n/language-name.ts'
import type { Pool } from '../../bot/nodes/pool.ts'
import type { Voice } from '../../bot/wire/node.ts'

/** Of Discord's 2,000, with room for the line on top. */
const PAGE_MAX_CHARS = 1700
const NAME_MAX_CHARS = 60

/** One page of all voices, grouped by language, the member's own first. The buttons carry the page they lead to; a page that is gone is the last one. */
export function listOf(pool: Pick<Pool, 'nodes'>, locale: string, t: Translate, wanted: number): Pick<Reply, 'content' | 'components'> {
  const voices = voicesOf(pool)
  if (voices.length === 0) return { content: t('voice.none'), components: [] }
  const pages = pagesOf(voices, locale)
  const page = Math.min(Math.max(0, wanted), pages.length - 1)
  const button = (to: number, label: string) =>
    new ButtonBuilder({ customId: `voice:list:${to}`, label, style: ButtonStyle.Secondary, disabled: to < 0 || to >= pages.length })
  const buttons = [button(page - 1, `◀ ${t('voice.previous')}`), button(page + 1, `${t('voice.next')} ▶`)]
  const row = new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(buttons)
  return {
    content: [t('voice.list', { count: voices.length, page: page + 1, pages: pages.length }), ...(pages[page] ?? [])].join('\n'),
    components: pages.length > 1 ? [row] : []
  }
}

/** Lines by pages; where a language goes on, its name stands again on top. */
function pagesOf(voices: readonly Voice[], locale: string): string[][] {
  const pages: string[][] = []
  let page: string[] = []
  let chars = Infinity
  for (const [language, group] of groupsOf(voices, locale)) {
    const title = `**${plain(language)}**`
    let titled = false
    for (const { name, id, engine } of group) {
      const row = `${plain(cut(name, NAME_MAX_CHARS))} \`${id.replaceAll('`', '')}\` · ${plain(engine)}`
      const longer = row.length + 1 + (titled ? 0 : title.length + 1)
      if (chars + longer > PAGE_MAX_CHARS) {
        pages.push((page = []))
        chars = 0
        titled = false
      }
      if (!titled) page.push(title)
      page.push(row)
      chars += row.length + 1 + (titled ? 0 : title.length + 1)
      titled = true
    }
  }
  return pages
}

function groupsOf(voices: readonly Voice[], locale: string): [language: string, voices: Voice[]][] {
  const own = languageOf(locale)
  const isOwn = ([first]: Voice[]) => first?.language.split('-')[0] === own
  const groups = Map.groupBy(voices, ({ language }) => languageName(language, locale))
  return [...groups].sort(([a, of], [b, others]) => Number(isOwn(others)) - Number(isOwn(of)) || a.localeCompare(b, locale))
}
