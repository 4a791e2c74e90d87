import { fastify } from './ways/fastify.ts'
import { hono } from './ways/hono.ts'
import { ours } from './ways/ours.ts'
import type { Way } from './way.ts'

/** A process of the bench: one of the ways, on a core of its own. It writes its port to its parent. */
const WAYS: Readonly<Record<string, Way>> = { ours, fastify, hono }

const [way = '', paths = '[]'] = process.argv.slice(2)
const start = WAYS[way]
if (start === undefined) throw new Error(`no such way: ${way}`)
process.send?.({ port: await start(JSON.parse(paths) as { path: string; port: number }[]) })
// Of this process alone, whatever else the machine is doing.
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpuUs: user + system })
})
