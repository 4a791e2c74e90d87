import type { VoxError } from '../../core/errors.ts'
import { ALL_BUSY } from './api-error.ts'
import type { ApiError } from './api-error.ts'

const LATER_S = 5

/**
 * What a caller is told of a fault. 4xx: the text's own doing, nobody should try it again, no other pool in front of this one either; 429 and 503: it
 * may work later. A 500 is our bug alone: it would be held against the text.
 */
export function toldFault({ code, kind, context }: VoxError): ApiError {
  switch (code) {
    case 'TEXT_REFUSED':
      return { status: 400, code: 'input_refused', message: 'The text was refused by the voice.', param: 'input' }
    case 'TEXT_BREAKS_NODES':
      return { status: 422, code: 'input_breaks_voices', message: 'This text made more than one voice fail, so it is not tried any further.', param: 'input' }
    case 'VOICE_UNKNOWN':
      return { status: 400, code: 'voice_not_found', message: 'There is no such voice. GET /v1/audio/voices lists those that there are.', param: 'voice' }
    case 'NODE_BUSY':
      return { status: 429, code: 'busy', message: 'Every voice is busy. Try again in a moment.', retryAfterS: secondsOf(context['retryAfterMs']) }
    case 'NO_NODE':
      return { status: 503, code: 'no_node', message: 'Nothing that could speak is there right now.', retryAfterS: LATER_S }
    case 'OUT_OF_TIME':
      return { status: 503, code: 'out_of_time', message: 'It could not be said in time.', retryAfterS: LATER_S }
    case 'RESTARTING':
      return { status: 503, code: 'restarting', message: 'The service restarts.', retryAfterS: LATER_S }
    default:
      if (kind === 'node') return { status: 503, code: 'voices_failed', message: 'The voices that were asked have failed.', retryAfterS: LATER_S }
      if (kind === 'bug') return { status: 500, code: 'internal', message: 'Something went wrong here. The request id finds it in the log.' }
      return ALL_BUSY
  }
}

function secondsOf(retryAfterMs: unknown): number {
  return typeof retryAfterMs === 'number' ? Math.max(1, Math.ceil(retryAfterMs / 1_000)) : 1
}
