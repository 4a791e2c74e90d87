import type { Clock } from '../../bot/core/clock.ts'
import type { Cell } from '../apps-script.ts'
import { createGrid } from './book.ts'
import type { Area, Grid } from './book.ts'

/** One thing that a script asked of a service. */
export type Request =
  | { op: 'now' }
  | { op: 'sheet.exists' | 'sheet.insert' | 'sheet.dataArea' | 'sheet.maxRows' | 'sheet.maxColumns'; sheet: string }
  | { op: 'sheet.insertRows' | 'sheet.insertColumns'; sheet: string; after: number; count: number }
  | { op: 'sheet.deleteRow' | 'sheet.freeze'; sheet: string; row: number }
  | { op: 'range.getValues' | 'range.clearContent'; sheet: string; area: Area }
  | { op: 'range.setValues'; sheet: string; area: Area; values: Cell[][] }
  | { op: 'range.setNumberFormats'; sheet: string; area: Area; formats: string[][] }
  | { op: 'flush' | 'lock.release' }
  | { op: 'lock.wait'; timeoutMs: number }
  | { op: 'property.get' | 'cache.get'; name: string }
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

/**
 * Apps Script's services, one set for all executions. Executions run in threads of their own and meet only here, so their
 * requests interleave as they do at Google. A write is seen by others once it is flushed; its own reads flush it.
 */
export function createServices(options: ServiceOptions): Services {
  const grids = new Map<string, Grid>()
  const cache = new Map<string, { value: string; untilMs: number }>()
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
        reject(new Error('Lock timeout: another process was holding the lock for too long.'))
      })
      waiting.push(entry)
    })
  }

  function perform(execution: number, request: Request): unknown {
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
      case 'sheet.insertRows':
        { write(execution, request, () => grid(request.sheet).insertRows(request.after, request.count)); return; }
      case 'sheet.insertColumns':
        { write(execution, request, () => grid(request.sheet).insertColumns(request.after, request.count)); return; }
      case 'sheet.deleteRow':
        { write(execution, request, () => grid(request.sheet).deleteRow(request.row)); return; }
      case 'sheet.freeze':
        { write(execution, request, () => grid(request.sheet).freeze(request.row)); return; }
      case 'range.clearContent':
        { write(execution, request, () => grid(request.sheet).clear(request.area)); return; }
      case 'range.setValues':
        { write(execution, request, () => grid(request.sheet).setValues(request.area, request.values)); return; }
      case 'range.setNumberFormats':
        { write(execution, request, () => grid(request.sheet).setFormats(request.area, request.formats)); return; }
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
        return Object.hasOwn(options.properties, request.name) ? options.properties[request.name] : null
      case 'cache.get': {
        const entry = cache.get(request.name)
        return entry && entry.untilMs > options.clock.now() ? entry.value : null
      }
      case 'cache.put':
        return void cache.set(request.name, { value: request.value, untilMs: options.clock.now() + request.seconds * 1000 })
      case 'console':
        return void printed.push(request.text)
    }
  }

  return {
    operations,
    violations,
    printed,
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
