import type { Way } from './way.ts'

/** A process of the bench: one of the ways. It tells its port to its parent. Each is loaded alone: what one brings along is no cost of another's. */
const WAYS: Readonly<Record<string, () => Promise<Way>>> = {
  pipe: async () => (await import('./ways/pipe.ts')).pipe,
  ours: async () => (await import('./ways/ours.ts')).ours,
  fastify: async () => (await import('./ways/fastify.ts')).fastify,
  hono: async () => (await import('./ways/hono.ts')).hono
}

const [way = '', paths = '[]'] = process.argv.slice(2)
const load = WAYS[way]
if (load === undefined) throw new Error(`no such way: ${way}`)
const start = await load()
process.send?.({ port: await start(JSON.parse(paths) as { path: string; port: number }[]) })
process.on('disconnect', () => process.exit())
// Of this process alone, whatever else the machine is doing.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system })
})
