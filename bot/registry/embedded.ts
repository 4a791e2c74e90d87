import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { BODY_MAX_CHARS } from '../../gas/registry.ts'
import type { Call, Reply } from '../../gas/registry.ts'
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

/** Of UTF-8: a text of the allowed length fits, whatever it is written in. */
const BODY_MAX_BYTES = BODY_MAX_CHARS * 3

const CHANGES: ReadonlySet<string> = new Set(['register', 'unregister', 'setEnabled'])

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
  const store = sqliteStore(database)
  const handle = (call: Call) =>
    serve(call, store, {
      key: () => key,
      nowMs: () => clock.now(),
      onFault: (fault) => log.error({ err: fault }, 'the embedded registry failed')
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
