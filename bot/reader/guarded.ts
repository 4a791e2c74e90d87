import { asVoxError } from '../core/errors.ts'
import type { App } from '../discord/app.ts'

/** The reader's boundary: work that nobody waits for, an event or a timer. What it throws is counted and logged, and ends it alone. */
export function guarded<Args extends unknown[]>({ log, metrics }: Pick<App, 'log' | 'metrics'>, what: string, work: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    try {
      work(...args)
    } catch (error) {
      const { code } = asVoxError(error)
      metrics.faults.inc({ code })
      log.error({ err: error, code, what }, 'a fault in the reader')
    }
  }
}
