import { Socket } from 'node:net'
import { Client, buildConnector } from 'undici'
import type { Dispatcher } from 'undici'

/** One connection to an upstream: one request at a time, kept open between them. */
export interface Connection {
  dispatch(options: Omit<Dispatcher.DispatchOptions, 'origin'>, handler: Dispatcher.DispatchHandler): void
  /** The connection that it has, or had last, ended in an error. */
  hasBroken(): boolean
  /** Ends an attempt to connect at once; its handler hears of it. */
  abandon(): void
  /** Takes nothing new, ends when what is under way has ended. */
  close(): Promise<void>
  destroy(): Promise<void>
}

/**
 * Makes connections to an origin, without any limit of time: those are the caller's, by the clock.
 * HTTP/1.1 alone, since a place is a connection.
 */
export function connectionsTo(origin: string): () => Connection {
  const connect = buildConnector({ allowH2: false, timeout: 0 })
  return () => {
    let connecting: unknown
    let hasBroken = false
    const client = new Client(origin, {
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect(options, done) {
        // Typed as if it gave nothing back.
        const begin: (...given: Parameters<typeof connect>) => unknown = connect
        connecting = begin(options, (...result) => {
          connecting = undefined
          hasBroken = false
          // Before undici hears of it, which takes a reset for a good end.
          result[1]?.prependOnceListener('error', () => (hasBroken = true))
          done(...result)
        })
      }
    })
    return {
      dispatch(options, handler) {
        client.dispatch(options, handler)
      },
      hasBroken: () => hasBroken,
      abandon() {
        if (connecting instanceof Socket) connecting.destroy(new Error('given up'))
      },
      close: () => client.close(),
      destroy: () => client.destroy()
    }
  }
}
