import type {
  CacheService as CacheServiceType,
  PropertiesService as PropertiesServiceType,
  Range,
  Sheet,
  Spreadsheet,
  SpreadsheetApp as SpreadsheetAppType,
  Utilities as UtilitiesType
} from './apps-script.ts'
import { OWN_COLUMNS, SERVER_COLUMNS, formatOf } from './cells.ts'
import { LOG_COLUMNS, LOG_MAX, logFormatOf } from './log.ts'
import { locked, openDevices, openServers } from './store.ts'
import { completeHeader, formatColumn, reach, readTable } from './table.ts'
import type { Table } from './table.ts'

declare const CacheService: CacheServiceType
declare const PropertiesService: PropertiesServiceType
declare const SpreadsheetApp: SpreadsheetAppType
declare const Utilities: UtilitiesType

const LOCK_WAIT_MS = 20_000
/** What the operator has no use for; the columns can be shown again by hand. */
const HIDDEN: ReadonlySet<string> = new Set(SERVER_COLUMNS.filter((name) => OWN_COLUMNS.has(name) && !['assignedCount', 'lastSeen', 'concurrency', 'voices', 'paths'].includes(name)))
const ALL: ReadonlySet<string> = new Set(SERVER_COLUMNS)
/** Stands in the formula of our own rule, so that set-up finds it again and leaves the operator's alone. */
const MARK = 'N("voxpool")=0'

/**
 * Makes the three sheets, their looks and a key; what is there already stays. To be run by the operator, as often as they like.
 * @returns the key when it was made just now: the only time that it is shown
 */
export function setUp(): { newKey: string | undefined } {
  return locked(LOCK_WAIT_MS, (book) => {
    const servers = openServers(book)
    dress(servers.sheet, servers.table)
    for (const [index, name] of servers.table.header.entries()) {
      if (ALL.has(name)) formatColumn(servers.sheet, index + 1, formatOf(name))
      if (HIDDEN.has(name)) servers.sheet.hideColumns(index + 1, 1)
    }
    shadeDead(servers.sheet, servers.table)
    const devices = openDevices(book)
    dress(devices.sheet, devices.table)
    const log = book.getSheetByName('log') ?? book.insertSheet('log')
    reach(log, LOG_MAX + 1, LOG_COLUMNS.length)
    dress(log, completeHeader(log, readTable(log), LOG_COLUMNS, logFormatOf))
    // The shading looks at the time, which moves on when nothing else happens.
    book.setRecalculationInterval(SpreadsheetApp.RecalculationInterval.MINUTE)
    return { newKey: makeKey() }
  })
}

function dress(sheet: Sheet, table: Table): void {
  reach(sheet, 2, 1)
  sheet.setFrozenRows(1)
  sheet.getRange(1, 1, 1, Math.max(1, table.header.length)).setFontWeight('bold')
}

/**
 * Rows of nodes that were not heard for 2 minutes, and of those that have left, are grey. Both moments are in the sheet's own time
 * zone. A formula without commas: what separates arguments depends on the sheet's language.
 */
function shadeDead(sheet: Sheet, table: Table): void {
  const cell = (name: string) => `$${letterOf(table.header.indexOf(name))}2`
  const formula = `=(${MARK})*(${cell('serverId')}<>"")*(NOW()-${cell('lastSeen')}>2/1440)>0`
  const rows: Range = sheet.getRange(2, 1, sheet.getMaxRows() - 1, table.header.length)
  const rule = SpreadsheetApp.newConditionalFormatRule().whenFormulaSatisfied(formula).setBackground('#e0e0e0').setFontColor('#757575').setRanges([rows]).build()
  const others = sheet.getConditionalFormatRules().filter((one) => !String(one.getBooleanCondition()?.getCriteriaValues()[0]).includes(MARK))
  sheet.setConditionalFormatRules([...others, rule])
}

/** The name of a column, from 0: A to Z, AA and so on. */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : letterOf(Math.floor(index / 26) - 1) + last
}

/** Two random UUIDs: 244 bits that nobody guesses. The new key acts at once. */
function makeKey(): string | undefined {
  const properties = PropertiesService.getScriptProperties()
  if (properties.getProperty('REGISTRY_KEY')) return undefined
  const key = (Utilities.getUuid() + Utilities.getUuid()).replace(/-/g, '')
  properties.setProperty('REGISTRY_KEY', key)
  CacheService.getScriptCache()?.remove('REGISTRY_KEY')
  return key
}

export const setUpText = (newKey: string | undefined) =>
  newKey === undefined
    ? 'The sheets are ready. The key stays as it was: Project Settings > Script Properties shows it.'
    : `The sheets are ready. This is the new REGISTRY_KEY, shown only once; the bot and every node need it:\n\n${newKey}`

/** The nodes whose rows are selected, when the sheet of nodes is in front. */
export function selectedNodes(book: Spreadsheet, ids: readonly (string | undefined)[]): string[] {
  const ranges = book.getActiveRangeList()?.getRanges() ?? []
  const picked = ranges.flatMap((range) =>
    range.getSheet().getName() === 'servers' ? ids.slice(Math.max(0, range.getRow() - 2), Math.max(0, range.getRow() - 2 + range.getNumRows())) : []
  )
  return [...new Set(picked.filter((id): id is string => id !== undefined))]
}
