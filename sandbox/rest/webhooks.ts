import { Hono } from 'hono'
import { interactionByToken, isTokenAlive, setState } from '../interactions.ts'
import { deleteMessage, FLAG } from '../messages.ts'
import { messagePayload } from '../payload/message.ts'
import type { Interaction } from '../world.ts'
import { readBody } from './body.ts'
import type { RestDeps } from './deps.ts'
import { refused, unknown } from './errors.ts'
import type { Replies } from './replies.ts'

/**
 * `/webhooks/:application/:token`: what a bot says about an interaction after its callback, for 15 min.
 * Later every call is 401 with code 50027; before the callback there is no webhook yet (10015).
 */
export function webhookRoutes({ world, clock, links }: RestDeps, replies: Replies): Hono {
  const base = '/webhooks/:application/:token'

  function interactionOf(application: string, token: string): Interaction {
    const interaction = interactionByToken(world, token)
    if (!interaction || application !== world.application.id || !isTokenAlive(interaction, clock)) throw refused.webhookToken()
    if (!interaction.callback) throw unknown.webhook()
    return interaction
  }

  const routes = new Hono()
  routes
    .post(base, async (c) => {
      const body = await readBody(c)
      const interaction = interactionOf(c.req.param('application'), c.req.param('token'))
      // Right after a deferral a follow-up is an edit of the loading message, and its ephemeral flag is ignored.
      const loading = interaction.messageIds.map((id) => world.messages.get(id)).find((message) => message && message.flags & FLAG.loading)
      const message = loading ? replies.edit(interaction, loading, body) : replies.add(interaction, body)
      return c.json(messagePayload(world, links, message))
    })
    .get(`${base}/messages/:message`, (c) => {
      const { application, token, message } = c.req.param()
      return c.json(messagePayload(world, links, replies.find(interactionOf(application, token), message)))
    })
    .patch(`${base}/messages/:message`, async (c) => {
      const body = await readBody(c)
      const { application, token, message } = c.req.param()
      const interaction = interactionOf(application, token)
      return c.json(messagePayload(world, links, replies.edit(interaction, replies.find(interaction, message), body)))
    })
    .delete(`${base}/messages/:message`, (c) => {
      const { application, token, message } = c.req.param()
      const interaction = interactionOf(application, token)
      deleteMessage(world, replies.find(interaction, message))
      if (interaction.state === 'deferred') setState(world, interaction, 'answered')
      return c.body(null, 204)
    })
  return routes
}
