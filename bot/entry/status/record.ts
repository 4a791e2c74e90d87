import type { Clock } from '../../core/clock.ts'
import { asVoxError } from '../../core/errors.ts'
import type { NodeClient } from '../../nodes/client.ts'
import type { Measures } from '../measure.ts'
import { isUpstreamsFault } from '../services/refusals.ts'
import type { History } from './history.ts'

/** The client as the pool uses it: what comes of each segment goes into the history. */
export function recordSegments(client: NodeClient, history: Pick<History, 'ended'>, clock: Pick<Clock, 'monotonic'>): NodeClient {
  return {
    ...client,
    async speak(...asked) {
      const startedMs = clock.monotonic()
      try {
        const audio = await client.speak(...asked)
        history.ended({ tookMs: clock.monotonic() - startedMs })
        return audio
      } catch (thrown) {
        history.ended({ isNodesFault: asVoxError(thrown).kind === 'node' })
        throw thrown
      }
    }
  }
}

/** The measures as services use them: what comes of each request goes into the history as well. */
export function recordServices(measures: Measures, history: Pick<History, 'ended'>): Measures {
  return {
    ...measures,
    ask(upstream) {
      const ended = measures.ask(upstream)
      return (asked) => {
        ended(asked)
        const { failure, upstreamMs } = asked
        history.ended(failure === undefined && upstreamMs !== undefined ? { tookMs: upstreamMs } : { isNodesFault: failure !== undefined && isUpstreamsFault(failure) })
      }
    }
  }
}
