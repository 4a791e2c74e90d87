import type { Cell, Sheet } from './apps-script.ts'
import { isSameCell } from './cells.ts'
import type { Cells } from './cells.ts'

/** A sheet as it was just read: rows by the names in its first row, wherever the operator has moved the columns. */
export interface Table {
  /** The header's names; `''` for columns that have none. */
  header: readonly string[]
  rows: readonly Cells[]
}

/** How a column's cells are formatted, by its name. */
export type FormatOf = (column: string) => string

/** One read of everything. */
export function readTable(sheet: Sheet | null): Table {
  const [first = [], ...rest] = sheet?.getDataRange().getValues() ?? []
  const header = first.map((cell) => String(cell).trim())
  return { header, rows: rest.map((row) => toCells(header, row)) }
}

/** The first column of a name counts. A map without a prototype: a column may be called `constructor`. */
function toCells(header: readonly string[], row: readonly Cell[]): Cells {
  const cells = Object.create(null) as Record<string, Cell>
  for (const [index, name] of header.entries()) {
    if (name !== '' && !(name in cells)) cells[name] = row[index] ?? ''
  }
  return cells
}

/** A column may be called `constructor`, too, where a row does not come from a sheet. */
const cellOf = (cells: Cells | undefined, name: string): Cell | undefined =>
  cells && Object.prototype.hasOwnProperty.call(cells, name) ? cells[name] : undefined

/** Adds what is missing of `columns` at the right of the header; returns the table with the header that the sheet has now. */
export function completeHeader(sheet: Sheet, table: Table, columns: readonly string[], formatOf: FormatOf): Table {
  const missing = columns.filter((name) => !table.header.includes(name))
  if (missing.length === 0) return table
  const kept = table.header.every((name) => name === '') ? [] : table.header
  const header = [...kept, ...missing]
  reach(sheet, 2, header.length)
  sheet.getRange(1, kept.length + 1, 1, missing.length).setNumberFormats([missing.map(() => '@')]).setValues([[...missing]])
  for (const [index, name] of missing.entries()) formatColumn(sheet, kept.length + index + 1, formatOf(name))
  if (kept.length === 0) sheet.setFrozenRows(1)
  return { header, rows: table.rows }
}

/** Below the header, to the end of the grid. */
export const formatColumn = (sheet: Sheet, column: number, format: string) =>
  void sheet.getRange(2, column, sheet.getMaxRows() - 1, 1).setNumberFormat(format)

/** Writes all rows of a table that no person edits, in one range; what is left of the old rows below is emptied by the same write. */
export function writeAll(sheet: Sheet, table: Table, rows: readonly Cells[], formatOf: FormatOf): void {
  const height = Math.max(rows.length, table.rows.length)
  if (height === 0) return
  const grown = height - table.rows.length
  if (grown > 0) reach(sheet, height + 1, table.header.length)
  // Rows that were there have their formats; those that come new may lie where the grid was just made longer.
  if (grown > 0) {
    const formats = table.header.map(formatOf)
    sheet.getRange(table.rows.length + 2, 1, grown, formats.length).setNumberFormats(Array.from({ length: grown }, () => formats))
  }
  sheet
    .getRange(2, 1, height, table.header.length)
    .setValues(Array.from({ length: height }, (_, index) => table.header.map((name) => cellOf(rows[index], name) ?? '')))
}

/** A row as it was read, and as it is to be. `before` has only the cells that the registry knows. */
export interface RowChange {
  index: number
  before: Cells
  after: Cells
}

interface Block {
  top: number
  bottom: number
  left: number
  right: number
}

/**
 * Writes the changed cells of known rows in as few ranges as can be, however many the rows are. A cell between two changed ones
 * is written over as it was read, but only in a column that nobody else writes (`isOwn`) and in a row that is the table's own
 * (`isKnown`): what the operator types elsewhere meanwhile stays.
 */
export function writeChanges(
  sheet: Sheet,
  table: Table,
  changes: readonly RowChange[],
  { isOwn, isKnown, formatOf }: { isOwn: (column: string) => boolean; isKnown: (index: number) => boolean; formatOf: FormatOf }
): void {
  const after = new Map(changes.map((change) => [change.index, change.after]))
  const areOwn = (from: number, to: number) => table.header.slice(from, to + 1).every(isOwn)
  const blocks: Block[] = []
  for (const { index, left, right } of spans(table, changes, areOwn)) {
    const above = blocks.filter((block) => block.left === left && block.right === right).pop()
    const rows = above ? Array.from({ length: index - above.bottom - 1 }, (_, step) => above.bottom + 1 + step) : []
    if (above && areOwn(left, right) && rows.every(isKnown)) above.bottom = index
    else blocks.push({ top: index, bottom: index, left, right })
  }
  for (const { top, bottom, left, right } of blocks) {
    const names = table.header.slice(left, right + 1)
    const range = sheet.getRange(top + 2, left + 1, bottom - top + 1, names.length)
    const formats = names.map(formatOf)
    const values = Array.from({ length: bottom - top + 1 }, (_, step) =>
      names.map((name) => cellOf(after.get(top + step), name) ?? table.rows[top + step]?.[name] ?? '')
    )
    // Numbers and dates need no format to stay what they are, and a beat writes nothing else.
    if (formats.includes('@')) range.setNumberFormats(values.map(() => formats))
    range.setValues(values)
  }
}

/** The changed cells of each row, from top to bottom, joined over cells that may be written over. */
function* spans(table: Table, changes: readonly RowChange[], areOwn: (from: number, to: number) => boolean) {
  for (const { index, before, after } of [...changes].sort((a, b) => a.index - b.index)) {
    let open: { index: number; left: number; right: number } | undefined
    for (const [at, name] of table.header.entries()) {
      const isFirst = table.header.indexOf(name) === at
      const isChanged = isFirst && cellOf(after, name) !== undefined && !isSameCell(cellOf(before, name), cellOf(after, name))
      if (!isChanged) continue
      if (open && (open.right === at - 1 || areOwn(open.right + 1, at - 1))) open.right = at
      else {
        if (open) yield open
        open = { index, left: at, right: at }
      }
    }
    if (open) yield open
  }
}

/** Adds rows at the end, in one range. */
export function appendRows(sheet: Sheet, table: Table, rows: readonly Cells[], formatOf: FormatOf): void {
  if (rows.length === 0) return
  const width = table.header.length
  reach(sheet, table.rows.length + rows.length + 1, width)
  const cells = (row: Cells) => table.header.map((name, at) => (table.header.indexOf(name) === at ? cellOf(row, name) : undefined) ?? '')
  sheet
    .getRange(table.rows.length + 2, 1, rows.length, width)
    .setNumberFormats(rows.map(() => table.header.map(formatOf)))
    .setValues(rows.map(cells))
}

/** Deletes rows by their indexes, from the bottom up, so that none moves before its turn; neighbours go together. */
export function deleteRows(sheet: Sheet, indexes: readonly number[]): void {
  const left = [...indexes].sort((a, b) => b - a)
  for (let bottom = left.shift(); bottom !== undefined; bottom = left.shift()) {
    let top = bottom
    while (left[0] === top - 1) top = left.shift() ?? top
    const count = bottom - top + 1
    // Sheets refuses to delete the last row below a frozen header; an empty row more does no harm.
    if (sheet.getMaxRows() <= count + 1) sheet.insertRowsAfter(sheet.getMaxRows(), 1)
    sheet.deleteRows(top + 2, count)
  }
}

/** Makes the grid large enough: a range outside of it is refused. */
export function reach(sheet: Sheet, row: number, column: number): void {
  const rows = sheet.getMaxRows()
  const columns = sheet.getMaxColumns()
  if (row > rows) sheet.insertRowsAfter(rows, row - rows)
  if (column > columns) sheet.insertColumnsAfter(columns, column - columns)
}
