import { VoxError } from '../core/errors.ts'
import type { ConnectionState } from './connection-state.ts'

/** Those who wait for a connection. */
export interface Readiness {
  changed(state: ConnectionState): void
  /** Resolves when packets can be sent. Throws `VOICE_CONNECTION` with the `reason` and the `channelId` when it is over, and the signal's reason. */
  until(signal?: AbortSignal): Promise<void>
}

export function createReadiness(channelIdOf: () => string): Readiness {
  const looks = new Set<() => void>()
  let state: ConnectionState | undefined
  return {
    changed(next) {
      state = next
      for (const look of [...looks]) look()
    },
    until: (signal) =>
      new Promise((resolve, reject) => {
        const finish = (settle: () => void) => {
          looks.delete(look)
          signal?.removeEventListener('abort', look)
          settle()
        }
        const look = () => {
          if (signal?.aborted) finish(() => reject(signal.reason instanceof Error ? signal.reason : new VoxError('CANCELLED')))
          else if (state?.status === 'ready') finish(resolve)
          else if (state?.status === 'over') {
            const { reason } = state
            finish(() => reject(new VoxError('VOICE_CONNECTION', { reason, channelId: channelIdOf() })))
          }
        }
        looks.add(look)
        signal?.addEventListener('abort', look, { once: true })
        look()
      })
  }
}
