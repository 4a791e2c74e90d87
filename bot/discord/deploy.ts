import { DiscordAPIError, Routes } from 'discord.js'
import type { APIApplication, Client, REST } from 'discord.js'
import type { Log } from '../core/log.ts'
import type { Entry } from './command.ts'
import { registerCommands, registeredAt } from './register.ts'
import type { Registration } from './register.ts'

/** Servers that are looked at for commands of their own: an application that is tried out has few. */
const GUILDS_LOOKED_AT = 25

export type Deployment = { to: 'everywhere' } | { to: 'guild'; guildId: string } | { to: 'removeGlobal' } | { to: 'removeGuild'; guildId: string }

/**
 * Registers the commands once, globally or in one server, never both: where both are there Discord shows each twice. `lines` say what was done,
 * or why nothing was.
 * @throws what discord.js does
 */
export async function deployCommands(rest: REST, deployment: Deployment, entries: readonly Entry['data'][]): Promise<{ ok: boolean; lines: string[] }> {
  const { id: applicationId } = (await rest.get(Routes.currentApplication())) as APIApplication
  switch (deployment.to) {
    case 'everywhere': {
      const twice = await guildsWithCommands(rest, applicationId, await guildsOf(rest))
      if (twice.length > 0) {
        return refused('Some servers have commands of their own, which would show twice there. Remove them first:', twice.map((id) => `--remove-guild ${id}`))
      }
      return { ok: true, lines: linesOf(await registerCommands(rest, { applicationId }, entries), 'everywhere') }
    }
    case 'guild': {
      const { guildId } = deployment
      if ((await registeredAt(rest, { applicationId })).length > 0) {
        return refused('The commands are registered everywhere, and would show twice in that server. Remove those first:', ['--remove-global'])
      }
      return { ok: true, lines: linesOf(await registerCommands(rest, { applicationId, guildId }, entries), `in server ${guildId}`) }
    }
    case 'removeGlobal':
      return { ok: true, lines: linesOf(await registerCommands(rest, { applicationId }, []), 'everywhere') }
    case 'removeGuild':
      return { ok: true, lines: linesOf(await registerCommands(rest, { applicationId, guildId: deployment.guildId }, []), `in server ${deployment.guildId}`) }
  }
}

/**
 * What the bot does at its start: the same, where the commands are already; everywhere when they are nowhere. Fills `ids`, for mentions of commands.
 * @throws what discord.js does
 */
export async function keepRegistered(client: Client, entries: readonly Entry['data'][], ids: Map<string, string>, log: Log): Promise<void> {
  const { rest, application } = client
  if (application === null) return
  const where = { applicationId: application.id }
  const there = await registeredAt(rest, where)
  const guildIds = there.length > 0 ? [] : await guildsWithCommands(rest, where.applicationId, [...client.guilds.cache.keys()])
  const places = guildIds.length > 0 ? guildIds.map((guildId) => ({ ...where, guildId })) : [where]
  for (const place of places) {
    const { created, changed, deleted, ids: given } = await registerCommands(rest, place, entries, guildIds.length > 0 ? undefined : there)
    for (const [name, id] of given) ids.set(name, id)
    if (created.length + changed.length + deleted.length > 0) log.info({ created, changed, deleted }, 'commands registered')
  }
}

async function guildsOf(rest: REST): Promise<string[]> {
  return ((await rest.get(Routes.userGuilds())) as { id: string }[]).map(({ id }) => id)
}

async function guildsWithCommands(rest: REST, applicationId: string, guildIds: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const guildId of guildIds.slice(0, GUILDS_LOOKED_AT)) if (await hasCommands(rest, applicationId, guildId)) found.push(guildId)
  return found
}

/** A server that invited the bot without its commands answers 403: there is nothing twice. */
async function hasCommands(rest: REST, applicationId: string, guildId: string): Promise<boolean> {
  try {
    return (await registeredAt(rest, { applicationId, guildId })).length > 0
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 403) return false
    throw error
  }
}

const refused = (why: string, flags: readonly string[]) => ({ ok: false, lines: [why, ...flags.map((flag) => `  npm run deploy:commands -- ${flag}`)] })

function linesOf({ created, changed, deleted, same }: Registration, where: string): string[] {
  const rows = [['created', created], ['changed', changed], ['deleted', deleted], ['same', same]] as const
  return [`Commands ${where}:`, ...rows.map(([what, names]) => `  ${what.padEnd(8)}${names.length}${names.length > 0 ? `  ${names.join(', ')}` : ''}`)]
}
