import { Hono } from 'hono'
import { z } from 'zod'
import { dmWith } from '../find.ts'
import { dmPayload, guildPayload } from '../payload/guild.ts'
import { userPayload, userPayloadById } from '../payload/people.ts'
import { applicationFlags } from '../payload/application.ts'
import { permissionsOf } from '../permissions.ts'
import { parse, readBody } from './body.ts'
import type { RestDeps } from './deps.ts'
import { refused, unknown } from './errors.ts'

const Recipient = z.looseObject({ recipient_id: z.string().regex(/^\d{1,20}$/) })
const IDENTIFIES_PER_DAY = 1000

/** The bot's own account and application, other users, and the way to the gateway. */
export function accountRoutes({ world, gatewayUrl, wireClock, switches }: RestDeps): Hono {
  const { application } = world
  const applicationPayload = () => ({
    id: application.id,
    name: application.name,
    icon: null,
    description: 'A speaking bot, in the sandbox.',
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: application.publicKey,
    flags: applicationFlags(switches.disallowedIntents),
    owner: userPayloadById(world, application.ownerId),
    team: null,
    bot: userPayloadById(world, application.id),
    tags: [],
    redirect_uris: [],
    integration_types_config: { 0: {} },
    approximate_guild_count: world.guilds.size
  })

  const routes = new Hono()
  routes
    .get('/gateway', (c) => c.json({ url: gatewayUrl() }))
    .get('/gateway/bot', (c) =>
      c.json({
        url: gatewayUrl(),
        shards: 1,
        session_start_limit: { total: IDENTIFIES_PER_DAY, remaining: IDENTIFIES_PER_DAY, reset_after: 86_400_000 - (wireClock.now() % 86_400_000), max_concurrency: 1 }
      })
    )
    .get('/users/@me/guilds', (c) => {
      const mine = [...world.guilds.values()].filter(({ members }) => members.has(application.id))
      return c.json(mine.map((guild) => ({ ...guildPayload(world, guild), owner: guild.ownerId === application.id, permissions: String(permissionsOf(guild, application.id)) })))
    })
    .post('/users/@me/channels', async (c) => {
      const { recipient_id: userId } = parse(Recipient, (await readBody(c)).json)
      const user = world.users.get(userId)
      if (!user) throw unknown.user()
      if (user.bot) throw refused.cannotSendToUser()
      return c.json(dmPayload(world, dmWith(world, userId)))
    })
    .get('/users/:user', (c) => {
      const asked = c.req.param('user')
      const user = world.users.get(asked === '@me' ? application.id : asked)
      if (!user) throw unknown.user()
      return c.json(userPayload(user))
    })
  for (const path of ['/applications/@me', '/oauth2/applications/@me']) routes.get(path, (c) => c.json(applicationPayload()))
  return routes
}
