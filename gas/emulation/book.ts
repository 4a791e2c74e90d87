import type { Cell } from '../apps-script.ts'
import { coerce } from './coerce.ts'

/** A rectangle; rows and columns count from 1. */
export interface Area {
  row: number
  column: number
  rows: number
  columns: number
}

interface StoredCell {
  value: Cell
  format: string
  isFormula: boolean
  isBold: boolean
}

/** Sheets refuses a longer text. */
const CELL_MAX_CHARS = 50_000

/** A conditional format by a formula. */
export interface ShadeRule {
  formula: string
  background: string
  areas: Area[]
}

export interface Grid {
  values: (area: Area) => Cell[][]
  /** The smallest area from A1 that holds all content; 1 by 1 when there is none. */
  dataArea(): Area
  setValues: (area: Area, values: Cell[][]) => void
  setFormats(area: Area, formats: string[][]): void
  setBold(area: Area, isBold: boolean): void
  isBold(area: Area): boolean
  maxRows(): number
  maxColumns(): number
  insertRows(after: number, count: number): void
  insertColumns(after: number, count: number): void
  deleteRows(row: number, count: number): void
  freeze(rows: number): void
  frozenRows(): number
  hideColumns(column: number, count: number): void
  hiddenColumns(): number[]
  setRules(rules: ShadeRule[]): void
  rules(): ShadeRule[]
  /** Cells that ran as formulas, in A1's order. */
  formulas(): string[]
}

const empty = (): StoredCell => ({ value: '', format: 'General', isFormula: false, isBold: false })
const emptyRow = (columns: number) => Array.from({ length: columns }, empty)

/** One sheet of 1,000 by 26 cells, as a new one is; it refuses what Sheets refuses, with a message to that effect. */
export function createGrid(): Grid {
  const rows: StoredCell[][] = Array.from({ length: 1000 }, () => emptyRow(26))
  let columns = 26
  let frozen = 0
  const hidden = new Set<number>()
  let shades: ShadeRule[] = []

  const cell = (row: number, column: number): StoredCell => {
    const found = rows[row - 1]?.[column - 1]
    if (!found) throw new Error('The coordinates of the range are outside the dimensions of the sheet.')
    return found
  }
  const each = (area: Area, visit: (cell: StoredCell, row: number, column: number) => void) => {
    if (area.rows < 1 || area.columns < 1) throw new Error('The number of rows and columns in the range must be at least 1.')
    cell(area.row, area.column)
    cell(area.row + area.rows - 1, area.column + area.columns - 1)
    for (let row = 0; row < area.rows; row++) {
      for (let column = 0; column < area.columns; column++) visit(cell(area.row + row, area.column + column), row, column)
    }
  }
  const fits = (area: Area, data: unknown[][]) => {
    if (data.length !== area.rows || data.some((row) => row.length !== area.columns)) {
      throw new Error('The number of rows or columns in the data does not match the range.')
    }
  }

  return {
    values(area) {
      const values: Cell[][] = Array.from({ length: area.rows }, () => [])
      each(area, ({ value }, row) => values[row]?.push(value))
      return values
    },
    dataArea() {
      const isFull = ({ value }: StoredCell) => value !== ''
      const height = rows.findLastIndex((row) => row.some(isFull)) + 1
      const width = Math.max(0, ...rows.map((row) => row.findLastIndex(isFull) + 1))
      return { row: 1, column: 1, rows: Math.max(1, height), columns: Math.max(1, width) }
    },
    setValues(area, values) {
      fits(area, values)
      if (values.flat().some((value) => typeof value === 'string' && value.length > CELL_MAX_CHARS)) {
        throw new Error('Your input contains more than the maximum of 50000 characters in a single cell.')
      }
      each(area, (target, row, column) => Object.assign(target, coerce(values[row]?.[column] ?? '', target.format)))
    },
    setFormats(area, formats) {
      fits(area, formats)
      each(area, (target, row, column) => (target.format = formats[row]?.[column] ?? 'General'))
    },
    setBold: (area, isBold) => each(area, (target) => (target.isBold = isBold)),
    isBold(area) {
      let all = true
      each(area, ({ isBold }) => (all &&= isBold))
      return all
    },
    maxRows: () => rows.length,
    maxColumns: () => columns,
    insertRows: (after, count) => void rows.splice(after, 0, ...Array.from({ length: count }, () => emptyRow(columns))),
    insertColumns(after, count) {
      for (const row of rows) row.splice(after, 0, ...emptyRow(count))
      columns += count
    },
    deleteRows(row, count) {
      cell(row, 1)
      cell(row + count - 1, 1)
      if (rows.length - count <= frozen || rows.length === count) throw new Error('Sorry, it is not possible to delete all non-frozen rows.')
      rows.splice(row - 1, count)
    },
    freeze: (count) => (frozen = count),
    frozenRows: () => frozen,
    hideColumns(column, count) {
      for (let at = column; at < column + count; at++) hidden.add(at)
    },
    hiddenColumns: () => [...hidden].sort((a, b) => a - b),
    setRules: (rules) => (shades = rules),
    rules: () => shades,
    formulas: () =>
      rows.flatMap((row, at) => row.flatMap(({ isFormula }, column) => (isFormula ? [`R${String(at + 1)}C${String(column + 1)}`] : [])))
  }
}
