import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { createAdaptorServer } from '@hono/node-server'
import { REST } from 'discord.js'
import { systemClock } from '../bot/core/clock.ts'
import type { Clock } from '../bot/core/clock.ts'
import { silentLog } from '../bot/core/log.ts'
import { registerCommands } from '../bot/discord/register.ts'
import { examine } from '../bot/doctor/examine.ts'
import type { Report } from '../bot/doctor/report.ts'
import { embeddedRegistry } from '../bot/registry/embedded.ts'
import { commands } from '../commands/index.ts'
import { startSandbox } from './start.ts'
import type { Sandbox } from './start.ts'

export const entries = commands.map(({ data }) => data)

export const KEY = 'a-registry-key-of-the-ward'

/** A Discord with the commands registered, and no bot logged in. */
export async function startHealthyDiscord(): Promise<Sandbox> {
  const sandbox = await startSandbox({ switches: { rateLimits: false } })
  await registerCommands(new REST({ api: sandbox.apiUrl }).setToken(sandbox.token), { applicationId: sandbox.world.application.id }, entries)
  return sandbox
}

/** The settings of a bot at that Discord. */
export const envOf = ({ token, apiUrl }: Sandbox): Record<string, string> => ({ DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl, NODE_HOSTS: '127.0.0.1,.invalid', NODE_KEY: 'a-node-key-of-the-ward', REGISTRY_KEY: KEY })

export interface WardRegistry {
  url: string
  /** Added to the time that it knows. */
  shift(ms: number): void
  call(action: string, body: object): void
  close: () => Promise<void>
}

/** A registry with a key and a clock of its own, over HTTP. */
export async function startRegistry(): Promise<WardRegistry> {
  let shiftMs = 0
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + shiftMs }
  const registry = embeddedRegistry({ database: new DatabaseSync(':memory:'), key: KEY, clock, log: silentLog })
  const server = await listen(createAdaptorServer({ fetch: registry.routes().fetch }))
  return {
    url: `${server.origin}/registry`,
    shift: (ms) => (shiftMs = ms),
    call(action, body) {
      const reply = registry.handle({ method: 'POST', query: { action }, body: JSON.stringify({ ...body, key: KEY }) })
      if (!reply.ok) throw new Error(JSON.stringify(reply))
    },
    close: server.close
  }
}

/** A program that is none of ours. */
export const startProgram = (answer: RequestListener) => listen(createServer(answer))

async function listen(server: ReturnType<typeof createAdaptorServer>): Promise<{ origin: string; close: () => Promise<void> }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    }
  }
}

/** The doctor's report of these settings. */
export const diagnose = (env: Record<string, string>): Promise<Report> => examine(env, { clock: systemClock, entries })

/** The exit code, and every finding that is neither well nor a mere note. */
export const verdict = ({ exitCode, findings }: Report): [number, ...string[]] => [exitCode, ...findings.filter(({ level }) => level !== 'ok' && level !== 'note').map(({ id }) => id)]

/** The findings of these areas alone. */
export const partOf = ({ findings }: Report, ...areas: string[]): string[] => findings.filter(({ area }) => areas.includes(area)).map(({ id, level }) => `${level} ${id}`)
