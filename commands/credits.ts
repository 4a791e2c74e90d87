import { InteractionContextType } from 'discord.js'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { plain, respond, rowsWithin } from '../bot/discord/respond.ts'
import { voicesOf } from '../bot/discord/voices.ts'
import type { Translate } from '../bot/i18n/index.ts'
import type { Voice } from '../bot/wire/node.ts'

/** Voices of one licence that are named; the others are counted. */
const NAMES_MAX = 8

/** Discord takes 2,000 characters a message; the lines around the list need some. */
const LIST_MAX_CHARS = 1700

/** `/credits`: under what licences the voices of the pool may be used, and whom to name. */
export const credits: Command = {
  data: {
    ...told(['credits', 'クレジット', '크레딧'], ['The voices’ licences, and whom to credit', '声のライセンスとクレジット', '목소리의 라이선스와 출처']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, { pool, clock }, t) {
    const rows = rowsOf(voicesOf(pool), t)
    const list = rows.length === 0 ? t('credits.none') : rowsWithin(rows, (left) => t('credits.more', { count: left }), LIST_MAX_CHARS)
    await respond(interaction, { content: [`**${t('credits.title')}**`, list, t('credits.publish'), t('credits.project')].join('\n') }, clock)
  }
}

/** A row for each licence with its credit, as the nodes tell them; last those of which they tell none. */
function rowsOf(voices: readonly Voice[], t: Translate): string[] {
  const groups = Map.groupBy(voices, ({ licence = '', credit = '' }) => JSON.stringify([licence, credit]))
  const known: string[] = []
  const unknown: string[] = []
  for (const group of groups.values()) {
    const { licence = '', credit = '' } = group[0] ?? {}
    const list = namesOf(group, t)
    const row = licence === '' ? t('credits.unknown', { list }) : t('credits.licence', { licence: plain(licence), list })
    const rows = credit === '' ? row : `${row}. ${t('credits.credit', { credit: plain(credit) })}`
    ;(licence === '' ? unknown : known).push(rows)
  }
  return [...known, ...unknown]
}

function namesOf(voices: readonly Voice[], t: Translate): string {
  const list = voices.slice(0, NAMES_MAX).map(({ name }) => plain(name)).join(', ')
  return voices.length > NAMES_MAX ? t('credits.others', { list, count: voices.length - NAMES_MAX }) : list
}
