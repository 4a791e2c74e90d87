import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import type { Entry } from '../entry.ts'
import { draftOf } from './fields.ts'
import type { Fielded } from './fields.ts'
import { ROWS_MAX } from './rows.ts'
import type { ParsedFile, Row } from './rows.ts'

const COLUMNS = ['from', 'to', 'kind', 'priority', 'wholeWord'] as const
type Column = (typeof COLUMNS)[number]

/** How others name the columns. */
const ALIASES: Readonly<Record<string, Column>> = {
  word: 'from', surface: 'from', 単語: 'from', 表記: 'from', 単語名: 'from', 단어: 'from',
  reading: 'to', pronunciation: 'to', 読み: 'to', よみ: 'to', 読み方: 'to', 읽기: 'to', 발음: 'to',
  優先度: 'priority', 우선순위: 'priority'
}

/** What a spreadsheet would run, wide forms too, and what begins like the guard itself. */
const NEEDS_GUARD = /^['=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/

/** Far above two cells of the longest words, and above all rows of five: what has more is no dictionary, and would take its time. */
const LINE_MAX_CHARS = 2_000
const CELLS_MAX = 100_000

/**
 * A table for spreadsheets: UTF-8 with its mark, and before a cell that could run as a formula an apostrophe, their own sign for text. `parseCsv`
 * takes it away again, so that every entry comes back as it was.
 */
export function formatCsv(entries: readonly Entry[]): string {
  const guarded = (cell: string) => (NEEDS_GUARD.test(cell) ? `'${cell}` : cell)
  const rows = entries.map(({ from, to, kind, priority, wholeWord }) => [guarded(from), guarded(to), kind, String(priority), wholeWord ? 'yes' : 'no'])
  return stringify([[...COLUMNS], ...rows], { bom: true, record_delimiter: 'windows' })
}

/** Columns by the names in the first row, or else from and to; between them commas, tabs or semicolons. Undefined when it has too many cells. */
export function parseCsv(text: string): ParsedFile | undefined {
  const delimiter = delimiterOf(text)
  if (text.split(delimiter).length > CELLS_MAX) return undefined
  const lines = text.split(/\r\n|\r|\n/)
  const isLong = (each: string) => each.length > LINE_MAX_CHARS
  const rows: Row[] = lines.flatMap((each, index) => (isLong(each) ? [{ at: index + 1, reason: 'lineTooLong' }] : []))
  let columns: readonly (Column | undefined)[] | undefined
  let line = 0
  parse(lines.map((each) => (isLong(each) ? '' : each)).join('\n'), {
    bom: true, delimiter, to: ROWS_MAX + 2, relax_column_count: true, relax_quotes: true, skip_empty_lines: true, skip_records_with_error: true,
    on_record(record: string[], context) {
      line = context.lines
      const named = columns === undefined ? namesIn(record) : undefined
      columns ??= named ?? ['from', 'to']
      if (named === undefined && record.some((cell) => cell.trim() !== '')) rows.push({ at: line, ...fieldsOf(record, columns) })
      return null
    },
    on_skip: () => void rows.push({ at: line + 1, reason: 'quote' })
  })
  return { by: 'line', rows: rows.sort((a, b) => a.at - b.at) }
}

/** The columns of a first row that names them; undefined when it is an entry itself. */
function namesIn(record: readonly string[]): (Column | undefined)[] | undefined {
  const names = record.map((cell) => {
    const name = cell.trim().toLowerCase().replace(/[\s_-]/g, '')
    return COLUMNS.find((column) => column.toLowerCase() === name) ?? ALIASES[name]
  })
  return names.includes('from') && names.includes('to') ? names : undefined
}

function fieldsOf(record: readonly string[], columns: readonly (Column | undefined)[]): Fielded {
  const cell = (column: Column) => record[columns.indexOf(column)]
  const from = cell('from')
  const to = cell('to')
  if (from === undefined || to === undefined) return { reason: 'columns' }
  const kind = filled(cell('kind')?.trim().toLowerCase())
  const priority = filled(cell('priority')?.trim())
  const wholeWord = filled(cell('wholeWord')?.trim().toLowerCase())
  return draftOf({
    from: unguarded(from),
    to: unguarded(to),
    ...(kind !== undefined && { kind }),
    ...(priority !== undefined && { priority: Number(priority) }),
    ...(wholeWord !== undefined && { wholeWord: !['no', 'false', '0'].includes(wholeWord) })
  })
}

const filled = (cell: string | undefined) => (cell === '' ? undefined : cell)

const unguarded = (cell: string) => (cell.startsWith("'") && NEEDS_GUARD.test(cell.slice(1)) ? cell.slice(1) : cell)

/** The one that the first line has most of; a tab stands in hardly any word. */
function delimiterOf(text: string): string {
  const first = /^\ufeff?\s*(.*)/.exec(text)?.[1] ?? ''
  const count = (delimiter: string) => first.split(delimiter).length - 1
  const most = ['\t', ',', ';'].reduce((best, each) => (count(each) > count(best) ? each : best))
  return count(most) === 0 ? ',' : most
}
