import { randomUUID } from 'node:crypto'
import type { Clock } from '../../bot/core/clock.ts'
import { createGrid } from './book.ts'
import type { Area, Grid } from './book.ts'
import { applyEdit, isEdit } from './edits.ts'
import type { Edit } from './edits.ts'
import { createCache, createProperties } from './keep.ts'

/** Who runs the script: a caller of the web app, its owner from the editor or from the menu, or the sheet as it opens. */
export type Asker = 'web' | 'editor' | 'menu' | 'open'

/** One thing that a script asked of a service. */
export type Request =
  | Edit
  | { op: 'now' }
  | { op: 'sheet.exists' | 'sheet.insert' | 'sheet.dataArea' | 'sheet.maxRows' | 'sheet.maxColumns'; sheet: string }
  | { op: 'sheet.getRules'; sheet: string }
  | { op: 'range.getValues'; sheet: string; area: Area }
  | { op: 'book.selection' }
  | { op: 'book.recalculate'; interval: string }
  | { op: 'ui.menu'; caption: string; items: { caption: string; run: string }[] }
  | { op: 'ui.alert' | 'ui.toast'; text: string }
  | { op: 'uuid' }
  | { op: 'flush' | 'lock.release' }
  | { op: 'lock.wait'; timeoutMs: number }
  | { op: 'property.get' | 'cache.get' | 'cache.remove'; name: string }
  | { op: 'property.set'; name: string; value: string }
  | { op: 'cache.put'; name: string; value: string; seconds: number }
  | { op: 'console'; text: string }

export interface Services {
  /** Carries out one request of one execution. Rejects where Apps Script throws. */
  serve(execution: number, request: Request): Promise<unknown>
  /** The execution is over: what it wrote is kept, and its lock is let go. */
  end(execution: number): void
  grid(name: string): Grid
  /** Each request, oldest first; the newest 20,000. */
  operations: { execution: number; op: Request['op']; sheet?: string }[]
  /** What a script must not do: write without the lock, let it go before a flush, end with it. */
  violations: string[]
  /** What the script wrote with `console`. */
  printed: string[]
  /** What it showed to a person: alerts and toasts. */
  shown: string[]
  /** Its menus: captions and the functions behind them. */
  menus: Map<string, { caption: string; run: string }[]>
  /** Script properties by name. */
  properties: ReturnType<typeof createProperties>
  /** The script's cache. */
  cache: ReturnType<typeof createCache>
  /** Cells that a person has selected. */
  select: (sheet: string, ...areas: Area[]) => void
  /** The next so many waits for the lock time out, as if another held it all the time. */
  failLock: (times: number) => void
}

export interface ServiceOptions {
  properties: Readonly<Record<string, string>>
  /** The script's clock, and the one that its wait for the lock is measured by. */
  clock: Pick<Clock, 'now' | 'after'>
  /** `ignored` grants every lock at once: shows what the lock is for. */
  lock?: 'works' | 'ignored'
  /** `ignored` keeps writes back until the execution ends: shows what a flush is for. */
  flush?: 'works' | 'ignored'
  /** Awaited before each request is carried out: lets a test choose how executions interleave. */
  before?: (request: Request) => Promise<void> | void
}

const OPERATIONS_MAX = 20_000
const LOCK_TIMEOUT = 'Lock timeout: another process was holding the lock for too long.'

/**
 * Apps Script's services, one set for all executions. Executions run in threads of their own and meet only here, so their
 * requests interleave as they do at Google. A write is seen by others once it is flushed; its own reads flush it.
 */
export function createServices(options: ServiceOptions): Services {
  const grids = new Map<string, Grid>()
  const cache = createCache(options.clock)
  const properties = createProperties(options.properties)
  const shown: string[] = []
  const menus: Services['menus'] = new Map()
  let selection: { sheet: string; areas: Area[] } | null = null
  let lockFailures = 0
  const pending = new Map<number, (() => void)[]>()
  const waiting: { execution: number; grant: () => void }[] = []
  const operations: Services['operations'] = []
  const violations: string[] = []
  const printed: string[] = []
  let holder: number | undefined

  const grid = (name: string): Grid => {
    const found = grids.get(name)
    if (!found) throw new Error(`no sheet is called ${name}`)
    return found
  }
  const commit = (execution: number) => {
    const writes = pending.get(execution) ?? []
    pending.delete(execution)
    for (const write of writes) write()
  }
  const write = (execution: number, request: Request, apply: () => void) => {
    if (holder !== execution && options.lock !== 'ignored') violations.push(`execution ${String(execution)}: ${request.op} without the lock`)
    pending.set(execution, [...(pending.get(execution) ?? []), apply])
  }
  const read = <T>(execution: number, look: () => T): T => {
    if (options.flush !== 'ignored') commit(execution)
    return look()
  }
  const release = () => {
    const next = waiting.shift()
    holder = next?.execution
    next?.grant()
  }
  const waitLock = (execution: number, timeoutMs: number) => {
    if (lockFailures > 0) {
      lockFailures -= 1
      return Promise.reject(new Error(LOCK_TIMEOUT))
    }
    if (options.lock === 'ignored' || holder === execution) return Promise.resolve()
    if (holder === undefined) {
      holder = execution
      return Promise.resolve()
    }
    return new Promise<void>((resolve, reject) => {
      const entry = {
        execution,
        grant: () => {
          cancel()
          resolve()
        }
      }
      const cancel = options.clock.after(timeoutMs, () => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(new Error(LOCK_TIMEOUT))
      })
      waiting.push(entry)
    })
  }

  function perform(execution: number, request: Request): unknown {
    if (isEdit(request)) {
      write(execution, request, () => applyEdit(grid(request.sheet), request))
      return undefined
    }
    switch (request.op) {
      case 'now':
        return options.clock.now()
      case 'sheet.exists':
        return grids.has(request.sheet)
      case 'sheet.insert':
        if (holder !== execution && options.lock !== 'ignored') violations.push(`execution ${String(execution)}: ${request.op} without the lock`)
        if (!grids.has(request.sheet)) grids.set(request.sheet, createGrid())
        return undefined
      case 'sheet.dataArea':
        return read(execution, () => grid(request.sheet).dataArea())
      case 'sheet.maxRows':
        return read(execution, () => grid(request.sheet).maxRows())
      case 'sheet.maxColumns':
        return read(execution, () => grid(request.sheet).maxColumns())
      case 'range.getValues':
        return read(execution, () => grid(request.sheet).values(request.area))
      case 'sheet.getRules':
        return read(execution, () => grid(request.sheet).rules())
      case 'book.recalculate':
        return undefined
      case 'book.selection':
        return selection
      case 'ui.menu':
        return void menus.set(request.caption, request.items)
      case 'ui.alert':
      case 'ui.toast':
        return void shown.push(request.text)
      case 'uuid':
        return randomUUID()
      case 'flush':
        if (options.flush !== 'ignored') commit(execution)
        return undefined
      case 'lock.wait':
        return waitLock(execution, request.timeoutMs)
      case 'lock.release':
        if ((pending.get(execution) ?? []).length > 0) violations.push(`execution ${String(execution)}: release before flush`)
        if (holder === execution) release()
        return undefined
      case 'property.get':
        return properties.get(request.name)
      case 'property.set':
        properties.set(request.name, request.value)
        return undefined
      case 'cache.get':
        return cache.get(request.name)
      case 'cache.put':
        cache.put(request.name, request.value, request.seconds)
        return undefined
      case 'cache.remove':
        cache.remove(request.name)
        return undefined
      case 'console':
        return void printed.push(request.text)
    }
  }

  return {
    operations,
    violations,
    printed,
    shown,
    menus,
    properties,
    cache,
    select: (sheet, ...areas) => void (selection = { sheet, areas }),
    failLock: (times) => (lockFailures += times),
    grid(name) {
      const found = grids.get(name) ?? createGrid()
      grids.set(name, found)
      return found
    },
    async serve(execution, request) {
      operations.push({ execution, op: request.op, ...('sheet' in request && { sheet: request.sheet }) })
      if (operations.length > OPERATIONS_MAX) operations.shift()
      await options.before?.(request)
      return perform(execution, request)
    },
    end(execution) {
      commit(execution)
      if (holder !== execution) return
      violations.push(`execution ${String(execution)}: ended with the lock`)
      release()
    }
  }
}
