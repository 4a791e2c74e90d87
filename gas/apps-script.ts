/**
 * What is touched of Apps Script, by its own names; the emulation is held to the same types. Kept here instead of a package of
 * global types, which every other file of the project would see too.
 */

export type Cell = string | number | boolean | Date

export interface Range {
  getValues(): Cell[][]
  setValues(values: Cell[][]): Range
  setNumberFormats(formats: string[][]): Range
  clearContent(): Range
}

export interface Sheet {
  getDataRange(): Range
  /** Rows and columns count from 1. Throws outside of the grid. */
  getRange(row: number, column: number, rowCount: number, columnCount: number): Range
  getMaxRows(): number
  getMaxColumns(): number
  insertRowsAfter(row: number, count: number): Sheet
  insertColumnsAfter(column: number, count: number): Sheet
  deleteRow(row: number): Sheet
  setFrozenRows(count: number): void
}

export interface Spreadsheet {
  getSheetByName(name: string): Sheet | null
  insertSheet(name: string): Sheet
}

export interface SpreadsheetApp {
  getActiveSpreadsheet(): Spreadsheet | null
  flush(): void
}

export interface LockService {
  getScriptLock(): { waitLock(timeoutMs: number): void; releaseLock(): void }
}

export interface PropertiesService {
  getScriptProperties(): { getProperty(name: string): string | null }
}

export interface CacheService {
  getScriptCache(): { get(name: string): string | null; put(name: string, value: string, seconds: number): void } | null
}

export interface TextOutput {
  setMimeType(type: string): TextOutput
}

export interface ContentService {
  MimeType: { JSON: string }
  createTextOutput(text: string): TextOutput
}

/** What `doGet` and `doPost` are called with; a POST without a body has no `postData`. */
export interface WebEvent {
  parameter?: Record<string, string>
  postData?: { contents?: string }
}
