import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/database.ts'
import { silentLog } from '../core/log.ts'
import type { Log } from '../core/log.ts'
import { parseServers } from '../wire/registry.ts'
import type { ServerRow } from '../wire/registry.ts'
import type { RegistryList } from './client.ts'

/** The newest good list at the moment of asking. */
export interface RosterView {
  servers: readonly ServerRow[]
  /** When the list came, by this machine's clock; `undefined`: none has ever come. */
  fetchedAtMs: number | undefined
  /** Time since the list came; infinite when none has. */
  ageMs: number
  /** The registry's clock now: its stamp on the list and the time since. */
  registryNowMs: number
}

export interface Roster {
  current(): RosterView
  update(list: RegistryList): void
  /** Calls `listener` after each update; the returned function ends that. */
  subscribe(listener: (view: RosterView) => void): () => void
}

/** Milliseconds since the registry last heard from a node, by the registry's own clock; never below 0. Infinite of one that has said goodbye. */
export const seenAgeMs = ({ registryNowMs }: RosterView, { lastSeen }: ServerRow): number => (lastSeen === 0 ? Infinity : Math.max(0, registryNowMs - lastSeen))

interface Kept {
  list: Omit<RegistryList, 'badRows'>
  fetchedAtMs: number
  /** When it came, by the clock that never goes back; below 0 for a list of an earlier run. */
  fetchedMonotonicMs: number
}

/**
 * The bot's copy of the registry's list. Nothing that speaks waits for the registry: a registry that is down, slow or answers
 * HTML costs only freshness. With a database, the last good list also outlives a restart.
 */
export function createRoster({ database, clock, log = silentLog }: { database?: Database; clock: Clock; log?: Log }): Roster {
  const listeners = new Set<(view: RosterView) => void>()
  const disk = database && rosterTable(database)
  let kept = disk?.load(clock)

  function current(): RosterView {
    if (!kept) return { servers: [], fetchedAtMs: undefined, ageMs: Infinity, registryNowMs: 0 }
    const ageMs = Math.max(0, clock.monotonic() - kept.fetchedMonotonicMs)
    return { servers: kept.list.servers, fetchedAtMs: kept.fetchedAtMs, ageMs, registryNowMs: kept.list.nowMs + ageMs }
  }

  return {
    current,
    update({ servers, nowMs }) {
      kept = { list: { servers, nowMs }, fetchedAtMs: clock.now(), fetchedMonotonicMs: clock.monotonic() }
      try {
        disk?.save(kept)
      } catch (error) {
        // A full disk costs the copy for the next start, not the list.
        log.error({ err: error }, 'the list was not kept')
      }
      const view = current()
      for (const listener of listeners) listener(view)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
}

function rosterTable(database: Database) {
  database.exec(`
    CREATE TABLE IF NOT EXISTS roster
      (id INTEGER PRIMARY KEY CHECK (id = 1), fetched_at_ms INTEGER NOT NULL, registry_now_ms INTEGER NOT NULL, servers TEXT NOT NULL) STRICT
  `)
  const select = database.prepare('SELECT fetched_at_ms, registry_now_ms, servers FROM roster')
  const replace = database.prepare('INSERT OR REPLACE INTO roster (id, fetched_at_ms, registry_now_ms, servers) VALUES (1, ?, ?, ?)')
  return {
    save({ list, fetchedAtMs }: Kept): void {
      replace.run(Math.round(fetchedAtMs), list.nowMs, JSON.stringify(list.servers))
    },
    /** Checked again: it may be of another version. A clock that was set back makes the list no younger than new. */
    load(clock: Clock): Kept | undefined {
      const row = select.get()
      if (!row) return undefined
      const rows = parseRows(String(row.servers))
      const fetchedAtMs = Number(row.fetched_at_ms)
      const ageMs = Math.max(0, clock.now() - fetchedAtMs)
      const list = { servers: parseServers(rows).servers, nowMs: Number(row.registry_now_ms) }
      return { list, fetchedAtMs, fetchedMonotonicMs: clock.monotonic() - ageMs }
    }
  }
}

function parseRows(text: string): unknown[] {
  try {
    const rows: unknown = JSON.parse(text)
    return Array.isArray(rows) ? rows : []
  } catch {
    return []
  }
}
