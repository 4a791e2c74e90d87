import { Hono } from 'hono'
import { actRoutes } from './acts.ts'
import { attachmentResponse } from './attachment.ts'
import type { PageDeps } from './deps.ts'
import { worldEvents } from './events.ts'
import { guard } from './guard.ts'
import { listenTo } from './listen.ts'
import { site } from './site.ts'
import { snapshot } from './snapshot.ts'

/**
 * The page in which a person tries the bot, and what it talks to: `/` and `/page/*` are its files, `/sandbox/*` its data.
 * For loopback only: the server that mounts it must listen on 127.0.0.1, and close its open streams when it closes.
 */
export function pageRoutes({ world, act, voice, clock }: PageDeps): Hono {
  const listen = listenTo(voice, clock)
  const channelExists = (guildId: string, channelId: string) => world.guilds.get(guildId)?.channels.has(channelId) ?? false

  const routes = new Hono()
  for (const path of ['/', '/page/*', '/sandbox/*']) routes.use(path, guard)
  routes.route('/', site())
  routes.get('/sandbox/state', (c) => c.json(snapshot(world, clock.now())))
  routes.get('/sandbox/events', () => worldEvents(world, clock))
  routes.get('/sandbox/attachments/:id', (c) => attachmentResponse(world, c.req.param('id'), c.req.header('range')))
  routes.get('/sandbox/listen/:guildId/:channelId', (c) => {
    const { guildId, channelId } = c.req.param()
    return channelExists(guildId, channelId) ? listen(guildId, channelId) : c.notFound()
  })
  routes.route('/sandbox/act', actRoutes(act))
  return routes
}
