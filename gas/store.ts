import type { LockService as LockServiceType, Sheet, Spreadsheet, SpreadsheetApp as SpreadsheetAppType } from './apps-script.ts'
import { DEVICE_COLUMNS, OWN_COLUMNS, SERVER_COLUMNS, deviceFormatOf, formatOf, readDevice, readServer, writeDevice, writeServer } from './cells.ts'
import type { Cells } from './cells.ts'
import { writeLog } from './log.ts'
import type { Changes, Device, Server, State } from './registry.ts'
import { StoreBusy } from './serve.ts'
import type { Store } from './serve.ts'
import { appendRows, completeHeader, deleteRows, readTable, writeAll, writeChanges } from './table.ts'
import type { RowChange, Table } from './table.ts'
import { used } from './usage.ts'

declare const SpreadsheetApp: SpreadsheetAppType
declare const LockService: LockServiceType
/** False in what is deployed: `bundle.ts` puts the value in. */
declare const ALLOW_LOOPBACK: boolean

/** How long a write waits for its turn; callers give up after 30 s. */
const LOCK_WAIT_MS = 15_000

/**
 * The state in a Google Sheet. Each sheet that a call needs is read once and written at most once or twice, however many rows it
 * has. Rows are found anew at each call, since they move when the operator deletes or sorts. A list only reads, and waits for nobody.
 */
export const sheetStore: Store = {
  read(withDevices) {
    const book = openBook()
    return toState(readTable(book.getSheetByName('servers')), withDevices ? readTable(book.getSheetByName('presence')) : undefined)
  },

  write: (withDevices, decide) =>
    locked(LOCK_WAIT_MS, (book) => {
      const servers = openServers(book)
      const devices = withDevices ? openDevices(book) : undefined
      const { answer, changes } = decide(toState(servers.table, devices?.table))
      writeServers(servers.sheet, servers.table, changes)
      if (devices && changes.devices) writeAll(devices.sheet, devices.table, changes.devices.map(writeDevice), deviceFormatOf)
      try {
        writeLog(book, changes.log, answer.now)
      } catch (fault) {
        // What was decided is kept already, and the caller must learn that.
        console.warn('an event is missing from the log', fault)
      }
      return answer
    })
}

/**
 * Holds the script's lock (the document's can be missing in a web app) meanwhile, and flushes before it lets go: without that the
 * next execution reads the sheet as it was before.
 * @throws StoreBusy when the lock does not get free in time
 */
export function locked<T>(waitMs: number, work: (book: Spreadsheet) => T): T {
  const lock = LockService.getScriptLock()
  try {
    lock.waitLock(waitMs)
  } catch {
    throw new StoreBusy('another call holds the registry: try again')
  }
  const sinceMs = Date.now()
  try {
    return work(openBook())
  } finally {
    try {
      SpreadsheetApp.flush()
    } finally {
      lock.releaseLock()
      used.heldMs += Date.now() - sinceMs
    }
  }
}

/** Known rows first, then new ones, then deletions from the bottom up: no row moves before its turn. */
function writeServers(sheet: Sheet, table: Table, { put, remove }: Pick<Changes, 'put' | 'remove'>): void {
  const known = table.rows.map(toServer)
  const indexes = new Map(known.map((row, index) => [row?.serverId, index] as const).reverse())
  const changes: RowChange[] = []
  const added: Server[] = []
  for (const server of put) {
    const index = indexes.get(server.serverId)
    const before = index === undefined ? undefined : known[index]
    if (index === undefined || !before) added.push(server)
    else changes.push({ index, before: writeServer(before), after: writeServer(server) })
  }
  writeChanges(sheet, table, changes, { isOwn: (column) => OWN_COLUMNS.has(column), isKnown: (index) => known[index] !== undefined, formatOf })
  appendRows(sheet, table, added.map(writeServer), formatOf)
  deleteRows(sheet, known.flatMap((row, index) => (row && remove.includes(row.serverId) ? [index] : [])))
}

const toServer = (cells: Cells) => readServer(cells, { allowLoopback: ALLOW_LOOPBACK })

/** Of two rows with one id, the upper counts. */
function toState(servers: Table, devices: Table | undefined): State {
  const known = new Map<string, Server>()
  for (const row of servers.rows) {
    const server = toServer(row)
    if (server && !known.has(server.serverId)) known.set(server.serverId, server)
  }
  return { servers: [...known.values()], devices: (devices?.rows ?? []).map(readDevice).filter((row): row is Device => row !== undefined) }
}

interface Opened {
  sheet: Sheet
  table: Table
}

/** The sheet and what stands in it, made when it is missing. */
export const openServers = (book: Spreadsheet): Opened => open(book, 'servers', SERVER_COLUMNS, formatOf)
export const openDevices = (book: Spreadsheet): Opened => open(book, 'presence', DEVICE_COLUMNS, deviceFormatOf)

function open(book: Spreadsheet, name: string, columns: readonly string[], format: (column: string) => string): Opened {
  const sheet = book.getSheetByName(name) ?? book.insertSheet(name)
  return { sheet, table: completeHeader(sheet, readTable(sheet), columns, format) }
}

export function openBook(): Spreadsheet {
  const book = SpreadsheetApp.getActiveSpreadsheet()
  if (!book) throw new Error('this script belongs to no spreadsheet: make it from a sheet, with Extensions > Apps Script')
  return book
}
