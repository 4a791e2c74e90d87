import { serve } from '@hono/node-server'
import type { ServerType } from '@hono/node-server'
import { Hono } from 'hono'
import type { Metrics } from '../core/metrics.ts'
import { guardKeyless } from './guard.ts'

export interface HttpServer {
  /** The port that is listened on; not what was asked for when that was 0. */
  port: number
  close(): Promise<void>
}

/**
 * The bot's HTTP: `/health`, `/metrics` (Prometheus text), and `/registry` when the registry is embedded.
 * @throws when the address is taken
 */
export async function startHttp(options: {
  host: string
  port: number
  metrics: Metrics
  registry?: Hono | undefined
  /** The registry has a key of its own to tell friend from stranger. */
  hasKey?: boolean
}): Promise<HttpServer> {
  const { host, metrics, registry, hasKey = false } = options
  const app = new Hono()
  app.get('/health', (context) => context.json({ ok: true }))
  app.get('/metrics', async (context) => context.body(await metrics.registry.metrics(), 200, { 'content-type': metrics.registry.contentType }))
  if (registry !== undefined && !hasKey) app.use('/registry', guardKeyless(host))
  if (registry !== undefined) app.route('/', registry)
  app.notFound((context) => context.json({ ok: false, error: { code: 'not_found', message: 'no such path' } }, 404))

  const server = await new Promise<ServerType>((resolve, reject) => {
    const listening = serve({ fetch: app.fetch, hostname: host, port: options.port }, () => resolve(listening))
    listening.once('error', reject)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        if ('closeAllConnections' in server) server.closeAllConnections()
      })
  }
}
