import { Hono } from 'hono'
import { z } from 'zod'
import { permission, permissionsOf } from '../permissions.ts'
import { channelPayloads, guildPayload, rolePayloads } from '../payload/guild.ts'
import { memberPayload, voiceStatePayload } from '../payload/people.ts'
import { setVoiceState } from '../voice-states.ts'
import type { Guild } from '../world.ts'
import { parse, readBody } from './body.ts'
import type { RestDeps } from './deps.ts'
import { refused, unknown } from './errors.ts'

const Limit = z.coerce.number().int().min(1).max(1000)
const VoicePatch = z.object({
  channel_id: z.string().nullish(),
  suppress: z.boolean().nullish(),
  request_to_speak_timestamp: z.iso.datetime({ offset: true }).nullish()
})
const Nick = z.looseObject({ nick: z.string().max(32).nullish() })

/** `/guilds/:guild`: the guild, its channels, roles, members, and the bot's own voice state. */
export function guildRoutes({ world }: RestDeps): Hono {
  const botId = world.application.id

  function guildOf(id: string): Guild {
    const guild = world.guilds.get(id)
    if (!guild?.members.has(botId)) throw unknown.guild()
    return guild
  }

  const nameOf = (guild: Guild, userId: string) => (guild.members.get(userId)?.nick ?? world.users.get(userId)?.displayName ?? '').toLowerCase()

  function voiceStateOf(guild: Guild, userId: string) {
    const state = guild.voiceStates.get(userId)
    if (!state) throw unknown.voiceState()
    return state
  }

  const routes = new Hono()
  routes
    .get('/guilds/:guild', (c) => {
      const guild = guildOf(c.req.param('guild'))
      const counts = { approximate_member_count: guild.members.size, approximate_presence_count: guild.members.size }
      return c.json({ ...guildPayload(world, guild), ...(c.req.query('with_counts') === 'true' && counts) })
    })
    .get('/guilds/:guild/channels', (c) => c.json(channelPayloads(guildOf(c.req.param('guild')))))
    .get('/guilds/:guild/roles', (c) => c.json(rolePayloads(world, guildOf(c.req.param('guild')))))
    .get('/guilds/:guild/members', (c) => {
      const guild = guildOf(c.req.param('guild'))
      const limit = parse(Limit.default(1), c.req.query('limit'))
      const after = c.req.query('after') ?? '0'
      const members = [...guild.members.values()].sort((a, b) => (BigInt(a.userId) < BigInt(b.userId) ? -1 : 1))
      return c.json(members.filter(({ userId }) => BigInt(userId) > BigInt(/^\d{1,20}$/.test(after) ? after : 0)).slice(0, limit).map((member) => memberPayload(world, member)))
    })
    .get('/guilds/:guild/members/search', (c) => {
      const guild = guildOf(c.req.param('guild'))
      const query = (c.req.query('query') ?? '').toLowerCase()
      const found = [...guild.members.values()].filter(({ userId }) => nameOf(guild, userId).startsWith(query))
      return c.json(found.slice(0, parse(Limit.default(1), c.req.query('limit'))).map((member) => memberPayload(world, member)))
    })
    .get('/guilds/:guild/members/:user', (c) => {
      const member = guildOf(c.req.param('guild')).members.get(c.req.param('user'))
      if (!member) throw unknown.member()
      return c.json(memberPayload(world, member))
    })
    .patch('/guilds/:guild/members/@me', async (c) => {
      const member = guildOf(c.req.param('guild')).members.get(botId)
      if (!member) throw unknown.member()
      const { nick } = parse(Nick, (await readBody(c)).json)
      if (nick !== undefined) member.nick = nick === '' ? null : nick
      return c.json(memberPayload(world, member))
    })
    .get('/guilds/:guild/voice-states/:user', (c) => {
      const guild = guildOf(c.req.param('guild'))
      const userId = c.req.param('user') === '@me' ? botId : c.req.param('user')
      return c.json(voiceStatePayload(world, guild, userId, voiceStateOf(guild, userId)))
    })
    .patch('/guilds/:guild/voice-states/@me', async (c) => {
      const guild = guildOf(c.req.param('guild'))
      const state = voiceStateOf(guild, botId)
      const { channel_id: channelId, suppress, request_to_speak_timestamp: requestToSpeakAt } = parse(VoicePatch, (await readBody(c)).json)
      const channel = guild.channels.get(state.channelId)
      if (channel?.type !== 13 || (typeof channelId === 'string' && channelId !== channel.id)) throw unknown.voiceState()
      const bits = permissionsOf(guild, botId, channel)
      if (suppress === false && state.suppress && !(bits & permission.MuteMembers)) throw refused.permissions()
      if (typeof requestToSpeakAt === 'string' && !(bits & permission.RequestToSpeak)) throw refused.permissions()
      // Who is put among the audience has asked for nothing any more.
      const asked = suppress === true ? null : requestToSpeakAt
      const change = { ...(typeof suppress === 'boolean' && { suppress }), ...(asked !== undefined && { requestToSpeakAt: asked }) }
      if (Object.keys(change).length > 0) setVoiceState(world, guild.id, botId, { ...state, ...change })
      return c.body(null, 204)
    })
  return routes
}
