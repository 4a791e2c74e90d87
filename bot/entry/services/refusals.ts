import type { EntryErrorCode } from '../errors.ts'
import type { ForwardFailure } from '../forward/forward.ts'

const FAILED = 'What stands behind this path failed. Try again in a moment.'
const LATE = 'What stands behind this path did not answer in time. Try again in a moment.'
const FULL = 'All places here are taken. Try again in a moment.'

/** What a caller is told when a request could not be forwarded: never where to. */
export const REFUSALS: Readonly<Record<ForwardFailure, { code: EntryErrorCode; message: string }>> = {
  connect: { code: 'upstream_failed', message: FAILED },
  reset: { code: 'upstream_failed', message: FAILED },
  status: { code: 'upstream_failed', message: FAILED },
  connectTimeout: { code: 'upstream_timeout', message: LATE },
  timeout: { code: 'upstream_timeout', message: LATE },
  slow: { code: 'request_timeout', message: 'The body stopped coming.' },
  tooLarge: { code: 'too_large', message: 'The body is larger than this path takes.' },
  full: { code: 'busy', message: FULL },
  late: { code: 'busy', message: FULL },
  none: { code: 'unavailable', message: 'Nothing that could answer is there right now. Try again in a moment.' },
  gone: { code: 'unavailable', message: 'The caller has gone.' }
}

/** What counts against the upstream, so that others are asked first for a while. */
export const UPSTREAMS_FAULT: ReadonlySet<ForwardFailure> = new Set(['connect', 'connectTimeout', 'reset', 'timeout', 'status'])
