import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { Watch } from './watch.ts'
import type { Watched } from './watch.ts'

/** What a request waits for at the moment. */
export interface Waiting extends Watched {
  /** The caller has gone. */
  onLeave(): void
}

/**
 * One request of a caller until it is answered: the time that it has, and whether the caller is still there.
 *
 * What lives as long as a request is made by classes here. Objects written out where they are made (`{ ... }`) do the same, but V8 learns from a busy start
 * that they live long, and makes them old from then on; all that they hold outlives its request then, and half of the time goes into clearing it away.
 */
export class Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly requestId: string
  hasLeft: boolean
  readonly #watch: Watch
  #waiting: Waiting | undefined

  /** Of the connection, not of the answer: where its end is seen first, also while the answer waits behind another on the same connection. */
  readonly #onClose = () => {
    this.hasLeft = true
    this.#waiting?.onLeave()
  }

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, requestId: string, clock: Clock, totalMs: number) {
    this.incoming = incoming
    this.outgoing = outgoing
    this.requestId = requestId
    this.hasLeft = incoming.socket.destroyed
    this.#watch = new Watch(clock, totalMs)
    incoming.socket.once('close', this.#onClose)
  }

  /** From now on this hears that the caller has gone, or that nothing moved for so long. A caller that has gone before is told of at once. */
  await(limitMs: number, waiting: Waiting): void {
    this.#waiting = waiting
    this.#watch.within(limitMs, waiting)
    if (this.hasLeft) waiting.onLeave()
  }

  heard(): void {
    this.#watch.heard()
  }

  /** Nothing is waited for. */
  settle(): void {
    this.#waiting = undefined
  }

  release(): void {
    this.#waiting = undefined
    this.#watch.release()
    this.incoming.socket.off('close', this.#onClose)
  }
}
