import type { Clock } from '../../core/clock.ts'
import type { EventKind, EventView } from './snapshot.ts'

const KEPT = 100

export interface EventLog {
  add(event: { kind: EventKind; node?: { label: string; color: string }; code?: string }): void
  /** The newest first. */
  list(): readonly EventView[]
}

/** What happened in this run of the bot, as everybody may know it. */
export function createEventLog(clock: Pick<Clock, 'now'>): EventLog {
  let events: EventView[] = []
  let nextId = 1
  return {
    add(event) {
      events = [{ id: nextId++, at: clock.now(), ...event }, ...events].slice(0, KEPT)
    },
    list: () => events
  }
}
