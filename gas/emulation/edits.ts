import type { Cell } from '../apps-script.ts'
import type { Area, Grid, ShadeRule } from './book.ts'

/** A change to a sheet: it waits for a flush before others see it. */
export type Edit =
  | { op: 'sheet.insertRows' | 'sheet.insertColumns'; sheet: string; after: number; count: number }
  | { op: 'sheet.deleteRows'; sheet: string; row: number; count: number }
  | { op: 'sheet.hideColumns'; sheet: string; column: number; count: number }
  | { op: 'sheet.freeze'; sheet: string; row: number }
  | { op: 'sheet.setRules'; sheet: string; rules: ShadeRule[] }
  | { op: 'range.setValues'; sheet: string; area: Area; values: Cell[][] }
  | { op: 'range.setNumberFormats'; sheet: string; area: Area; formats: string[][] }
  | { op: 'range.setNumberFormat'; sheet: string; area: Area; format: string }
  | { op: 'range.setFontWeight'; sheet: string; area: Area; weight: string }

const EDITS: ReadonlySet<string> = new Set<Edit['op']>([
  'sheet.insertRows', 'sheet.insertColumns', 'sheet.deleteRows', 'sheet.hideColumns', 'sheet.freeze', 'sheet.setRules',
  'range.setValues', 'range.setNumberFormats', 'range.setNumberFormat', 'range.setFontWeight'
])

export const isEdit = (request: { op: string }): request is Edit => EDITS.has(request.op)

/** @throws where Sheets refuses the change */
export function applyEdit(grid: Grid, edit: Edit): void {
  switch (edit.op) {
    case 'sheet.insertRows':
      grid.insertRows(edit.after, edit.count)
      break
    case 'sheet.insertColumns':
      grid.insertColumns(edit.after, edit.count)
      break
    case 'sheet.deleteRows':
      grid.deleteRows(edit.row, edit.count)
      break
    case 'sheet.hideColumns':
      grid.hideColumns(edit.column, edit.count)
      break
    case 'sheet.freeze':
      grid.freeze(edit.row)
      break
    case 'sheet.setRules':
      grid.setRules(edit.rules)
      break
    case 'range.setValues':
      grid.setValues(edit.area, edit.values)
      break
    case 'range.setNumberFormats':
      grid.setFormats(edit.area, edit.formats)
      break
    case 'range.setNumberFormat':
      grid.setFormats(edit.area, Array.from({ length: edit.area.rows }, () => Array.from({ length: edit.area.columns }, () => edit.format)))
      break
    case 'range.setFontWeight':
      grid.setBold(edit.area, edit.weight === 'bold')
  }
}
