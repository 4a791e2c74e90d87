import { AttachmentBuilder } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import { formatCsv } from '../../bot/dictionary/files/csv.ts'
import { decodeText } from '../../bot/dictionary/files/decode.ts'
import { formatJson } from '../../bot/dictionary/files/json.ts'
import { parseFile } from '../../bot/dictionary/files/parse-file.ts'
import { ROWS_MAX } from '../../bot/dictionary/files/rows.ts'
import type { ParsedFile } from '../../bot/dictionary/files/rows.ts'
import type { App } from '../../bot/discord/app.ts'
import { fetchAttachment } from '../../bot/discord/fetch-attachment.ts'
import type { Reply } from '../../bot/discord/respond.ts'
import { languageOf } from '../../bot/i18n/index.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { faultOf } from './row.ts'
import { changeRefused, scopeNamed } from './scope.ts'
import type { ScopeName } from './scope.ts'

type Slash = ChatInputCommandInteraction<'cached'>

/** What a scope's own export may have when it is full of the longest entries there are; above that a file is not worth the time that it takes to read. */
const FILE_MAX_KIB: Readonly<Record<ScopeName, number>> = { mine: 512, server: 2 * 1024, all: 5 * 1024 }

/** Bad lines that are named; the others are counted. */
const NAMED_MAX = 5

/** Reads a file into a scope, and says what became of it. Deferred: the file must be fetched. */
export async function importFile({ options, member, client, locale }: Slash, app: App, t: Translate): Promise<string> {
  const scope = scopeNamed(options.getString('scope'), member)
  const refused = changeRefused(scope.of, member, app)
  if (refused !== undefined) return t(refused)
  const fetched = await fetchAttachment(options.getAttachment('file', true), { clock: app.clock, apiUrl: client.rest.options.api, maxBytes: FILE_MAX_KIB[scope.of] * 1024 })
  if (!fetched.ok) return fetched.reason === 'tooLarge' ? t('dictionary.file.tooLarge', { max: FILE_MAX_KIB[scope.of] }) : t('dictionary.file.unreachable')
  const text = decodeText(fetched.bytes, languageOf(locale))
  if (text === undefined) return t('dictionary.file.notText')
  const parsed = parseFile(text)
  if (!parsed.ok) return parsed.reason === 'tooManyRows' ? t('dictionary.file.tooManyRows', { max: ROWS_MAX }) : t(`dictionary.file.${parsed.reason}`)
  return summaryOf(parsed.file, scope.of, t, (drafts) => app.dictionaries.fill(scope, drafts, options.getString('mode') === 'replace' ? 'replace' : 'merge'))
}

type Fill = (drafts: Parameters<App['dictionaries']['fill']>[1]) => ReturnType<App['dictionaries']['fill']>

async function summaryOf({ by, rows }: ParsedFile, of: ScopeName, t: Translate, fill: Fill): Promise<string> {
  const good = rows.flatMap((row) => ('draft' in row ? [row] : []))
  const filled = await fill(good.map(({ draft }) => draft))
  const bad = [
    ...rows.flatMap((row) => ('reason' in row ? [{ at: row.at, why: t(`dictionary.fault.${row.reason}`) }] : [])),
    ...filled.refused.map(({ index, reason, detail }) => ({ at: good[index]?.at ?? 0, why: faultOf(reason, detail, of, t) }))
  ].sort((a, b) => a.at - b.at)
  const { added, changed, same, removed } = filled
  const done = added + changed + same === 0 ? t('dictionary.imported.nothing') : t('dictionary.imported.done', { of: t(`dictionary.of.${of}`), added, changed, same, removed })
  if (bad.length === 0) return done
  const named = bad.slice(0, NAMED_MAX).map(({ at, why }) => (by === 'line' ? t('dictionary.bad.line', { place: at, why }) : t('dictionary.bad.entry', { place: at, why })))
  const more = bad.length > NAMED_MAX ? [t('dictionary.more', { count: bad.length - NAMED_MAX })] : []
  return [done, t('dictionary.bad.count', { count: bad.length }), ...named, ...more].join('\n')
}

/** A scope's entries as a file, which `importFile` takes as it is. */
export function exportFile({ options, member }: Slash, { dictionaries }: App, t: Translate): Reply {
  const scope = scopeNamed(options.getString('scope'), member)
  const entries = dictionaries.list(scope)
  const of = t(`dictionary.of.${scope.of}`)
  if (entries.length === 0) return { content: t('dictionary.none', { of }) }
  const isJson = options.getString('format') === 'json'
  const file = new AttachmentBuilder(Buffer.from(isJson ? formatJson(entries) : formatCsv(entries)), { name: `dictionary-${scope.of}.${isJson ? 'json' : 'csv'}` })
  return { content: t('dictionary.exported', { of, count: entries.length }), files: [file] }
}
