import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBot } from '../bot/compose.ts'
import type { Bot } from '../bot/compose.ts'
import type { Clock } from '../bot/core/clock.ts'
import { readConfig } from '../bot/core/config.ts'
import type { Config } from '../bot/core/config.ts'
import { createLog, silentLog } from '../bot/core/log.ts'
import type { OptionValue } from './acts/command-options.ts'
import { startSandbox } from './start.ts'
import type { Sandbox, SandboxOptions } from './start.ts'
import type { Channel, Interaction, Message } from './world.ts'

export interface Stage {
  sandbox: Sandbox
  bot: Bot
  guildId: string
  /** A channel's or a person's id by its name. */
  channel: (name: string) => string
  person: (name: string) => string
  /** What a node does at the start of its life. */
  register(node: { serverId: string; url: string }, more?: object): Promise<unknown>
  /** One call of the registry, as any caller would make it. */
  registry(action: string, body: object): Promise<Record<string, unknown>>
  /** Types a command and waits for its first answer. */
  reply(name: string, channel: string, command: string, options?: Record<string, OptionValue>, path?: { subcommand?: string }): Promise<Message>
  slash(name: string, channel: string, command: string, options?: Record<string, OptionValue>, path?: { subcommand?: string }): Interaction
  /** Resolves with the reply once it reads like this. */
  replyLike(interaction: Interaction, wanted: RegExp): Promise<Message>
  /** Ends the bot and starts another on the same disk. */
  restart(): Promise<void>
  close: () => Promise<void>
}

/** The whole system in one process for a test: the sandbox's Discord and the bot, with an embedded registry, on a disk of its own. */
export async function openStage(options: { env?: Record<string, string>; sandbox?: SandboxOptions; clock?: Clock } = {}): Promise<Stage> {
  const sandbox = await startSandbox(options.sandbox)
  const dataDir = mkdtempSync(join(tmpdir(), 'voxpool-stage-'))
  const config = configOf({
    DISCORD_TOKEN: sandbox.token,
    DISCORD_API_URL: sandbox.apiUrl,
    NODE_HOSTS: '127.0.0.1',
    DATA_DIR: dataDir,
    HTTP_PORT: '0',
    ...options.env
  })
  const log = process.env['STAGE_LOG'] === undefined ? silentLog : createLog(process.env['STAGE_LOG'])
  const open = () => startBot({ config, log, ...(options.clock !== undefined && { clock: options.clock }) })
  let bot = await open()

  const guild = [...sandbox.world.guilds.values()][0]
  if (guild === undefined) throw new Error('the sandbox has no server')
  const named = <T extends { id: string }>(all: Iterable<T>, is: (each: T) => boolean, name: string): string => {
    for (const each of all) if (is(each)) return each.id
    throw new Error(`there is no ${name}`)
  }
  const channel = (name: string) => named<Channel>(guild.channels.values(), (each) => each.name === name, name)
  const person = (name: string) => named(sandbox.world.users.values(), (each) => each.displayName === name || each.username === name, name)

  async function registry(action: string, body: object): Promise<Record<string, unknown>> {
    const response = await fetch(`http://127.0.0.1:${bot.httpPort}/registry?action=${action}`, { method: 'POST', body: JSON.stringify(body) })
    return (await response.json()) as Record<string, unknown>
  }

  const stage: Stage = {
    sandbox,
    get bot() {
      return bot
    },
    guildId: guild.id,
    channel,
    person,
    registry,
    async register({ serverId, url }, more = {}) {
      await registry('register', { serverId, apiUrl: url, capacity: 10, ...more })
      await bot.app.sync.now()
      const isKnown = () => bot.app.pool.nodes().some((each) => each.serverId === serverId && each.apiUrl === url && each.health.state === 'ready')
      for (let look = 0; look < 100 && !isKnown(); look++) await new Promise((resolve) => setTimeout(resolve, 20))
    },
    slash: (name, place, command, given = {}, path = {}) => sandbox.act.slash(person(name), channel(place), command, given, path),
    reply: async (...what) => sandbox.act.replyOf(stage.slash(...what).id),
    async replyLike(interaction, wanted) {
      const read = () => sandbox.world.messages.get(interaction.messageIds[0] ?? '')
      await sandbox.act.until(() => wanted.test(read()?.content ?? ''))
      const message = read()
      if (message === undefined) throw new Error('the reply is gone')
      return message
    },
    async restart() {
      await bot.close()
      bot = await open()
    },
    async close() {
      await bot.close()
      await sandbox.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  return stage
}

function configOf(env: Record<string, string>): Config {
  const read = readConfig(env)
  if (!read.ok) throw new Error(read.faults.join('\n'))
  return read.config
}
