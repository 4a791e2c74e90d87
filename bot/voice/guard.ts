import type { EventEmitter } from 'node:events'
import type { Networking } from '@discordjs/voice'

/**
 * The library throws out of its listeners on some of what arrives: a message of the encryption that it can't read, a datagram of 9 to 11 bytes from
 * anywhere. Thrown there, it ends the process, and all servers fall silent. Here it ends with the message.
 * @param onBroken what Discord's own socket brought could not be read; datagrams may be anybody's, and are nothing to worry about
 */
export function guardNetwork(networking: Networking, onBroken: (error: unknown) => void): void {
  const guarded = new WeakSet<EventEmitter>()
  const guard = (emitter: EventEmitter, onError: (error: unknown) => void) => {
    if (guarded.has(emitter)) return
    guarded.add(emitter)
    const emit = emitter.emit.bind(emitter)
    emitter.emit = (...event: Parameters<EventEmitter['emit']>) => {
      try {
        return emit(...event)
      } catch (error) {
        onError(error)
        return false
      }
    }
  }
  const look = () => {
    const { state } = networking
    if ('ws' in state) guard(state.ws, onBroken)
    if ('udp' in state) guard(state.udp, () => undefined)
  }
  networking.on('stateChange', look)
  look()
}
