import { DiscordAPIError, REST, Routes } from 'discord.js'
import type { APIApplicationCommand } from 'discord.js'
import * as z from 'zod'
import { limited } from '../core/clock.ts'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { registeredAt } from '../discord/register.ts'
import { Refused, requestOnce } from './discord-refusal.ts'

/** What could be looked at, or why not. */
export type Look<T> = { seen: true; value: T } | { seen: false; reason: string }

export interface ServerSeen {
  id: string
  name: string
  /** Before any channel's own rules. */
  permissions: bigint
  /** Its commands of its own. */
  commands: Look<APIApplicationCommand[]>
}

export type DiscordSeen =
  | { token: 'missing' | 'wrong' | 'notDiscord' }
  | { token: 'unreachable'; reason: string }
  | { token: 'refused'; status: number; waitSec: number | undefined }
  | {
      token: 'valid'
      application: { id: string; name: string; flags: number }
      /** Registered for every server. */
      commands: Look<APIApplicationCommand[]>
      servers: Look<{ first: ServerSeen[]; count: number }>
    }

/** Servers that are looked at: a bot may be in thousands. */
const SERVERS_MAX = 10
const CALL_LIMIT_MS = 10_000
/** All calls together, discord.js' own waits for rate limits included. */
const TOTAL_LIMIT_MS = 25_000

const Application = z.object({ id: z.string(), name: z.string(), flags: z.number().default(0) })
const Servers = z.array(z.object({ id: z.string(), name: z.string(), permissions: z.string().regex(/^\d{1,30}$/) }))

/** Asks Discord over REST alone: no gateway, nothing written, so that a bot that runs is not disturbed. Takes 25 s at most. Never rejects. */
export async function seeDiscord({ DISCORD_TOKEN: token, DISCORD_API_URL: api }: Config, clock: Clock): Promise<DiscordSeen> {
  if (token === undefined) return { token: 'missing' }
  const rest = new REST({ makeRequest: requestOnce, timeout: CALL_LIMIT_MS, retries: 0, ...(api !== undefined && { api }) }).setToken(token)
  const { signal, release } = limited(clock, TOTAL_LIMIT_MS, () => new Error('no answer in time'))
  try {
    const application = Application.safeParse(await before(signal, rest.get(Routes.currentApplication(), { signal })))
    if (!application.success) return { token: 'notDiscord' }
    const { id: applicationId } = application.data
    const registered = look(before(signal, registeredAt(rest, { applicationId })))
    const [commands, servers] = await Promise.all([registered, look(seeServers(rest, applicationId, signal))])
    return { token: 'valid', application: application.data, commands, servers }
  } catch (error) {
    return faultOf(error)
  } finally {
    release()
    rest.clearHashSweeper()
    rest.clearHandlerSweeper()
  }
}

async function seeServers(rest: REST, applicationId: string, signal: AbortSignal): Promise<{ first: ServerSeen[]; count: number }> {
  const all = Servers.parse(await before(signal, rest.get(Routes.userGuilds(), { signal, query: new URLSearchParams({ limit: '200' }) })))
  const first = all.slice(0, SERVERS_MAX).map(async ({ id, name, permissions }) => {
    const commands = await look(before(signal, commandsOf(rest, applicationId, id)))
    return { id, name, permissions: BigInt(permissions), commands }
  })
  return { first: await Promise.all(first), count: all.length }
}

/** A server that invited the bot without its commands answers 403: it has none of its own. */
async function commandsOf(rest: REST, applicationId: string, guildId: string): Promise<APIApplicationCommand[]> {
  try {
    return await registeredAt(rest, { applicationId, guildId })
  } catch (error) {
    if (error instanceof Refused && error.status === 403) return []
    throw error
  }
}

/** A call waits in discord.js' own queue, too, which knows no limit. */
function before<T>(signal: AbortSignal, call: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    call.then(resolve, reject)
  })
}

const look = <T>(call: Promise<T>): Promise<Look<T>> =>
  call.then(
    (value) => ({ seen: true, value }),
    (error: unknown) => ({ seen: false, reason: reasonOf(error) })
  )

function faultOf(error: unknown): DiscordSeen {
  if (error instanceof Refused) return { token: 'refused', status: error.status, waitSec: error.waitSec }
  if (error instanceof DiscordAPIError && error.status === 401) return { token: 'wrong' }
  if (error instanceof Error && 'code' in error && error.code === 'TokenInvalid') return { token: 'wrong' }
  if (error instanceof DiscordAPIError || error instanceof TypeError || error instanceof SyntaxError) return { token: 'notDiscord' }
  return { token: 'unreachable', reason: reasonOf(error) }
}

/** Never the message of a fault of the connection: what it quotes is nobody's to choose. */
function reasonOf(error: unknown): string {
  if (error instanceof DiscordAPIError || error instanceof Refused) return `status ${error.status}`
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'AbortError' || error.message === 'no answer in time') return 'no answer in time'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
