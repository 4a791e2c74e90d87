import type { OpusStream } from '../audio/ogg.ts'
import { limited, sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import { expectedMs, hedgeAfterMs } from '../nodes/latency.ts'
import type { PoolNode } from '../nodes/node.ts'
import type { Pool } from '../nodes/pool.ts'
import type { SpeechRequest } from '../wire/node.ts'
import type { Choose } from './choose.ts'
import { createHedgeBudget, hedged } from './hedge.ts'
import type { Attempt } from './hedge.ts'

/** All tries of one segment together: after this its author is told. */
const SEGMENT_LIMIT_MS = 40_000

/** When there is nobody to ask, for this long on end, its author is told: nodes come back, and a member waits that long. */
const GIVE_UP_AFTER_MS = 10_000
const PAUSE_MS = 500
const FAULTS_MAX = 24

/** A text that broke this many nodes may be to blame itself: no further node is put at risk. */
const BROKEN_MAX = 2

/** Two failed syntheses are the text's doing. Two broken connections may be two nodes that died: they, and no others, are tried again. */
const FAILED_SYNTHESES_MAX = 2
const RESETS_MAX = 4

export interface RelayOptions {
  deviceId: string
  /** Of the segment; each try has its own, `<requestId>.<try>`, found again in the node's log. */
  requestId: string
  signal?: AbortSignal
  /** See the pool's: lower is sooner, read when a slot gets free. */
  priority?: () => number
  /** A try goes out, after it has waited at its node for so long. */
  onQueued?: (queueMs: number) => void
}

export type Relay = (ask: SpeechRequest, options: RelayOptions) => Promise<OpusStream>

/** What one segment has met so far. */
interface Tries {
  failed: Set<string>
  broken: Set<string>
  failedSyntheses: number
  resets: number
}

/**
 * One segment -> one node -> audio. The member's own node first; on a node fault another at once; from a busy or full node elsewhere for this
 * time; a silent one is hedged. One deadline and one budget for all tries. Throws a `VoxError`: `TEXT_REFUSED`, `TEXT_BREAKS_NODES`, `VOICE_UNKNOWN`, `NO_NODE`,
 * `OUT_OF_TIME`, `CANCELLED`, or the last node's fault when none could do it.
 */
export function createRelay(deps: { pool: Pool; choose: Choose; clock: Clock; log: Log; metrics: Metrics }): Relay {
  const { pool, choose, clock, log, metrics } = deps
  const budget = createHedgeBudget()
  const resets = createResets(clock)

  /** One try at one node; a fault is remembered for the tries that follow. */
  function attemptAt(node: PoolNode, ask: SpeechRequest, requestId: string, { priority, onQueued }: RelayOptions, tries: Tries): Attempt<OpusStream> {
    return async (signal, onStart) => {
      try {
        const told = (queueMs: number) => {
          onQueued?.(queueMs)
          onStart()
        }
        return await pool.speak(node, ask, { requestId, signal, onStart: told, ...(priority && { priority }) })
      } catch (thrown) {
        const error = asVoxError(thrown)
        if (error.kind === 'node' || error.code === 'VOICE_NOT_HERE') tries.failed.add(node.serverId)
        if (error.kind === 'node') {
          log.warn({ request: requestId, node: node.serverId, code: error.code }, 'node fault')
          if (isFailedSynthesis(error)) tries.failedSyntheses += 1
          const isReset = error.code === 'NODE_RESET' && !resets.metByOthers(ask.input)
          if (isReset) tries.resets += 1
          if (isReset || isFailedSynthesis(error)) tries.broken.add(node.serverId)
        }
        throw error
      }
    }
  }

  function askNode(node: PoolNode, ask: SpeechRequest, options: RelayOptions, attempt: number, tries: Tries, signal: AbortSignal) {
    budget.earn()
    return hedged({
      clock,
      signal,
      afterMs: hedgeAfterMs(expectedMs(node.latency, ask.input.length), node.inFlight / node.concurrency),
      first: attemptAt(node, ask, `${options.requestId}.${attempt}`, options, tries),
      second() {
        const other = choose.other(ask, new Set([...tries.failed, node.serverId]))
        if (other === undefined || tries.broken.size > 0 || !budget.spend()) return undefined
        metrics.hedges.inc()
        return attemptAt(other, ask, `${options.requestId}.${attempt}h`, options, tries)
      }
    })
  }

  async function tryNodes(ask: SpeechRequest, options: RelayOptions, signal: AbortSignal): Promise<OpusStream> {
    const tries: Tries = { failed: new Set(), broken: new Set(), failedSyntheses: 0, resets: 0 }
    let last = new VoxError('NO_NODE')
    let giveUpMs = Infinity
    let failedAt: PoolNode | undefined
    let faults = 0
    for (let attempt = 1; faults < FAULTS_MAX; ) {
      signal.throwIfAborted()
      const node = choose.next(ask, options.deviceId, tries.broken.size < BROKEN_MAX ? { exclude: tries.failed } : { exclude: tries.failed, only: tries.broken })
      if (node !== undefined) {
        if (failedAt !== undefined && failedAt !== node) metrics.failovers.inc()
        try {
          return await askNode(node, ask, options, attempt++, tries, signal)
        } catch (error) {
          last = asVoxError(error)
          if (last.kind !== 'node' && last.kind !== 'busy') throw last
          if (tries.failedSyntheses >= FAILED_SYNTHESES_MAX || tries.resets >= RESETS_MAX) throw new VoxError('TEXT_BREAKS_NODES', {}, last)
          failedAt = last.kind === 'node' ? node : undefined
          if (last.kind === 'node') faults += 1
          giveUpMs = Infinity
        }
        continue
      }
      if (!choose.isAnyLeft(ask.voice)) throw new VoxError(choose.isAnyLeft() ? 'VOICE_UNKNOWN' : 'NO_NODE')
      if (last.code === 'VOICE_NOT_HERE') throw new VoxError('VOICE_UNKNOWN', {}, last)
      const busyMs = choose.busyForMs()
      if (busyMs === undefined) giveUpMs = Math.min(giveUpMs, clock.monotonic() + GIVE_UP_AFTER_MS)
      if (clock.monotonic() >= giveUpMs) break
      await sleep(clock, busyMs ?? PAUSE_MS, signal)
      tries.failed.clear()
    }
    throw last
  }

  return async (ask, options) => {
    const { signal, release } = limited(clock, SEGMENT_LIMIT_MS, () => new VoxError('OUT_OF_TIME', { limitMs: SEGMENT_LIMIT_MS }), options.signal)
    try {
      return await tryNodes(ask, options, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      throw signal.reason instanceof VoxError ? signal.reason : new VoxError('CANCELLED', {}, error)
    } finally {
      release()
    }
  }
}

/** 500 is a synthesis that failed; a node that is not ready, or a tunnel without one, has not been broken by a text. */
function isFailedSynthesis({ code, context }: VoxError): boolean {
  return code === 'NODE_STATUS' && context['status'] === 500
}

/** Connections break for other reasons too. While other texts meet it as well, no text is blamed for it. */
function createResets(clock: Clock) {
  const met = new Map<string, number>()
  return {
    metByOthers(input: string): boolean {
      const nowMs = clock.monotonic()
      for (const [text, atMs] of met) if (nowMs - atMs > RESETS_KEPT_MS) met.delete(text)
      const others = met.size > (met.has(input) ? 1 : 0)
      met.set(input, nowMs)
      return others
    }
  }
}

const RESETS_KEPT_MS = 60_000
