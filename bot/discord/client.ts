import { Client, DiscordAPIError, Events, GatewayIntentBits, Team, TeamMemberMembershipState } from 'discord.js'
import { sleep } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { isSameCommand } from './register.ts'
import type { App } from './app.ts'
import type { Entry } from './command.ts'
import { dispatch } from './dispatch.ts'

export interface ClientOptions {
  token: string
  /** Base of the REST API; Discord's own when undefined. */
  apiUrl: string | undefined
  log: Log
}

const READY_LIMIT_MS = 60_000

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

/**
 * Logs in, registers the commands, and answers them from then on. What it returns resolves when all commands under way have been answered.
 * @throws LoginError when the token is wrong
 */
export async function start(client: Client, options: ClientOptions & { commands: readonly Entry[]; app: App; admins: Set<string> }): Promise<() => Promise<unknown>> {
  const { token, log, commands, app, admins } = options
  const byName = new Map(commands.map((command) => [command.data.name, command]))
  const underWay = new Set<Promise<void>>()
  client.on(Events.InteractionCreate, (interaction) => {
    const answered = dispatch(interaction, byName, app).finally(() => underWay.delete(answered))
    underWay.add(answered)
  })
  const ready = new Promise<true>((resolve) => client.once(Events.ClientReady, () => resolve(true)))
  try {
    await Promise.race([client.login(token), sleep(app.clock, READY_LIMIT_MS)])
  } catch (error) {
    throw loginFault(error)
  }
  const inTime = await Promise.race([ready, sleep(app.clock, READY_LIMIT_MS)])
  if (inTime !== true) throw new LoginError('Discord did not say within a minute that the bot is ready. Try again in a moment; DISCORD_API_URL, when set, must be an address of its API.')
  // Without these the bot still speaks: a failure here is no reason to end it.
  const warn = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed; restart the bot to try again`)
  await ownersOf(client).then((ids) => ids.forEach((id) => admins.add(id)), warn('asking for the owner'))
  await registerCommands(client, commands, log).catch(warn('registering the commands'))
  return () => Promise.all(underWay)
}

/** The application's owner, or everybody in its team. */
async function ownersOf(client: Client): Promise<string[]> {
  const owner = (await client.application?.fetch())?.owner
  // Who was only invited has not said yes, and may be anybody.
  if (owner instanceof Team) return owner.members.filter(({ membershipState }) => membershipState === TeamMemberMembershipState.Accepted).map(({ id }) => id)
  return owner ? [owner.id] : []
}

/** Global commands only: the same command for one guild too would show twice. Nothing is sent when nothing differs. */
async function registerCommands(client: Client, commands: readonly Entry[], log: Log): Promise<void> {
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
  if (error instanceof TypeError || error instanceof SyntaxError) return new LoginError('What answers at DISCORD_API_URL is not Discord’s API.')
  return new LoginError(`Discord could not be reached: ${error instanceof Error ? error.message : String(error)}`)
}
