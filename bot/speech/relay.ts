import type { OpusStream } from '../audio/ogg.ts'
import { limited, sleep } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Assignments } from '../members/assignments.ts'
import type { Presences } from '../members/presence.ts'
import type { PoolNode } from '../nodes/node.ts'
import { mayHaveVoice } from '../nodes/pick.ts'
import type { Pool } from '../nodes/pool.ts'
import type { SpeechRequest } from '../wire/node.ts'

/** All tries of one segment together: after this its author is told. */
export const SEGMENT_LIMIT_MS = 40_000

/** A text that broke this many nodes is to blame itself, and must not break the next. */
const NODES_BROKEN_MAX = 2

export interface RelayOptions {
  deviceId: string
  /** Of the segment; each try has its own, `<requestId>.<try>`, found again in the node's log. */
  requestId: string
  signal?: AbortSignal
  priority?: number
}

export type Relay = (ask: SpeechRequest, options: RelayOptions) => Promise<OpusStream>

/**
 * One segment -> one node -> audio. The member's own node first; on a node fault the next one at once, and the member stays there; on a busy
 * node another one for this time only. One deadline for all tries. Throws a `VoxError`: `TEXT_REFUSED`, `TEXT_BREAKS_NODES`, `NO_NODE`,
 * `OUT_OF_TIME`, `CANCELLED`, or the last node's fault when no other is left.
 */
export function createRelay(deps: { pool: Pool; assignments: Assignments; presences: Presences; clock: Clock; log: Log; metrics: Metrics }): Relay {
  const { pool, assignments, presences, clock, log, metrics } = deps

  function nodeFor(deviceId: string, voice: string, failed: ReadonlySet<string>, busy: ReadonlySet<string>): PoolNode | undefined {
    const own = assignments.get(deviceId)
    if (own !== undefined && !failed.has(own) && !busy.has(own)) {
      const node = pool.usable(own)
      if (node && mayHaveVoice(node, voice)) return node
    }
    return pool.pick({ exclude: new Set([...failed, ...busy]), voice, corrections: presences.corrections() })
  }

  /**
   * A member without a usable node gets this one, at the choice already: those who come at the same moment are spread, not herded. Who has a
   * usable node keeps it: one bad answer, a full queue or a voice it lacks send a segment elsewhere for once.
   */
  function assign(deviceId: string, { serverId }: PoolNode) {
    const own = assignments.get(deviceId)
    if (own === undefined || pool.usable(own) === undefined) {
      assignments.set(deviceId, serverId, clock.now())
      if (own !== undefined) log.info({ device: deviceId, from: own, to: serverId }, 'moved')
    }
    presences.touch(deviceId, assignments.get(deviceId) ?? serverId)
  }

  async function tryNodes(ask: SpeechRequest, { deviceId, requestId, priority }: RelayOptions, signal: AbortSignal): Promise<OpusStream> {
    const failed = new Set<string>()
    const busy = new Set<string>()
    let last = new VoxError('NO_NODE')
    let broken = 0
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      const node = nodeFor(deviceId, ask.voice, failed, busy)
      if (node === undefined) {
        if (busy.size === 0) throw last
        // Everybody is busy: wait as the last one asked, then begin with the own node again.
        await sleep(clock, Number(last.context['retryAfterMs'] ?? 1000), signal)
        busy.clear()
        continue
      }
      assign(deviceId, node)
      try {
        return await pool.speak(node, ask, { requestId: `${requestId}.${attempt}`, signal, ...(priority !== undefined && { priority }) })
      } catch (error) {
        last = asVoxError(error)
        if (last.kind === 'busy') busy.add(node.serverId)
        else if (last.kind !== 'node') throw last
        else {
          failed.add(node.serverId)
          metrics.failovers.inc()
          log.warn({ request: `${requestId}.${attempt}`, node: node.serverId, code: last.code }, 'to the next node')
          if (BREAKING.includes(last.code) && ++broken >= NODES_BROKEN_MAX) throw new VoxError('TEXT_BREAKS_NODES', {}, last)
        }
      }
    }
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

/** Faults that a text itself may cause in a node that is well. */
const BREAKING = ['NODE_STATUS', 'NODE_RESET', 'NODE_BAD_REPLY']
