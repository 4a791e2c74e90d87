import { answer, readCall, refusal } from './registry.ts'
import type { Call, Outcome, Reply, State } from './registry.ts'

/** Where the state is kept. `withDevices` is false for actions that look at the nodes alone. */
export interface Store {
  read(withDevices: boolean): State
  /**
   * Reads, decides and keeps what changes, as one step that no other write comes between.
   * @throws StoreBusy when its turn does not come in time
   */
  write(withDevices: boolean, decide: (state: State) => Outcome): Reply
}

/** The store is in use and did not get free in time. */
export class StoreBusy extends Error {}

/**
 * One call from beginning to end. Never throws: every refusal and every fault is an envelope with a code.
 * @param options.nowMs is asked once the store is held, so that a wait for the lock makes no stamp old
 * @param options.onFault gets what a fault of the store really was; the caller only learns `internal`
 */
export function serve(call: Call, store: Store, options: { key: () => string; nowMs: () => number; onFault: (fault: unknown) => void }): Reply {
  try {
    const reading = readCall(call, options.key())
    if (!reading.ok) return refusal(reading.code, reading.message, options.nowMs())
    const { order } = reading
    const decide = (state: State) => answer(state, order, options.nowMs())
    return order.action === 'list' ? decide(store.read(true)).answer : store.write(order.action === 'presence', decide)
  } catch (fault) {
    if (fault instanceof StoreBusy) return refusal('busy', 'the registry is busy: try again', options.nowMs())
    options.onFault(fault)
    return refusal('internal', 'the registry has failed: its log says why', options.nowMs())
  }
}
