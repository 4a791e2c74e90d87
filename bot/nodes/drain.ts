import { sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { isOtherLeft } from './node.ts'
import type { Pool } from './pool.ts'

/**
 * How an emptying ended. `disabled`: nothing was left, and the registry has it switched off. `cutShort`: the same, but what was still there after
 * the limit was sent elsewhere. `ended`: it was enabled meanwhile. `kept`: no other node could be asked any more, so it is used again.
 * `left`: it left the pool by itself. `unwritten`: nothing is left and nothing new begins there, but the registry would not take it.
 */
export type DrainEnd = 'disabled' | 'cutShort' | 'ended' | 'kept' | 'left' | 'unwritten'

export interface Drain {
  serverId: string
  /** Members who were given another node at once. */
  moved: number
  /** Requests that are under way or wait there. */
  left: () => number
  /** Never rejects. */
  ended: Promise<DrainEnd>
}

export type DrainStart = { ok: true; drain: Drain } | { ok: false; reason: 'unknown' | 'disabled' | 'last' }

export interface Drains {
  /**
   * Empties a node, or gives the emptying that is under way.
   * @param options.force also when no other node could be asked: its members then wait until there is one
   */
  start(serverId: string, options?: { force?: boolean }): DrainStart
  /** The node is used again, at once; resolves when what was being written of it is written. */
  end(serverId: string): Promise<void>
  /** Ends all waits; nothing is written. */
  close(): void
}

/** All tries of a segment together take 40 s at most: after this nothing that began before is left. */
const LIMIT_MS = 60_000
const LOOK_MS = 200

/** The registry is asked this often. */
const WRITES_MAX = 3
const WRITE_PAUSE_MS = 5_000

/**
 * Empties nodes without a gap: nothing new begins there, its members are given others by the usual choice, what is under way or waits there is
 * spoken, and then the node is disabled in the registry, so that a restart does not bring it back.
 */
export function createDrains(deps: {
  pool: Pool
  clock: Clock
  log: Log
  /** Gives all members of a node others; how many were there. */
  moveMembers: (serverId: string) => number
  /** Disables a node in the registry and takes the list that says so. */
  disable: (serverId: string) => Promise<void>
}): Drains {
  const { pool, clock, log, moveMembers, disable } = deps
  const underWay = new Map<string, { drain: Drain; abort: AbortController }>()
  const find = (serverId: string) => pool.nodes().find((node) => node.serverId === serverId)

  async function write(serverId: string, signal: AbortSignal): Promise<'disabled' | 'unwritten' | 'ended'> {
    for (let attempt = 1; ; attempt++) {
      try {
        await disable(serverId)
        return signal.aborted ? 'ended' : 'disabled'
      } catch (thrown) {
        const { code, context } = asVoxError(thrown)
        log.warn({ node: serverId, code, context, attempt }, 'the registry did not take that a node is empty')
      }
      if (signal.aborted) return 'ended'
      if (attempt === WRITES_MAX) return 'unwritten'
      await sleep(clock, WRITE_PAUSE_MS, signal)
    }
  }

  async function empty(serverId: string, force: boolean, signal: AbortSignal): Promise<DrainEnd> {
    const deadlineMs = clock.monotonic() + LIMIT_MS
    for (;;) {
      const node = find(serverId)
      if (signal.aborted) return 'ended'
      if (node === undefined) return 'left'
      if (!node.enabled) return 'disabled'
      if (!force && !isOtherLeft(pool.nodes(), serverId)) return 'kept'
      const isEmpty = node.inFlight === 0
      if (isEmpty || clock.monotonic() >= deadlineMs) {
        const end = await write(serverId, signal)
        return end === 'disabled' && !isEmpty ? 'cutShort' : end
      }
      await sleep(clock, LOOK_MS, signal)
    }
  }

  return {
    start(serverId, { force = false } = {}) {
      const running = underWay.get(serverId)
      if (running !== undefined) return { ok: true, drain: running.drain }
      const node = find(serverId)
      if (node === undefined) return { ok: false, reason: 'unknown' }
      if (!node.enabled) return { ok: false, reason: 'disabled' }
      if (!force && !isOtherLeft(pool.nodes(), serverId)) return { ok: false, reason: 'last' }
      pool.setDraining(serverId, true)
      const moved = moveMembers(serverId)
      log.info({ node: serverId, moved, left: node.inFlight }, 'a node is being emptied')
      const abort = new AbortController()
      const ended = empty(serverId, force, abort.signal).then((end) => {
        underWay.delete(serverId)
        // Where the list does not say yet that it is disabled, nothing may begin there before it does.
        if (end === 'kept' || end === 'left') pool.setDraining(serverId, false)
        log.info({ node: serverId, end }, 'the emptying of a node has ended')
        return end
      })
      const drain: Drain = { serverId, moved, left: () => find(serverId)?.inFlight ?? 0, ended }
      underWay.set(serverId, { drain, abort })
      return { ok: true, drain }
    },
    async end(serverId) {
      const running = underWay.get(serverId)
      running?.abort.abort()
      pool.setDraining(serverId, false)
      await running?.drain.ended
    },
    close() {
      for (const { abort } of underWay.values()) abort.abort()
    }
  }
}
