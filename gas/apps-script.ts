/**
 * What is touched of Apps Script, by its own names; the emulation is held to the same types. Kept here instead of a package of
 * global types, which every other file of the project would see too.
 */

export type Cell = string | number | boolean | Date

export interface Range {
  getValues(): Cell[][]
  setValues(values: Cell[][]): Range
  setNumberFormats(formats: string[][]): Range
  /** One format for all cells. */
  setNumberFormat(format: string): Range
  setFontWeight(weight: 'bold' | 'normal'): Range
  getSheet(): Sheet
  getRow(): number
  getNumRows(): number
}

export interface Sheet {
  getName(): string
  getDataRange(): Range
  /** Rows and columns count from 1. Throws outside of the grid. */
  getRange(row: number, column: number, rowCount: number, columnCount: number): Range
  getMaxRows(): number
  getMaxColumns(): number
  insertRowsAfter(row: number, count: number): Sheet
  insertColumnsAfter(column: number, count: number): Sheet
  deleteRows(row: number, count: number): void
  hideColumns(column: number, count: number): void
  setFrozenRows(count: number): void
  getConditionalFormatRules(): Rule[]
  setConditionalFormatRules(rules: Rule[]): void
}

/** A conditional format: cells of its ranges for whose row the formula is true look as it says. */
export interface Rule {
  getBooleanCondition(): { getCriteriaValues(): unknown[] } | null
}

export interface RuleBuilder {
  whenFormulaSatisfied(formula: string): RuleBuilder
  setBackground(color: string): RuleBuilder
  setFontColor(color: string): RuleBuilder
  setRanges(ranges: Range[]): RuleBuilder
  build(): Rule
}

export interface Spreadsheet {
  getSheetByName(name: string): Sheet | null
  insertSheet(name: string): Sheet
  /** What the person in front of the sheet has selected. */
  getActiveRangeList(): { getRanges(): Range[] } | null
  setRecalculationInterval(interval: unknown): Spreadsheet
  toast(text: string, title: string): void
}

export interface Menu {
  addItem(caption: string, functionName: string): Menu
  addSeparator(): Menu
  addToUi(): void
}

/** Only where a person has the sheet open: `getUi` throws in a web app. */
export interface Ui {
  createMenu(caption: string): Menu
  alert(text: string): unknown
}

export interface SpreadsheetApp {
  RecalculationInterval: { MINUTE: unknown }
  getActiveSpreadsheet(): Spreadsheet | null
  getUi(): Ui
  newConditionalFormatRule(): RuleBuilder
  flush(): void
}

export interface LockService {
  getScriptLock(): { waitLock(timeoutMs: number): void; releaseLock(): void }
}

export interface PropertiesService {
  getScriptProperties(): { getProperty(name: string): string | null; setProperty(name: string, value: string): void }
}

export interface Cache {
  get(name: string): string | null
  put(name: string, value: string, seconds: number): void
  remove(name: string): void
}

export interface CacheService {
  getScriptCache(): Cache | null
}

export interface Utilities {
  /** A random UUID. */
  getUuid(): string
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
