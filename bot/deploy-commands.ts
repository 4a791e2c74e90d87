import { parseArgs } from 'node:util'
import { DiscordAPIError, HTTPError, REST } from 'discord.js'
import { commands } from '../commands/index.ts'
import { readConfig } from './core/config.ts'
import { deployCommands } from './discord/deploy.ts'
import type { Deployment } from './discord/deploy.ts'

/** `npm run deploy:commands`: registers the commands with Discord and ends. Exit 0: they are as they should be; 1: they are not, and why. */
const USAGE = [
  'npm run deploy:commands                          for every server',
  'npm run deploy:commands -- --guild ID            for one server alone, while you try things out',
  'npm run deploy:commands -- --remove-guild ID     takes them from that server',
  'npm run deploy:commands -- --remove-global       takes those for every server away'
]
const FLAGS = { guild: { type: 'string' }, 'remove-guild': { type: 'string' }, 'remove-global': { type: 'boolean' } } as const

function deploymentOf(args: string[]): Deployment | undefined {
  try {
    const { guild, 'remove-guild': fromGuild, 'remove-global': fromAll } = parseArgs({ args, options: FLAGS }).values
    if ([guild, fromGuild, fromAll].filter((value) => value !== undefined).length > 1) return undefined
    const guildId = guild ?? fromGuild
    if (guildId === undefined) return fromAll ? { to: 'removeGlobal' } : { to: 'everywhere' }
    if (!/^\d{15,21}$/.test(guildId)) return undefined
    return guild === undefined ? { to: 'removeGuild', guildId } : { to: 'guild', guildId }
  } catch {
    return undefined
  }
}

async function deploy(): Promise<boolean> {
  const deployment = deploymentOf(process.argv.slice(2))
  if (deployment === undefined) return say(false, USAGE)
  const read = readConfig(process.env)
  if (!read.ok) return say(false, read.faults)
  const { DISCORD_TOKEN: token, DISCORD_API_URL: api } = read.config
  if (token === undefined) return say(false, ['DISCORD_TOKEN is not set: it is the token of your application. README, "For real", says where it comes from.'])
  try {
    const { ok, lines } = await deployCommands(new REST(api === undefined ? {} : { api }).setToken(token), deployment, commands.map(({ data }) => data))
    return say(ok, lines)
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 401) return say(false, ['DISCORD_TOKEN is not a token that Discord knows.'])
    if (error instanceof DiscordAPIError || error instanceof HTTPError) return say(false, [`Discord refused: ${error.message}`])
    return say(false, [`Discord could not be reached: ${error instanceof Error ? error.message : String(error)}`])
  }
}

function say(ok: boolean, lines: readonly string[]): boolean {
  for (const line of lines) (ok ? console.log : console.error)(line)
  return ok
}

process.exitCode = (await deploy()) ? 0 : 1
