import { createAdaptorServer } from '@hono/node-server'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import type { Call } from '../../gas/call.ts'
import { startAppsScript } from '../../gas/emulation/start-apps-script.ts'
import type { Clock } from '../core/clock.ts'
import { silentLog } from '../core/log.ts'
import { httpRegistry } from './client.ts'
import type { Registry } from './client.ts'
import { embeddedRegistry } from './embedded.ts'

/** One registry of three kinds, for tests that all three must pass. */
export interface BackEnd {
  /** As a browser or an older node calls. */
  call(call: Call): Promise<unknown>
  /** As the bot calls. */
  registry: Registry
  /** Whether nodes may live at plain http on loopback. */
  allowsLoopback: boolean
  /** @throws when the script did what it must not: wrote without the lock, printed a fault, let a cell run */
  close(): Promise<void>
}

/** `fetch` follows the hops by itself. */
const overHttp = (url: string) => async ({ method, query, body }: Call): Promise<unknown> => {
  const response = await fetch(`${url}?${String(new URLSearchParams(query))}`, { method, ...(body !== undefined && { body }) })
  return response.json()
}

export const backEnds: Readonly<Record<string, (clock: Clock, key: string) => Promise<BackEnd>>> = {
  async 'the built bundle in Apps Script'(clock, key) {
    const app = await startAppsScript({ clock, properties: { REGISTRY_KEY: key } })
    return {
      call: overHttp(app.url),
      registry: httpRegistry({ url: app.url, key, clock }),
      allowsLoopback: false,
      async close() {
        const faults = [...app.violations, ...app.printed, ...['servers', 'presence', 'log'].flatMap((name) => app.grid(name).formulas())]
        await app.close()
        if (faults.length > 0) throw new Error(faults.join('\n'))
      }
    }
  },
  async 'the embedded registry in process'(clock, key) {
    const registry = embeddedRegistry({ database: new DatabaseSync(':memory:'), key, clock, log: silentLog })
    return { call: async (call) => registry.handle(call), registry, allowsLoopback: true, close: async () => {} }
  },
  async 'the embedded registry over HTTP'(clock, key) {
    const embedded = embeddedRegistry({ database: new DatabaseSync(':memory:'), key, clock, log: silentLog })
    const server = createAdaptorServer({ fetch: embedded.routes().fetch })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/registry`
    return {
      call: overHttp(url),
      registry: httpRegistry({ url, key, clock }),
      allowsLoopback: true,
      async close() {
        server.close()
        if ('closeAllConnections' in server) server.closeAllConnections()
      }
    }
  }
}
