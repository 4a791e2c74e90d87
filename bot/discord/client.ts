import { Client, DiscordAPIError, Events, GatewayIntentBits, Team } from 'discord.js'
import type { Log } from '../core/log.ts'
import { isSameCommand } from './register.ts'
import type { App } from './app.ts'
import type { Command } from './command.ts'
import { dispatch } from './dispatch.ts'

export interface ClientOptions {
  token: string
  /** Base of the REST API; Discord's own when undefined. */
  apiUrl: string | undefined
  log: Log
}

/** Logging in failed for a reason that the operator can mend: one clear line, no stack. */
export class LoginError extends Error {}

/** No privileged intent: slash commands and voice need none. */
export function createClient({ apiUrl, log }: Pick<ClientOptions, 'apiUrl' | 'log'>): Client {
  const client = new Client({
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    allowedMentions: { parse: [] },
    ...(apiUrl !== undefined && { rest: { api: apiUrl } })
  })
  client.on(Events.Error, (error) => log.warn({ err: error }, 'gateway error'))
  client.on(Events.Warn, (message) => log.warn(message))
  return client
}

/** Logs in, registers the commands, and answers them from then on. @throws LoginError when the token is wrong */
export async function start(client: Client, options: ClientOptions & { commands: readonly Command[]; app: App; admins: Set<string> }): Promise<void> {
  const { token, log, commands, app, admins } = options
  const byName = new Map(commands.map((command) => [command.data.name, command]))
  client.on(Events.InteractionCreate, (interaction) => void dispatch(interaction, byName, app))
  const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()))
  try {
    await client.login(token)
  } catch (error) {
    throw loginFault(error)
  }
  await ready
  for (const id of await ownersOf(client)) admins.add(id)
  await registerCommands(client, commands, log)
}

/** The application's owner, or everybody in its team. */
async function ownersOf(client: Client): Promise<string[]> {
  const owner = (await client.application?.fetch())?.owner
  if (owner instanceof Team) return [...owner.members.keys()]
  return owner ? [owner.id] : []
}

/** Global commands only: the same command for one guild too would show twice. Nothing is sent when nothing differs. */
async function registerCommands(client: Client, commands: readonly Command[], log: Log): Promise<void> {
  const there = await client.application?.commands.fetch({ withLocalizations: true })
  const same = there?.size === commands.length && commands.every(({ data }) => there.some((command) => isSameCommand(command, data)))
  if (same) return
  await client.application?.commands.set(commands.map(({ data }) => data))
  log.info({ count: commands.length }, 'commands registered')
}

function loginFault(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'TokenInvalid' || (error instanceof DiscordAPIError && error.status === 401)) {
    return new LoginError('DISCORD_TOKEN is not a token that Discord knows. Copy it anew: Discord Developer Portal, your application, "Bot", "Reset Token".')
  }
  if (error instanceof Error && error.message.includes('disallowed intents')) {
    return new LoginError('Discord does not allow this bot an intent that it asks for. Switch it on: Discord Developer Portal, your application, "Bot".')
  }
  return new LoginError(`Discord could not be reached: ${error instanceof Error ? error.message : String(error)}`)
}
