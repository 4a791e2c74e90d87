import type { SpreadsheetApp as SpreadsheetAppType } from './apps-script.ts'
import { readServer } from './cells.ts'
import { setEnabled, sweep } from './registry.ts'
import type { Outcome } from './registry.ts'
import { selectedNodes, setUp, setUpText } from './screen.ts'
import { openBook, sheetStore } from './store.ts'
import { readTable } from './table.ts'

declare const SpreadsheetApp: SpreadsheetAppType

/** Rows that one click sweeps; what is left, the next click takes. */
const SWEEP_BY_HAND_MAX = 100

/**
 * Runs by itself when somebody opens the sheet, before they have allowed anything: a simple trigger may make a menu, and must
 * not touch what needs a permission.
 */
export function onOpen(): void {
  SpreadsheetApp.getUi()
    .createMenu('Voxpool')
    .addItem('Enable selected nodes', 'menuEnable')
    .addItem('Disable selected nodes', 'menuDisable')
    .addItem('Sweep nodes that are gone', 'menuSweep')
    .addSeparator()
    .addItem('Set up', 'menuSetup')
    .addToUi()
}

export const menuSetup = (): void => void SpreadsheetApp.getUi().alert(setUpText(setUp().newKey))

export const menuEnable = (): void => switchSelected(true)

export const menuDisable = (): void => switchSelected(false)

export function menuSweep(): void {
  let count = 0
  sheetStore.write(false, (state) => {
    const nowMs = Date.now()
    const swept = sweep(state, nowMs, { max: SWEEP_BY_HAND_MAX })
    count = swept.put.length + swept.remove.length
    return { answer: { ok: true, now: nowMs }, changes: { ...swept, devices: null } } satisfies Outcome
  })
  tell(count === 0 ? 'No node has been gone for a day.' : `${count} swept. A node that an operator had changed keeps its row, so that its next start does not undo that.`)
}

function switchSelected(enabled: boolean): void {
  const book = openBook()
  const ids = selectedNodes(book, readTable(book.getSheetByName('servers')).rows.map((row) => readServer(row)?.serverId))
  if (ids.length === 0) {
    tell('Select one or more rows of nodes in the sheet "servers" first.')
    return
  }
  sheetStore.write(false, (state) => setEnabled(state, ids, enabled, Date.now()))
  tell(`${enabled ? 'On' : 'Off'}: ${ids.join(', ')}`)
}

const tell = (text: string): void => openBook().toast(text, 'Voxpool')
