import type { Cell, Spreadsheet } from './apps-script.ts'
import { TIME_FORMAT, guardText, textOf } from './cells.ts'
import type { Event } from './registry.ts'
import { completeHeader, readTable, writeAll } from './table.ts'

export const LOG_COLUMNS = ['at', 'what', 'serverId', 'detail', 'count'] as const
/** Rows of the sheet `log`: it is read and written whole, in one range each. */
export const LOG_MAX = 200
/** What was refused once more within this time is counted in its row. */
const REPEAT_MS = 60 * 60 * 1000
const REPEATED: ReadonlySet<Event['what']> = new Set<Event['what']>(['refused', 'warning', 'moved'])

/** An event as a row; `at` is when it last happened. */
export interface LogRow extends Event {
  atMs: number
  count: number
}

/**
 * The log with `events` on top, newest first, never more than `LOG_MAX` rows. Refusals, warnings and lost tunnels that repeat
 * within an hour share one row: somebody who keeps calling can't push the rest out.
 */
export function addToLog(rows: readonly LogRow[], events: readonly (Event & { count?: number })[], nowMs: number): LogRow[] {
  let log = [...rows]
  for (const { what, serverId, detail, count = 1 } of events) {
    const same = log.find((row) => REPEATED.has(what) && row.what === what && row.serverId === serverId && row.detail === detail && nowMs - row.atMs < REPEAT_MS)
    log = [{ atMs: nowMs, what, serverId, detail, count: count + (same?.count ?? 0) }, ...log.filter((row) => row !== same)]
  }
  return log.slice(0, LOG_MAX)
}

/** Writes events into the sheet `log`; the caller holds the lock. */
export function writeLog(book: Spreadsheet, events: readonly (Event & { count?: number })[], nowMs: number): void {
  if (events.length === 0) return
  const sheet = book.getSheetByName('log') ?? book.insertSheet('log')
  const table = completeHeader(sheet, readTable(sheet), LOG_COLUMNS, logFormatOf)
  const rows = table.rows.map((cells): LogRow => ({
    atMs: timeOf(cells.at),
    what: textOf(cells.what) as LogRow['what'],
    serverId: textOf(cells.serverId),
    detail: textOf(cells.detail),
    count: Number(cells.count) || 1
  }))
  writeAll(sheet, table, addToLog(rows, events, nowMs).map(toCells), logFormatOf)
}

export const logFormatOf = (column: string) => (column === 'at' ? TIME_FORMAT : column === 'count' ? '0' : '@')

const timeOf = (cell: Cell | undefined) => (typeof cell === 'object' ? cell.getTime() : 0)

const toCells = ({ atMs, what, serverId, detail, count }: LogRow) => ({
  at: new Date(atMs),
  what,
  serverId: guardText(serverId),
  detail: guardText(detail),
  count
})
