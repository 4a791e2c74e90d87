import httpProxy from '@fastify/http-proxy'
import { fastify as createFastify } from 'fastify'
import type { Way } from '../way.ts'

export const fastify: Way = async (paths) => {
  const app = createFastify()
  for (const { path, port } of paths) await app.register(httpProxy, { upstream: `http://127.0.0.1:${port}`, prefix: path, rewritePrefix: path })
  return Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
}
