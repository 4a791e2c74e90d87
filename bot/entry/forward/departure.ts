import type { Socket } from 'node:net'

/** Whether the caller is still there. */
export interface Departure {
  readonly hasLeft: boolean
  /** Called at once when the caller leaves; one listens at a time. */
  onLeave: (() => void) | undefined
  release(): void
}

/** Of the connection, not of the answer: one that waits behind another on the same connection would not hear of it. */
export function watchDeparture(socket: Pick<Socket, 'destroyed' | 'once' | 'off'>): Departure {
  const departure = { hasLeft: socket.destroyed, onLeave: undefined as (() => void) | undefined, release: () => void socket.off('close', onClose) }
  function onClose() {
    departure.hasLeft = true
    departure.onLeave?.()
  }
  socket.once('close', onClose)
  return departure
}
