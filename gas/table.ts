import type { Cell, Sheet } from './apps-script.ts'
import { formatOf } from './cells.ts'
import type { Cells } from './cells.ts'

/** A sheet as it was just read: rows by the names in its first row, wherever the operator has moved the columns. */
export interface Table {
  /** The header's names; `''` for columns that have none. */
  header: readonly string[]
  rows: readonly Cells[]
}

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

/** Adds what is missing of `columns` at the right of the header; returns the table with the header that the sheet has now. */
export function completeHeader(sheet: Sheet, table: Table, columns: readonly string[]): Table {
  const missing = columns.filter((name) => !table.header.includes(name))
  if (missing.length === 0) return table
  const kept = table.header.every((name) => name === '') ? [] : table.header
  const header = [...kept, ...missing]
  reach(sheet, 1, header.length)
  sheet.getRange(1, kept.length + 1, 1, missing.length).setNumberFormats([missing.map(() => '@')]).setValues([[...missing]])
  if (kept.length === 0) sheet.setFrozenRows(1)
  return { header, rows: table.rows }
}

/**
 * Writes the cells of one row that changed, and no other: what the operator types elsewhere in the row meanwhile stays.
 * @param index of the row in the table; one beyond the last adds a row
 */
export function writeRow(sheet: Sheet, table: Table, index: number, before: Cells, after: Cells): void {
  const changed = table.header.map((name, at) => name in after && table.header.indexOf(name) === at && before[name] !== after[name])
  reach(sheet, index + 2, table.header.length)
  for (let start = changed.indexOf(true); start !== -1; start = changed.indexOf(true, start)) {
    const gap = changed.indexOf(false, start)
    const end = gap === -1 ? changed.length : gap
    const names = table.header.slice(start, end)
    sheet
      .getRange(index + 2, start + 1, 1, names.length)
      .setNumberFormats([names.map(formatOf)])
      .setValues([names.map((name) => after[name] ?? '')])
    start = end
  }
}

/** Writes all rows of a table that no person edits, in one range; what is left of the old rows below is emptied. */
export function writeAll(sheet: Sheet, table: Table, rows: readonly Cells[]): void {
  const width = table.header.length
  if (rows.length > 0) {
    reach(sheet, rows.length + 1, width)
    sheet
      .getRange(2, 1, rows.length, width)
      .setNumberFormats(rows.map(() => table.header.map(formatOf)))
      .setValues(rows.map((row) => table.header.map((name) => row[name] ?? '')))
  }
  const left = table.rows.length - rows.length
  if (left > 0) sheet.getRange(rows.length + 2, 1, left, width).clearContent()
}

/** Sheets refuses to delete the last row below a frozen header; an empty row more does no harm. */
export function deleteRow(sheet: Sheet, index: number): void {
  if (sheet.getMaxRows() <= 2) sheet.insertRowsAfter(2, 1)
  sheet.deleteRow(index + 2)
}

/** Makes the grid large enough: a range outside of it is refused. */
function reach(sheet: Sheet, row: number, column: number): void {
  const rows = sheet.getMaxRows()
  const columns = sheet.getMaxColumns()
  if (row > rows) sheet.insertRowsAfter(rows, row - rows)
  if (column > columns) sheet.insertColumnsAfter(columns, column - columns)
}
