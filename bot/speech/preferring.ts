import { childAbort } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import { VoxError, asVoxError } from '../core/errors.ts'
import { mayHaveVoice } from '../nodes/pick.ts'
import type { Pool } from '../nodes/pool.ts'
import { ANY_VOICE } from '../wire/node.ts'
import type { Relay } from './relay.ts'

/** How often a request that waits looks whether its voice is still there. */
const LOOK_MS = 250

/**
 * A relay for a voice that its member chose some day, and does not ask for now: while every node that has it is out of reach and others are not,
 * the voice that fits the text speaks, so that the member is heard. `onMissing` hears of it each time.
 */
export function preferringRelay(deps: { relay: Relay; pool: Pick<Pool, 'nodes' | 'usable'>; clock: Clock }, onMissing: (voice: string) => void): Relay {
  const { relay, pool, clock } = deps
  return async (ask, options) => {
    const { voice } = ask
    if (voice === ANY_VOICE) return relay(ask, options)
    const fallBack = () => {
      onMissing(voice)
      return relay({ ...ask, voice: ANY_VOICE }, options)
    }
    if (isMissing(voice, pool)) return fallBack()

    const { controller, release } = childAbort(options.signal)
    const look = () => {
      if (isMissing(voice, pool)) controller.abort(new VoxError('VOICE_UNKNOWN'))
      else cancel = clock.after(LOOK_MS, look)
    }
    let cancel = clock.after(LOOK_MS, look)
    try {
      return await relay(ask, { ...options, signal: controller.signal })
    } catch (error) {
      if (options.signal?.aborted || (asVoxError(error).code !== 'VOICE_UNKNOWN' && !isMissing(voice, pool))) throw error
    } finally {
      cancel()
      release()
    }
    return fallBack()
  }
}

/** Whether nobody could speak with it now, and somebody could without. A node that is on trial after a rest may have it yet. */
export function isMissing(voice: string, { nodes, usable }: Pick<Pool, 'nodes' | 'usable'>): boolean {
  if (voice === ANY_VOICE) return false
  const all = nodes()
  const isUp = ({ health }: (typeof all)[number]) => health.state !== 'gone' && (health.state !== 'resting' || health.answered)
  return !all.some((node) => isUp(node) && mayHaveVoice(node, voice)) && all.some(({ serverId }) => usable(serverId) !== undefined)
}
