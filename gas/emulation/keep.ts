import type { Clock } from '../../bot/core/clock.ts'

const KEY_MAX_CHARS = 250
const VALUE_MAX_BYTES = 100 * 1024
const ITEMS_MAX = 1_000
const PROPERTY_MAX_BYTES = 9 * 1024

/** The script's cache, with Google's limits: an item may go at any time, and goes for sure when there are too many. */
export function createCache(clock: Pick<Clock, 'now'>) {
  const items = new Map<string, { value: string; untilMs: number }>()
  return {
    get(name: string): string | null {
      const item = items.get(name)
      return item && item.untilMs > clock.now() ? item.value : null
    },
    put(name: string, value: string, seconds: number): void {
      if (name.length > KEY_MAX_CHARS) throw new Error('Argument too large: key')
      if (Buffer.byteLength(value) > VALUE_MAX_BYTES) throw new Error('Argument too large: value')
      items.delete(name)
      items.set(name, { value, untilMs: clock.now() + seconds * 1000 })
      if (items.size > ITEMS_MAX) items.delete(items.keys().next().value ?? '')
    },
    remove: (name: string): void => void items.delete(name)
  }
}

/** The script's properties. */
export function createProperties(initial: Readonly<Record<string, string>>) {
  const values = new Map(Object.entries(initial))
  return {
    get: (name: string): string | null => values.get(name) ?? null,
    set(name: string, value: string): void {
      if (Buffer.byteLength(name) + Buffer.byteLength(value) > PROPERTY_MAX_BYTES) throw new Error('Argument too large: value')
      values.set(name, value)
    }
  }
}
