import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Assignments } from '../members/assignments.ts'
import type { Presences } from '../members/presence.ts'
import type { PoolNode } from '../nodes/node.ts'
import { hasFreeSlot } from '../nodes/pick-now.ts'
import { mayHaveVoice } from '../nodes/pick.ts'
import type { Pool } from '../nodes/pool.ts'
import { ANY_VOICE } from '../wire/node.ts'
import type { SpeechRequest } from '../wire/node.ts'

/** Nodes that failed this segment, and the only ones it may still put at risk. */
export interface Bounds {
  exclude: ReadonlySet<string>
  only?: ReadonlySet<string>
}

export interface Choose {
  /** The node for the next try of a member's segment; undefined when none may be asked now. */
  next(ask: SpeechRequest, deviceId: string, bounds: Bounds): PoolNode | undefined
  /** A node with a free slot beside those, for a hedge. */
  other(ask: SpeechRequest, exclude: ReadonlySet<string>): PoolNode | undefined
  /** Whether there is any node that could do it, now or when it is back. */
  isAnyLeft(voice?: string): boolean
  /** The member's own node, given now where there is none that may be asked; undefined when there is none at all. */
  own(deviceId: string): PoolNode | undefined
  /** Time until the first of the busy nodes may be asked again; undefined when none is only busy. */
  busyForMs(): number | undefined
}

/**
 * Which node a segment goes to. A member without a usable node is given the least-loaded one at the choice already, so that those who come at
 * the same moment are spread. Who has a usable node keeps it: a failed try, a full queue or a voice it lacks send a segment elsewhere for once.
 */
export function createChoose(deps: { pool: Pool; assignments: Pick<Assignments, 'get' | 'set'>; presences: Presences; clock: Clock; log: Log }): Choose {
  const { pool, assignments, presences, clock, log } = deps

  function ownNode(deviceId: string, voice: string, exclude: ReadonlySet<string>): PoolNode | undefined {
    const before = assignments.get(deviceId)
    const own = before === undefined ? undefined : pool.usable(before)
    if (own !== undefined) {
      assignments.set(deviceId, own.serverId, clock.now())
      return own
    }
    const others = pool.nodes().reduce((sum, { activeCount = 0 }) => sum + activeCount, 0) > presences.toldCount()
    const node = pool.pick({ exclude, voice, corrections: presences.corrections(), shared: others })
    if (node === undefined) return undefined
    assignments.set(deviceId, node.serverId, clock.now())
    if (before !== undefined) log.info({ device: deviceId, from: before, to: node.serverId }, 'moved')
    return node
  }

  return {
    next(ask, deviceId, { exclude, only }) {
      const { voice, input } = ask
      const own = ownNode(deviceId, voice, exclude)
      if (own !== undefined) presences.touch(deviceId, own.serverId)
      const may = (node: PoolNode) => !exclude.has(node.serverId) && only?.has(node.serverId) !== false
      const isOwnGood = own !== undefined && may(own) && own.busyUntilMs <= clock.monotonic() && mayHaveVoice(own, voice)
      if (isOwnGood && hasFreeSlot(own)) return own
      const barred = only === undefined ? exclude : new Set(pool.nodes().flatMap((node) => (may(node) ? [] : [node.serverId])))
      const elsewhere = pool.pickNow({ exclude: barred, voice, chars: input.length, freeOnly: isOwnGood })
      return elsewhere ?? (isOwnGood ? own : pool.leastBad(barred, voice))
    },
    other: ({ voice, input }, exclude) => pool.pickNow({ exclude, voice, chars: input.length, freeOnly: true }),
    isAnyLeft: (voice = ANY_VOICE) => pool.nodes().some((node) => node.health.state !== 'gone' && !node.draining && mayHaveVoice(node, voice)),
    own: (deviceId) => ownNode(deviceId, ANY_VOICE, new Set()),
    busyForMs() {
      const nowMs = clock.monotonic()
      const waits = pool.nodes().flatMap(({ serverId, busyUntilMs }) => (busyUntilMs > nowMs && pool.usable(serverId) ? [busyUntilMs - nowMs] : []))
      return waits.length === 0 ? undefined : Math.max(50, Math.min(...waits))
    }
  }
}
