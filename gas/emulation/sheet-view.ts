import type { Cell } from '../apps-script.ts'
import type { AppsScript } from './start-apps-script.ts'

export interface SheetView {
  header: string[]
  rows: Record<string, Cell>[]
}

/** A sheet as a person sees it: cells by their header. */
export function viewSheet(app: AppsScript, name: string): SheetView {
  const grid = app.grid(name)
  const [header = [], ...rows] = grid.values(grid.dataArea())
  return {
    header: header.map(String),
    rows: rows.map((row) => Object.fromEntries(header.map((title, index) => [String(title), row[index] ?? ''])))
  }
}

/** Types into a node's cell, as a hand does. */
export function typeInto(app: AppsScript, serverId: string, column: string, value: Cell): void {
  const { header, rows } = viewSheet(app, 'servers')
  const row = rows.findIndex((cells) => cells.serverId === serverId) + 2
  app.grid('servers').setValues({ row, column: header.indexOf(column) + 1, rows: 1, columns: 1 }, [[value]])
}

/** What was asked of the services since the last time, without looks at the clock. */
export const takeOperations = (app: AppsScript): string[] =>
  app.operations.splice(0).flatMap(({ op, sheet }) => (op === 'now' ? [] : [sheet === undefined ? op : `${op} ${sheet}`]))
