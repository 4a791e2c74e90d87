import { Client, DiscordAPIError, Events, Options, Partials, Team, TeamMemberMembershipState } from 'discord.js'
import { sleep } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { App } from './app.ts'
import type { Entry } from './command.ts'
import { dispatch } from './dispatch.ts'
import { keepRegistered } from './deploy.ts'
import { INTENTS, askForContent, canReadMessages } from './intents.ts'
import { request } from './request.ts'

export interface ClientOptions {
  token: string
  /** Base of the REST API; Discord's own when undefined. */
  apiUrl: string | undefined
  log: Log
}

const READY_LIMIT_MS = 60_000

/** Logging in failed for a reason that the operator can mend: one clear line, no stack. */
export class LoginError extends Error {}

/** Discord let the bot not have the message-content intent after all: without it, everything but reading works. */
export class ContentRefused extends LoginError {}

/** Messages are read as they come and never looked up: none is kept, and a deletion names its message by the id alone. */
export function createClient({ apiUrl, log }: Pick<ClientOptions, 'apiUrl' | 'log'>): Client {
  const client = new Client({
    intents: INTENTS,
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, MessageManager: 0 }),
    partials: [Partials.Message],
    allowedMentions: { parse: [] },
    rest: { makeRequest: request, ...(apiUrl !== undefined && { api: apiUrl }) }
  })
  client.on(Events.Error, (error) => log.warn({ err: error }, 'gateway error'))
  client.on(Events.Warn, (message) => log.warn(message))
  return client
}

/**
 * Logs in, registers the commands, and answers them from then on. What it returns resolves when all commands under way have been answered.
 * @param options with `content`, the message-content intent is asked for where the application has it
 * @throws LoginError when the token is wrong; ContentRefused
 */
export async function start(
  client: Client,
  options: ClientOptions & { commands: readonly Entry[]; app: App; admins: Set<string>; content: boolean }
): Promise<() => Promise<unknown>> {
  const { token, log, commands, app, admins, content } = options
  const byName = new Map(commands.map((command) => [command.data.name, command]))
  const underWay = new Set<Promise<void>>()
  client.on(Events.InteractionCreate, (interaction) => {
    const answered = dispatch(interaction, byName, app).finally(() => underWay.delete(answered))
    underWay.add(answered)
  })
  const ready = new Promise<true>((resolve) => client.once(Events.ClientReady, () => resolve(true)))
  try {
    if (content) await Promise.race([askForContent(client, token), sleep(app.clock, READY_LIMIT_MS)])
    await Promise.race([client.login(token), sleep(app.clock, READY_LIMIT_MS)])
  } catch (error) {
    if (canReadMessages(client) && isDisallowed(error)) throw new ContentRefused('Discord does not allow this bot to read messages.')
    throw loginFault(error)
  }
  if (!canReadMessages(client)) log.warn(`/read can't be used: ${HOW_TO_READ}`)
  const inTime = await Promise.race([ready, sleep(app.clock, READY_LIMIT_MS)])
  if (inTime !== true) throw new LoginError('Discord did not say within a minute that the bot is ready. Try again in a moment; DISCORD_API_URL, when set, must be an address of its API.')
  client.on(Events.ShardDisconnect, ({ code }) => log.fatal({ code }, 'Discord has ended the connection for good, so the bot ends: start it again, and it says what is to be done'))
  // Without these the bot still speaks: a failure here is no reason to end it.
  const warn = (what: string) => (error: unknown) => log.error({ err: error }, `${what} failed; restart the bot to try again`)
  await ownersOf(client).then((ids) => ids.forEach((id) => admins.add(id)), warn('asking for the owner'))
  await keepRegistered(client, commands.map(({ data }) => data), app.commandIds, log).catch(warn('registering the commands'))
  return () => Promise.all(underWay)
}

/** The application's owner, or everybody in its team. */
async function ownersOf(client: Client): Promise<string[]> {
  const owner = (await client.application?.fetch())?.owner
  // Who was only invited has not said yes, and may be anybody.
  if (owner instanceof Team) return owner.members.filter(({ membershipState }) => membershipState === TeamMemberMembershipState.Accepted).map(({ id }) => id)
  return owner ? [owner.id] : []
}

const HOW_TO_READ = 'to let the bot read messages, switch on "Message Content Intent" (Discord Developer Portal, your application, "Bot") and start it again'

const isDisallowed = (error: unknown) => error instanceof Error && error.message.includes('disallowed intents')

function loginFault(error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'TokenInvalid' || (error instanceof DiscordAPIError && error.status === 401)) {
    return new LoginError('DISCORD_TOKEN is not a token that Discord knows. Copy it anew: Discord Developer Portal, your application, "Bot", "Reset Token".')
  }
  if (error instanceof TypeError || error instanceof SyntaxError) return new LoginError('What answers at DISCORD_API_URL is not Discord’s API.')
  return new LoginError(`Discord could not be reached: ${error instanceof Error ? error.message : String(error)}`)
}
