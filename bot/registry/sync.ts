import type { Clock } from '../core/clock.ts'
import { asVoxError } from '../core/errors.ts'
import type { FaultCode, VoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import type { Presence } from '../wire/registry.ts'
import type { Registry } from './client.ts'
import type { Roster } from './roster.ts'

export interface SyncOptions {
  registry: Registry
  roster: Roster
  /** Who uses which node now: asked at each call. */
  devices: () => readonly Presence[]
  clock: Clock
  log: Log
  metrics: Pick<Metrics, 'registryCalls' | 'registryBadRows'>
  intervalMs?: number
  /** 0 to 1, for the jitter of the back-off. */
  random?: () => number
}

interface SyncState {
  /** By this machine's clock; `undefined`: never. */
  lastOkAtMs: number | undefined
  /** Failed calls since the last good one. */
  failures: number
  lastError: FaultCode | undefined
}

export interface Sync {
  /** Asks as soon as the call under way is over; resolves when the answer, or its failure, is in. Never rejects. */
  now: () => Promise<void>
  /** Ends the loop and cancels the call under way. */
  stop: () => void
  state: () => SyncState
}

const INTERVAL_MS = 15_000
const BACK_OFF_MAX_MS = 120_000
/** Between two calls, when one takes longer than the interval. */
const PAUSE_MIN_MS = 1_000

/**
 * One call per interval tells all members' presence and brings the list back. A failure costs freshness alone: the roster keeps
 * its last good list, and the next call waits longer, at a time drawn at random, so that many bots do not come back at once.
 */
export function startSync(options: SyncOptions): Sync {
  const { registry, roster, clock, log, metrics, intervalMs = INTERVAL_MS, random = Math.random } = options
  const stopping = new AbortController()
  const state: SyncState = { lastOkAtMs: undefined, failures: 0, lastError: undefined }
  let cancelTimer = () => {}
  let underWay: Promise<void> | undefined
  let following: Promise<void> | undefined

  async function call(): Promise<void> {
    const startedMs = clock.monotonic()
    cancelTimer()
    try {
      const list = await registry.sync(options.devices(), stopping.signal)
      metrics.registryCalls.inc({ result: 'ok' })
      metrics.registryBadRows.inc(list.badRows)
      if (state.failures > 0) log.info({ failures: state.failures }, 'the registry answers again')
      Object.assign(state, { lastOkAtMs: clock.now(), failures: 0, lastError: undefined })
      roster.update(list)
    } catch (thrown) {
      if (!stopping.signal.aborted) fail(asVoxError(thrown))
    }
    if (stopping.signal.aborted) return
    cancelTimer = clock.after(Math.max(PAUSE_MIN_MS, pauseMs() - (clock.monotonic() - startedMs)), () => void ask())
  }

  function fail(error: VoxError): void {
    metrics.registryCalls.inc({ result: error.code })
    state.failures += 1
    state.lastError = error.code
    const line = { code: error.code, context: error.context, failures: state.failures }
    if (error.kind === 'bug') log.error({ err: error }, 'the registry loop failed')
    else if (state.failures === 1) log.warn(line, 'the registry failed: the last good list serves')
    else log.debug(line, 'the registry still fails')
  }

  /** Half of the back-off is certain, half is drawn. */
  function pauseMs(): number {
    if (state.failures === 0) return intervalMs
    const backOffMs = Math.min(BACK_OFF_MAX_MS, intervalMs * 2 ** Math.min(state.failures - 1, 10))
    return backOffMs / 2 + (backOffMs / 2) * random()
  }

  /** At most one call under way and one that follows it, however often it is asked. */
  function ask(): Promise<void> {
    if (stopping.signal.aborted) return Promise.resolve()
    if (underWay) {
      following ??= underWay.then(() => {
        following = undefined
        return ask()
      })
      return following
    }
    underWay = call().finally(() => (underWay = undefined))
    return underWay
  }

  void ask()
  return {
    now: ask,
    stop() {
      stopping.abort()
      cancelTimer()
    },
    state: () => ({ ...state })
  }
}
