import type { LockService as LockServiceType, Sheet, Spreadsheet, SpreadsheetApp as SpreadsheetAppType } from './apps-script.ts'
import { DEVICE_COLUMNS, SERVER_COLUMNS, readDevice, readServer, writeDevice, writeServer } from './cells.ts'
import type { Device, Server, State } from './registry.ts'
import { StoreBusy } from './serve.ts'
import type { Store } from './serve.ts'
import { completeHeader, deleteRow, readTable, writeAll, writeRow } from './table.ts'
import type { Table } from './table.ts'

declare const SpreadsheetApp: SpreadsheetAppType
declare const LockService: LockServiceType

/** How long a write waits for its turn; callers give up after 30 s. */
const LOCK_WAIT_MS = 15_000

/**
 * The state in a Google Sheet. Rows are found anew at each call, since they move when the operator deletes or sorts. A write holds
 * the script's lock (the document's can be missing in a web app) and is flushed before the lock is let go: without that the next
 * execution reads the sheet as it was before. A list only reads, and waits for nobody.
 */
export const sheetStore: Store = {
  read(withDevices) {
    const book = openBook()
    return toState(readTable(book.getSheetByName('servers')), withDevices ? readTable(book.getSheetByName('presence')) : undefined)
  },

  write(withDevices, decide) {
    const lock = LockService.getScriptLock()
    try {
      lock.waitLock(LOCK_WAIT_MS)
    } catch {
      throw new StoreBusy()
    }
    try {
      const book = openBook()
      const servers = openTable(book, 'servers', SERVER_COLUMNS)
      const devices = withDevices ? openTable(book, 'presence', DEVICE_COLUMNS) : undefined
      const { answer, changes } = decide(toState(servers.table, devices?.table))
      writeServers(servers.sheet, servers.table, changes.put, changes.remove)
      if (devices && changes.devices) writeAll(devices.sheet, devices.table, changes.devices.map(writeDevice))
      return answer
    } finally {
      try {
        SpreadsheetApp.flush()
      } finally {
        lock.releaseLock()
      }
    }
  }
}

/** Changed rows first, then new ones, then deletions from the bottom up: no row moves before its turn. */
function writeServers(sheet: Sheet, table: Table, put: readonly Server[], remove: readonly string[]): void {
  const known = table.rows.map(readServer)
  let next = table.rows.length
  for (const server of put) {
    const index = known.findIndex((row) => row?.serverId === server.serverId)
    const before = known[index]
    if (before) writeRow(sheet, table, index, writeServer(before), writeServer(server))
    else writeRow(sheet, table, next++, {}, writeServer(server))
  }
  for (let index = known.length - 1; index >= 0; index--) {
    const row = known[index]
    if (row && remove.includes(row.serverId)) deleteRow(sheet, index)
  }
}

/** Of two rows with one id, the upper counts. */
function toState(servers: Table, devices: Table | undefined): State {
  const known = new Map<string, Server>()
  for (const row of servers.rows) {
    const server = readServer(row)
    if (server && !known.has(server.serverId)) known.set(server.serverId, server)
  }
  return { servers: [...known.values()], devices: (devices?.rows ?? []).map(readDevice).filter((row): row is Device => row !== undefined) }
}

function openTable(book: Spreadsheet, name: string, columns: readonly string[]): { sheet: Sheet; table: Table } {
  const sheet = book.getSheetByName(name) ?? book.insertSheet(name)
  return { sheet, table: completeHeader(sheet, readTable(sheet), columns) }
}

function openBook(): Spreadsheet {
  const book = SpreadsheetApp.getActiveSpreadsheet()
  if (!book) throw new Error('this script belongs to no spreadsheet: make it from a sheet, with Extensions > Apps Script')
  return book
}

/** Makes both sheets with their headers. */
export function makeSheets(): void {
  sheetStore.write(true, () => ({ answer: { ok: true, now: 0 }, changes: { put: [], remove: [], devices: null } }))
}
