import { createContext, Script } from 'node:vm'
import { receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { CacheService, Cell, ContentService, LockService, PropertiesService, Range, Sheet, SpreadsheetApp, WebEvent } from '../apps-script.ts'
import type { Area } from './book.ts'
import type { Request } from './services.ts'

/**
 * One thread that runs executions, one after another, each in a fresh context that holds Apps Script's globals and nothing of
 * Node: no `URL`, no `fetch`, no timers. Services answer from the main thread; a script, which can't await, stands still meanwhile.
 */
const { code, port, wake } = workerData as { code: string; port: MessagePort; wake: Int32Array }
const script = new Script(code, { filename: 'Code.js' })

function ask(request: Request): unknown {
  Atomics.store(wake, 0, 0)
  port.postMessage({ kind: 'ask', request })
  // A late wake-up of the last answer may end a wait too early: only the value says that this answer is there.
  while (Atomics.load(wake, 0) === 0) Atomics.wait(wake, 0, 0)
  const reply = receiveMessageOnPort(port)?.message as { value?: unknown; error?: string }
  if (reply.error !== undefined) throw new Error(reply.error)
  return reply.value
}

const rangeOf = (sheet: string, area: Area): Range => {
  const range: Range = {
    getValues: () => ask({ op: 'range.getValues', sheet, area }) as Cell[][],
    setValues: (values) => (ask({ op: 'range.setValues', sheet, area, values }), range),
    setNumberFormats: (formats) => (ask({ op: 'range.setNumberFormats', sheet, area, formats }), range),
    clearContent: () => (ask({ op: 'range.clearContent', sheet, area }), range)
  }
  return range
}

const sheetOf = (sheet: string): Sheet => {
  const self: Sheet = {
    getDataRange: () => rangeOf(sheet, ask({ op: 'sheet.dataArea', sheet }) as Area),
    getRange: (row, column, rows, columns) => rangeOf(sheet, { row, column, rows, columns }),
    getMaxRows: () => ask({ op: 'sheet.maxRows', sheet }) as number,
    getMaxColumns: () => ask({ op: 'sheet.maxColumns', sheet }) as number,
    insertRowsAfter: (after, count) => (ask({ op: 'sheet.insertRows', sheet, after, count }), self),
    insertColumnsAfter: (after, count) => (ask({ op: 'sheet.insertColumns', sheet, after, count }), self),
    deleteRow: (row) => (ask({ op: 'sheet.deleteRow', sheet, row }), self),
    setFrozenRows: (row) => void ask({ op: 'sheet.freeze', sheet, row })
  }
  return self
}

const spreadsheetApp: SpreadsheetApp = {
  getActiveSpreadsheet: () => ({
    getSheetByName: (sheet) => (ask({ op: 'sheet.exists', sheet }) === true ? sheetOf(sheet) : null),
    insertSheet: (sheet) => (ask({ op: 'sheet.insert', sheet }), sheetOf(sheet))
  }),
  flush: () => void ask({ op: 'flush' })
}
const lockService: LockService = {
  getScriptLock: () => ({
    waitLock: (timeoutMs) => void ask({ op: 'lock.wait', timeoutMs }),
    releaseLock: () => void ask({ op: 'lock.release' })
  })
}
const propertiesService: PropertiesService = {
  getScriptProperties: () => ({ getProperty: (name) => ask({ op: 'property.get', name }) as string | null })
}
const cacheService: CacheService = {
  getScriptCache: () => ({
    get: (name) => ask({ op: 'cache.get', name }) as string | null,
    put: (name, value, seconds) => void ask({ op: 'cache.put', name, value, seconds })
  })
}

/** What a script returned: only a text output is sent to the caller. */
interface Output {
  text: string
  type: string
}
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

function run(name: string, event: WebEvent | undefined): { output?: Output; missing?: true; error?: string } {
  const print = (...parts: unknown[]) => void ask({ op: 'console', text: parts.map(String).join(' ') })
  const context = createContext({
    SpreadsheetApp: spreadsheetApp,
    LockService: lockService,
    PropertiesService: propertiesService,
    CacheService: cacheService,
    ContentService: contentService,
    console: { log: print, info: print, warn: print, error: print },
    clockNow: () => ask({ op: 'now' }),
    event
  })
  try {
    new Script('{ const now = clockNow; Date.now = () => now() } delete globalThis.clockNow').runInContext(context)
    script.runInContext(context)
    if (new Script(`typeof ${name}`).runInContext(context) !== 'function') return { missing: true }
    const output = new Script(`${name}(event)`).runInContext(context) as Output | undefined
    return output === undefined ? {} : { output: { text: output.text, type: output.type } }
  } catch (error) {
    return { error: String(error) }
  }
}

port.on('message', (message: { name: string; event?: WebEvent }) => {
  port.postMessage({ kind: 'done', result: run(message.name, message.event) })
})
