import type {
  CacheService,
  Cell,
  ContentService,
  LockService,
  Menu,
  PropertiesService,
  Range,
  Rule,
  RuleBuilder,
  Sheet,
  Spreadsheet,
  SpreadsheetApp,
  Utilities
} from '../apps-script.ts'
import type { Area, ShadeRule } from './book.ts'
import type { Asker, Request } from './services.ts'

/** What a script returned: only a text output is sent to the caller. */
export interface Output {
  text: string
  type: string
}

/** Requests that a simple trigger may make: it runs before anything was allowed. More is allowed at Google; this is the worst. */
const SIMPLE: ReadonlySet<Request['op']> = new Set<Request['op']>(['ui.menu', 'console', 'now'])

/** A rule as the script holds it; `Rule` is what it may see of it. */
type HeldRule = Rule & { shade: ShadeRule }

/** Apps Script's global objects for one execution, asked for by `asker`; each call becomes a request to the services. */
export function createGlobals(send: (request: Request) => unknown, asker: Asker) {
  const ask = (request: Request): unknown => {
    if (asker === 'open' && !SIMPLE.has(request.op)) throw new Error(`You do not have permission to call ${request.op}`)
    return send(request)
  }
  const areas = new WeakMap<Range, Area>()

  const rangeOf = (sheet: string, area: Area): Range => {
    const range: Range = {
      getValues: () => ask({ op: 'range.getValues', sheet, area }) as Cell[][],
      setValues: (values) => (ask({ op: 'range.setValues', sheet, area, values }), range),
      setNumberFormats: (formats) => (ask({ op: 'range.setNumberFormats', sheet, area, formats }), range),
      setNumberFormat: (format) => (ask({ op: 'range.setNumberFormat', sheet, area, format }), range),
      setFontWeight: (weight) => (ask({ op: 'range.setFontWeight', sheet, area, weight }), range),
      getSheet: () => sheetOf(sheet),
      getRow: () => area.row,
      getNumRows: () => area.rows
    }
    areas.set(range, area)
    return range
  }

  const sheetOf = (sheet: string): Sheet => {
    const self: Sheet = {
      getName: () => sheet,
      getDataRange: () => rangeOf(sheet, ask({ op: 'sheet.dataArea', sheet }) as Area),
      getRange: (row, column, rows, columns) => rangeOf(sheet, { row, column, rows, columns }),
      getMaxRows: () => ask({ op: 'sheet.maxRows', sheet }) as number,
      getMaxColumns: () => ask({ op: 'sheet.maxColumns', sheet }) as number,
      insertRowsAfter: (after, count) => (ask({ op: 'sheet.insertRows', sheet, after, count }), self),
      insertColumnsAfter: (after, count) => (ask({ op: 'sheet.insertColumns', sheet, after, count }), self),
      deleteRows: (row, count) => void ask({ op: 'sheet.deleteRows', sheet, row, count }),
      hideColumns: (column, count) => void ask({ op: 'sheet.hideColumns', sheet, column, count }),
      setFrozenRows: (row) => void ask({ op: 'sheet.freeze', sheet, row }),
      getConditionalFormatRules: () => (ask({ op: 'sheet.getRules', sheet }) as ShadeRule[]).map(ruleOf),
      setConditionalFormatRules: (rules) => void ask({ op: 'sheet.setRules', sheet, rules: rules.map((rule) => (rule as HeldRule).shade) })
    }
    return self
  }

  const ruleOf = (shade: ShadeRule): HeldRule => ({ shade, getBooleanCondition: () => ({ getCriteriaValues: () => [shade.formula] }) })
  const ruleBuilder = (shade: ShadeRule): RuleBuilder => ({
    whenFormulaSatisfied: (formula) => ruleBuilder({ ...shade, formula }),
    setBackground: (background) => ruleBuilder({ ...shade, background }),
    setFontColor: () => ruleBuilder(shade),
    setRanges: (ranges) => ruleBuilder({ ...shade, areas: ranges.map((range) => areas.get(range) as Area) }),
    build: () => ruleOf(shade)
  })
  const menuOf = (caption: string, items: { caption: string; run: string }[]): Menu => ({
    addItem: (item, run) => menuOf(caption, [...items, { caption: item, run }]),
    addSeparator: () => menuOf(caption, items),
    addToUi: () => void ask({ op: 'ui.menu', caption, items })
  })

  const spreadsheetApp: SpreadsheetApp = {
    RecalculationInterval: { MINUTE: 'MINUTE' },
    getActiveSpreadsheet: () => {
      const book: Spreadsheet = {
        getSheetByName: (sheet) => (ask({ op: 'sheet.exists', sheet }) === true ? sheetOf(sheet) : null),
        insertSheet: (sheet) => (ask({ op: 'sheet.insert', sheet }), sheetOf(sheet)),
        getActiveRangeList: () => {
          const selection = ask({ op: 'book.selection' }) as { sheet: string; areas: Area[] } | null
          return selection && { getRanges: () => selection.areas.map((area) => rangeOf(selection.sheet, area)) }
        },
        setRecalculationInterval: (interval) => (ask({ op: 'book.recalculate', interval: String(interval) }), book),
        toast: (text) => void ask({ op: 'ui.toast', text })
      }
      return book
    },
    getUi: () => {
      if (asker === 'web' || asker === 'editor') throw new Error('Cannot call SpreadsheetApp.getUi() from this context.')
      return { createMenu: (caption) => menuOf(caption, []), alert: (text) => ask({ op: 'ui.alert', text }) }
    },
    newConditionalFormatRule: () => ruleBuilder({ formula: '', background: '', areas: [] }),
    flush: () => void ask({ op: 'flush' })
  }
  const lockService: LockService = {
    getScriptLock: () => ({
      waitLock: (timeoutMs) => void ask({ op: 'lock.wait', timeoutMs }),
      releaseLock: () => void ask({ op: 'lock.release' })
    })
  }
  const propertiesService: PropertiesService = {
    getScriptProperties: () => ({
      getProperty: (name) => ask({ op: 'property.get', name }) as string | null,
      setProperty: (name, value) => void ask({ op: 'property.set', name, value })
    })
  }
  const cacheService: CacheService = {
    getScriptCache: () => ({
      get: (name) => ask({ op: 'cache.get', name }) as string | null,
      put: (name, value, seconds) => void ask({ op: 'cache.put', name, value, seconds }),
      remove: (name) => void ask({ op: 'cache.remove', name })
    })
  }
  const utilities: Utilities = { getUuid: () => ask({ op: 'uuid' }) as string }
  const contentService: ContentService = {
    MimeType: { JSON: 'application/json' },
    createTextOutput(text) {
      const output: Output & { setMimeType(type: string): Output } = {
        text,
        type: 'text/plain',
        setMimeType: (type) => Object.assign(output, { type })
      }
      return output as unknown as ReturnType<ContentService['createTextOutput']>
    }
  }
  const print = (...parts: unknown[]) => void ask({ op: 'console', text: parts.map(String).join(' ') })

  return {
    SpreadsheetApp: spreadsheetApp,
    LockService: lockService,
    PropertiesService: propertiesService,
    CacheService: cacheService,
    Utilities: utilities,
    ContentService: contentService,
    console: { log: print, info: print, warn: print, error: print }
  }
}
