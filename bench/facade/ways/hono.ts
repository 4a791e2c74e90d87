import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { proxy } from 'hono/proxy'
import type { Way } from '../way.ts'

export const hono: Way = (paths) => {
  const app = new Hono()
  for (const { path, port } of paths) app.all(path, (context) => proxy(`http://127.0.0.1:${port}${path}`, { raw: context.req.raw }))
  return new Promise((resolve) => {
    serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
  })
}
