import { Hono } from 'hono'
import { z } from 'zod'
import { setState } from '../interactions.ts'
import { messagePayload } from '../payload/message.ts'
import type { Interaction, Message } from '../world.ts'
import { parse, readBody } from './body.ts'
import type { Body } from './body.ts'
import { Modal } from './component-schema.ts'
import type { RestDeps } from './deps.ts'
import { invalidForm, refused, unknown } from './errors.ts'
import type { Replies } from './replies.ts'

const Callback = z.object({ type: z.literal([4, 5, 6, 7, 8, 9]), data: z.looseObject({}).nullish() })
const Deferral = z.looseObject({ flags: z.int().nullish() })
const Choices = z.object({
  choices: z.array(z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) })).max(25)
})

/** Which callback types fit which kind of interaction. */
const FITS: Record<Interaction['type'], readonly number[]> = { 2: [4, 5, 9], 3: [4, 5, 6, 7, 9], 4: [8], 5: [4, 5, 6, 7] }

/**
 * `POST /interactions/:id/:token/callback`: the first answer of the bot.
 * Within 3 s and once: later it is 10062, again it is 40060.
 */
export function callbackRoutes({ world, clock, links }: RestDeps, replies: Replies): Hono {
  const routes = new Hono()
  routes.post('/interactions/:id/:token/callback', async (c) => {
    const body = await readBody(c)
    const interaction = world.interactions.get(c.req.param('id'))
    if (interaction?.token !== c.req.param('token') || interaction.state === 'failed') throw unknown.interaction()
    if (interaction.callback) throw refused.acknowledged()
    const { type, data } = parse(Callback, body.json)
    if (!FITS[interaction.type].includes(type)) {
      throw invalidForm(['type'], 'INTERACTION_APPLICATION_CALLBACK_TYPE_INVALID', 'This callback type does not fit the interaction.')
    }
    const message = answer(interaction, type, { json: data ?? {}, files: body.files })
    const ephemeral = ((message?.flags ?? 0) & 64) !== 0
    interaction.callback = { type, atMs: clock.now(), ephemeral }
    setState(world, interaction, type === 5 ? 'deferred' : 'answered')
    if (c.req.query('with_response') !== 'true') return c.body(null, 204)
    return c.json({
      interaction: {
        id: interaction.id,
        type: interaction.type,
        channel_id: interaction.channelId,
        guild_id: interaction.guildId,
        response_message_loading: type === 5,
        response_message_ephemeral: ephemeral,
        ...(message && { response_message_id: message.id })
      },
      resource: { type, ...(message && { message: messagePayload(world, links, message) }) }
    })
  })
  return routes

  function answer(interaction: Interaction, type: z.infer<typeof Callback>['type'], body: Body): Message | undefined {
    switch (type) {
      case 4:
        return replies.add(interaction, body)
      case 5:
        return replies.addLoading(interaction, parse(Deferral, body.json).flags ?? 0)
      case 6:
        return undefined
      case 7:
        return replies.edit(interaction, replies.find(interaction, '@original'), body)
      case 8:
        interaction.choices = parse(Choices, body.json).choices.map(({ name, value }) => ({ name, value }))
        return undefined
      case 9:
        interaction.modal = parse(Modal, body.json)
        return undefined
    }
  }
}
