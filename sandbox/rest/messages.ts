import { Hono } from 'hono'
import { z } from 'zod'
import { placeOf } from '../find.ts'
import type { Place } from '../find.ts'
import { INTENT } from '../gateway/session.ts'
import { addMessage, deleteMessage, editMessage, FLAG, messagesIn } from '../messages.ts'
import { may, permission, readPermissions, sendPermission } from '../permissions.ts'
import { channelPayload, dmPayload } from '../payload/guild.ts'
import { isReadAlways, messagePayload, withoutContent } from '../payload/message.ts'
import type { DmChannel, Message } from '../world.ts'
import { parse, readBody } from './body.ts'
import type { Body } from './body.ts'
import { composeMessage } from './compose.ts'
import type { RestDeps } from './deps.ts'
import { refused, unknown } from './errors.ts'

const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  before: z.string().optional(),
  after: z.string().optional(),
  around: z.string().optional()
})

/** `/channels/:channel`: the channel, its messages, typing. */
export function messageRoutes({ world, clock, links, switches }: RestDeps): Hono {
  const botId = world.application.id
  /** An application that was not granted the message-content intent gets no content by REST either. */
  function payload(message: Message) {
    const whole = messagePayload(world, links, message)
    return switches.disallowedIntents & INTENT.messageContent && !isReadAlways(world, message) ? withoutContent(whole) : whole
  }

  /** The channel, when the bot may see it. */
  function seen(channelId: string): { place: Place; dm: undefined } | { place: undefined; dm: DmChannel } {
    const dm = world.dms.get(channelId)
    if (dm) return { place: undefined, dm }
    const place = placeOf(world, channelId)
    if (!place) throw unknown.channel()
    if (!may(place.guild, botId, place.channel, permission.ViewChannel)) throw refused.access()
    return { place, dm: undefined }
  }

  function need(place: Place | undefined, ...bits: bigint[]): void {
    if (place && !may(place.guild, botId, place.channel, ...bits)) throw refused.permissions()
  }

  function messageOf(channelId: string, messageId: string): Message {
    const message = world.messages.get(messageId)
    if (message?.channelId !== channelId || message.flags & FLAG.ephemeral) throw unknown.message()
    return message
  }

  function ownMessage(channelId: string, messageId: string): Message {
    const message = messageOf(channelId, messageId)
    if (message.authorId !== botId) throw refused.othersMessage()
    return message
  }

  function send(channelId: string, body: Body): Message {
    const { place } = seen(channelId)
    need(place, sendPermission(place?.channel ?? { type: 0 }), ...(body.files.length > 0 ? [permission.AttachFiles] : []))
    const composed = composeMessage(body, { world, place, authorId: botId })
    if (composed.replyToId !== null) need(place, permission.ReadMessageHistory)
    return addMessage(world, clock, { channelId, authorId: botId, ...composed })
  }

  const routes = new Hono()
  routes
    .get('/channels/:channel', (c) => {
      const { place, dm } = seen(c.req.param('channel'))
      return c.json(place ? channelPayload(place.channel) : dmPayload(world, dm))
    })
    .post('/channels/:channel/typing', (c) => {
      const { place } = seen(c.req.param('channel'))
      need(place, sendPermission(place?.channel ?? { type: 0 }))
      return c.body(null, 204)
    })
    .get('/channels/:channel/messages', (c) => {
      const channelId = c.req.param('channel')
      const { place } = seen(channelId)
      if (place && !may(place.guild, botId, place.channel, ...readPermissions(place.channel))) throw refused.access()
      need(place, permission.ReadMessageHistory)
      const { limit, before, after, around } = parse(ListQuery, c.req.query())
      const newestFirst = messagesIn(world, channelId)
        .filter((message) => !(message.flags & FLAG.ephemeral))
        .reverse()
      return c.json(pageOf(newestFirst, limit, { before, after, around }).map(payload))
    })
    .post('/channels/:channel/messages', async (c) => c.json(payload(send(c.req.param('channel'), await readBody(c)))))
    .get('/channels/:channel/messages/:message', (c) => {
      const { channel, message } = c.req.param()
      need(seen(channel).place, permission.ReadMessageHistory)
      return c.json(payload(messageOf(channel, message)))
    })
    .patch('/channels/:channel/messages/:message', async (c) => {
      const body = await readBody(c)
      const { channel, message } = c.req.param()
      const { place } = seen(channel)
      const editing = ownMessage(channel, message)
      if (editing.flags & FLAG.voiceMessage) throw refused.voiceEdit()
      return c.json(payload(editMessage(world, clock, editing, composeMessage(body, { world, place, authorId: botId, editing }))))
    })
    .delete('/channels/:channel/messages/:message', (c) => {
      const { channel, message } = c.req.param()
      const { place } = seen(channel)
      const found = messageOf(channel, message)
      if (found.authorId !== botId) need(place, permission.ManageMessages)
      deleteMessage(world, found)
      return c.body(null, 204)
    })
  return routes
}

/** A page of a list that starts with the newest: before or after an id, or around it. */
function pageOf(newestFirst: readonly Message[], limit: number, at: { before: string | undefined; after: string | undefined; around: string | undefined }): Message[] {
  const newer = (message: Message, id: string) => BigInt(message.id) > BigInt(/^\d{1,20}$/.test(id) ? id : 0)
  const { before, after, around } = at
  if (before !== undefined) return newestFirst.filter((message) => !newer(message, before) && message.id !== before).slice(0, limit)
  if (after !== undefined) return newestFirst.filter((message) => newer(message, after)).slice(-limit)
  if (around !== undefined) {
    const start = newestFirst.findIndex((message) => !newer(message, around)) - Math.floor(limit / 2)
    return newestFirst.slice(Math.max(0, start), Math.max(0, start) + limit)
  }
  return newestFirst.slice(0, limit)
}
