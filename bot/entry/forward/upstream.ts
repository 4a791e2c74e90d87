import type { Place } from './headers.ts'
import { connectionsTo } from './connection.ts'
import type { Connection } from './connection.ts'
import { createPlaces } from './places.ts'
import type { Places } from './places.ts'

/** What one upstream may take of the entry. */
export interface UpstreamLimits {
  /** Requests at once, each on a connection of its own. */
  concurrency: number
  /** Requests that may wait for a place; the next one is turned away at once. */
  waitingMax: number
  /** WebSockets at once; none waits. */
  webSockets: number
}

/** A server behind the entry, with connections and places of its own: a slow one takes nothing from the others. */
export interface Upstream extends Place {
  /** For logs and metrics; no address. */
  readonly name: string
  readonly requests: Places<Connection>
  readonly webSockets: Places<Connection>
  /** Takes nothing new, and lets who waits go elsewhere; what is under way ends there. */
  close(): Promise<void>
  destroy(): Promise<void>
}

export interface UpstreamOptions {
  name: string
  /** An address, without a query. */
  url: string
  limits: UpstreamLimits
  isUpstream: (hostname: string) => boolean
}

export function createUpstream({ name, url, limits, isUpstream }: UpstreamOptions): Upstream {
  const { origin, host, pathname } = new URL(url)
  const make = connectionsTo(origin)
  const requests = createPlaces({ size: limits.concurrency, waitingMax: limits.waitingMax, make })
  const webSockets = createPlaces({ size: limits.webSockets, waitingMax: 0, make })
  const each = async (end: (connection: Connection) => Promise<void>) => {
    await Promise.all([...requests.all(), ...webSockets.all()].map(end))
  }
  return {
    name,
    host,
    base: pathname.replace(/\/+$/, ''),
    isUpstream,
    requests,
    webSockets,
    close() {
      requests.dismiss()
      return each((connection) => connection.close())
    },
    destroy: () => each((connection) => connection.destroy())
  }
}
