import { Hono } from 'hono'
import { findAttachment } from '../messages.ts'
import { accountRoutes } from './account.ts'
import { callbackRoutes } from './callbacks.ts'
import { commandRoutes } from './commands.ts'
import type { RestDeps } from './deps.ts'
import { ApiError } from './errors.ts'
import { apiPath, gate } from './gate.ts'
import { guildRoutes } from './guilds.ts'
import { messageRoutes } from './messages.ts'
import { createReplies } from './replies.ts'
import { webhookRoutes } from './webhooks.ts'

/** Discord's REST API, version 10, with its errors and limits: `/api/v10` or `/api`, and the files of messages and of commands. */
export function createRest(deps: RestDeps): Hono {
  const replies = createReplies(deps)
  const routes = new Hono({ getPath: ({ url }) => apiPath(url) })
  routes
    .use('/api/*', gate(deps))
    .route('/api', accountRoutes(deps))
    .route('/api', commandRoutes(deps))
    .route('/api', callbackRoutes(deps, replies))
    .route('/api', webhookRoutes(deps, replies))
    .route('/api', messageRoutes(deps))
    .route('/api', guildRoutes(deps))
    .on('GET', ['/attachments/:channel/:attachment/:filename', '/ephemeral-attachments/:application/:attachment/:filename'], (c) => {
      const attachment = findAttachment(deps.world, c.req.param('attachment'))
      if (!attachment) return c.text('This content is no longer available.', 404)
      return c.body(new Uint8Array(attachment.bytes), 200, {
        'Content-Type': attachment.contentType,
        'Content-Disposition': 'attachment',
        'X-Content-Type-Options': 'nosniff'
      })
    })
    .onError((error, c) => {
      if (error instanceof ApiError) return c.json(error.body, error.status)
      console.error('sandbox: a fault of the stand-in itself', error)
      return c.json({ message: 'Internal Server Error', code: 0 }, 500)
    })
    .notFound((c) => c.json({ message: '404: Not Found', code: 0 }, 404))
  return routes
}
