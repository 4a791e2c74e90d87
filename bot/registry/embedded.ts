import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BODY_MAX_CHARS } from '../../gas/call.ts'
import type { Call } from '../../gas/call.ts'
import type { Event, Reply } from '../../gas/registry.ts'
import { serve } from '../../gas/serve.ts'
import type { Clock } from '../core/clock.ts'
import type { Database } from '../core/database.ts'
import { VoxError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { registryOver } from './client.ts'
import type { Registry } from './client.ts'
import { sqliteStore } from './sqlite-store.ts'

export interface EmbeddedRegistry extends Registry {
  /** One call, answered in this process. */
  handle(call: Call): Reply
  /** `GET` and `POST /registry?action=...`, for nodes and browsers; the answers are those of the web app. */
  routes(): Hono
}

/**
 * What is read at all: a text of the allowed length fits, whatever it is written in, and one that is somewhat too long is still
 * refused with a code. Whoever sends more may see only that the connection ends.
 */
const BODY_MAX_BYTES = BODY_MAX_CHARS * 8

const CHANGES: ReadonlySet<string> = new Set(['register', 'unregister', 'setEnabled', 'rename'])

/** The registry inside the bot: the code of the web app over SQLite, with the same contract, key and answers. */
export function embeddedRegistry(options: {
  database: Database
  key: string | undefined
  clock: Clock
  log: Log
  /** A node has come, moved or gone over HTTP: whoever keeps a copy of the list need not wait for its time. */
  onChange?: () => void
}): EmbeddedRegistry {
  const { database, key = '', clock, log, onChange = () => {} } = options
  const store = sqliteStore(database, (events) => {
    for (const { what, serverId, detail } of events) log.info({ what, serverId, detail }, 'registry')
  })
  const handle = (call: Call) =>
    serve(call, store, {
      key: () => key,
      // Bot and nodes may be one machine: the only place where plain http is no danger.
      allowLoopback: true,
      nowMs: () => clock.now(),
      onFault: (fault) => log.error({ err: fault }, 'the embedded registry failed'),
      // Strangers can cause any number of these.
      onRefusal: ({ detail }: Event) => log.debug({ detail }, 'the embedded registry refused a call')
    })

  return {
    ...registryOver(async (call, signal) => {
      if (signal?.aborted) throw new VoxError('CANCELLED')
      return handle(call)
    }, options.key),
    handle,
    routes: () =>
      routes((call) => {
        const reply = handle(call)
        if (reply.ok && CHANGES.has(call.query['action'] ?? '')) onChange()
        return reply
      }, clock)
  }
}

function routes(handle: (call: Call) => Reply, clock: Clock): Hono {
  const tooLarge: Reply = { ok: false, now: 0, error: { code: 'bad_request', message: `a body holds at most ${BODY_MAX_CHARS} characters` } }
  const app = new Hono()
  app.use('/registry', async (context, next) => {
    await next()
    context.header('access-control-allow-origin', '*')
    context.header('cache-control', 'no-store')
  })
  app.get('/registry', (context) => context.json(handle({ method: 'GET', query: context.req.query() })))
  app.post(
    '/registry',
    bodyLimit({ maxSize: BODY_MAX_BYTES, onError: (context) => context.json({ ...tooLarge, now: clock.now() }, 413) }),
    async (context) => context.json(handle({ method: 'POST', query: context.req.query(), body: await context.req.text() }))
  )
  return app
}
