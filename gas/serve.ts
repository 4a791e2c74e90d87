import { readCall } from './call.ts'
import type { Call, ReadOptions } from './call.ts'
import { answer, refusal } from './registry.ts'
import type { Event, Order, Outcome, Reply, State } from './registry.ts'

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

export interface ServeOptions extends Omit<ReadOptions, 'key'> {
  key: () => string
  /** Asked once the store is held, so that a wait for the lock makes no stamp old. */
  nowMs: () => number
  /** Gets what a fault of the store really was; the caller only learns `internal`. */
  onFault: (fault: unknown) => void
  /** Gets each call that was refused before the store was touched: strangers can make any number of them. */
  onRefusal: (event: Event) => void
}

export const NO_KEY_WARNING = 'no REGISTRY_KEY is set: whoever learns the address can change this registry'

/** One call from beginning to end. Never throws: every refusal and every fault is an envelope with a code. */
export function serve(call: Call, store: Store, options: ServeOptions): Reply {
  try {
    const key = options.key()
    const reading = readCall(call, { key, allowLoopback: options.allowLoopback })
    if (!reading.ok) {
      const { code, message, serverId } = reading
      options.onRefusal({ what: 'refused', serverId, detail: `${code}: ${message}` })
      return refusal(code, message, options.nowMs())
    }
    const { order } = reading
    const decide = (state: State) => withWarning(answer(state, order, options.nowMs()), order, key)
    return order.action === 'list' ? decide(store.read(true)).answer : store.write(order.action === 'presence', decide)
  } catch (fault) {
    if (fault instanceof StoreBusy) return refusal('busy', 'the registry is busy: try again', options.nowMs())
    options.onFault(fault)
    return refusal('internal', 'the registry has failed: its log says why', options.nowMs())
  }
}

/** A run without a key is said in every answer, and in the log with each registration. */
function withWarning({ answer: reply, changes }: Outcome, order: Order, key: string): Outcome {
  if (key !== '' || !reply.ok) return { answer: reply, changes }
  const log: readonly Event[] = order.action === 'register' ? [...changes.log, { what: 'warning', serverId: '', detail: NO_KEY_WARNING }] : changes.log
  return { answer: { ...reply, warning: NO_KEY_WARNING }, changes: { ...changes, log } }
}
