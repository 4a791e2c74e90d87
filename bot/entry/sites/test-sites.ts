import { serve } from '@hono/node-server'
import { serveSites } from './serve-sites.ts'

/** For tests: these sites on a port of their own. */
export function listenWithSites(...served: Parameters<typeof serveSites>): Promise<{ port: number; close: () => void }> {
  const app = serveSites(...served)
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => resolve({ port, close: () => void server.close() }))
  })
}
