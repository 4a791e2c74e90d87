import { Hono } from 'hono'
import { z } from 'zod'
import type { RegisteredCommand } from '../world.ts'
import { parse, readBody } from './body.ts'
import { CommandBody } from './command-schema.ts'
import type { RestDeps } from './deps.ts'
import { invalidForm, refused, unknown } from './errors.ts'

/** Slash commands of one guild, or the global ones; as many of the application's other kinds fit too. */
const COMMANDS_MAX = 100

const typeOf = (data: Record<string, unknown>) => (typeof data['type'] === 'number' ? data['type'] : 1)

/** Registration of application commands, global (`/commands`) and per guild (`/guilds/:guild/commands`). */
export function commandRoutes({ world }: RestDeps): Hono {
  const routes = new Hono()

  const inScope = (guildId: string | null) => [...world.commands.values()].filter((command) => command.guildId === guildId)

  const payload = ({ id, guildId, data }: RegisteredCommand, withLocalizations = true) => ({
    version: id,
    default_member_permissions: null,
    nsfw: false,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    description: '',
    options: [],
    ...data,
    ...(!withLocalizations && { name_localizations: undefined, description_localizations: undefined }),
    type: typeOf(data),
    id,
    application_id: world.application.id,
    ...(guildId !== null && { guild_id: guildId })
  })

  /** Puts a command in the place of the one with the same name and kind, which keeps its id. */
  function put(guildId: string | null, data: CommandBody): { command: RegisteredCommand; isNew: boolean } {
    const known = inScope(guildId).find((command) => command.data.name === data.name && typeOf(command.data) === typeOf(data))
    const command = { id: known?.id ?? world.nextId(), guildId, data }
    if (!known && inScope(guildId).length >= COMMANDS_MAX) {
      throw invalidForm([], 'APPLICATION_COMMANDS_MAX', `Maximum number of application commands reached (${COMMANDS_MAX}).`)
    }
    world.commands.set(command.id, command)
    return { command, isNew: !known }
  }

  const scopeOf = (c: { req: { param(name: string): string | undefined } }): string | null => {
    if (c.req.param('application') !== world.application.id) throw unknown.application()
    const guildId = c.req.param('guild')
    if (guildId !== undefined && !world.guilds.has(guildId)) throw refused.access()
    return guildId ?? null
  }
  const commandOf = (c: { req: { param(name: string): string | undefined } }): RegisteredCommand => {
    const command = world.commands.get(c.req.param('command') ?? '')
    if (command?.guildId !== scopeOf(c)) throw unknown.command()
    return command
  }

  for (const base of ['/applications/:application/commands', '/applications/:application/guilds/:guild/commands']) {
    routes.get(base, (c) => c.json(inScope(scopeOf(c)).map((command) => payload(command, c.req.query('with_localizations') === 'true'))))

    routes.put(base, async (c) => {
      const guildId = scopeOf(c)
      const bodies = parse(z.array(CommandBody).max(COMMANDS_MAX), (await readBody(c)).json)
      const keys = bodies.map((body) => `${typeOf(body)} ${body.name}`)
      const twice = keys.findIndex((key, index) => keys.indexOf(key) < index)
      if (twice >= 0) throw invalidForm([twice], 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
      for (const command of inScope(guildId)) if (!keys.includes(`${typeOf(command.data)} ${command.data.name}`)) world.commands.delete(command.id)
      const commands = bodies.map((body) => put(guildId, body).command)
      world.events.emit('commands')
      return c.json(commands.map((command) => payload(command)))
    })

    routes.post(base, async (c) => {
      const { command, isNew } = put(scopeOf(c), parse(CommandBody, (await readBody(c)).json))
      world.events.emit('commands')
      return c.json(payload(command), isNew ? 201 : 200)
    })

    routes.get(`${base}/:command`, (c) => c.json(payload(commandOf(c))))

    routes.patch(`${base}/:command`, async (c) => {
      const command = commandOf(c)
      const { json } = await readBody(c)
      command.data = parse(CommandBody, { ...command.data, ...parse(z.record(z.string(), z.unknown()), json) })
      world.events.emit('commands')
      return c.json(payload(command))
    })

    routes.delete(`${base}/:command`, (c) => {
      world.commands.delete(commandOf(c).id)
      world.events.emit('commands')
      return c.body(null, 204)
    })
  }
  return routes
}
