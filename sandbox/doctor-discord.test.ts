import { GatewayIntentBits, PermissionFlagsBits, REST } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerCommands } from '../bot/discord/register.ts'
import { diagnose, entries, envOf, partOf, startHealthyDiscord, startProgram, startRegistry, verdict } from './doctor-ward.ts'
import type { WardRegistry } from './doctor-ward.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { DEFAULT_GUILDS } from './seed.ts'
import { startSandbox } from './start.ts'
import type { Sandbox } from './start.ts'

let discord: Sandbox
let registry: WardRegistry
let node: FaultNode

beforeEach(async () => {
  discord = await startHealthyDiscord()
  registry = await startRegistry()
  node = await startFaultNode({ serverId: 'desk' })
  registry.call('register', { serverId: 'desk', apiUrl: node.url })
})
afterEach(async () => {
  await Promise.all([discord.close(), registry.close(), node.close()])
})

const run = (more: Record<string, string> = {}) => diagnose({ ...envOf(discord), GAS_URL: registry.url, ...more })
const guild = () => {
  const [first] = discord.world.guilds.values()
  if (first === undefined) throw new Error('no server')
  return first
}
const register = (data: typeof entries, guildId?: string) =>
  registerCommands(new REST({ api: discord.apiUrl }).setToken(discord.token), { applicationId: discord.world.application.id, guildId }, data)

const ALL_WELL = ['ok discord.token', 'ok discord.intent', 'ok discord.permissions', 'ok discord.commands']

describe('the doctor on Discord', () => {
  it('says that all is well, over REST alone, and writes nothing', async () => {
    const before = structuredClone([...discord.world.commands])
    const report = await run()
    expect([verdict(report), partOf(report, 'discord')]).toEqual([[0], ALL_WELL])
    expect([discord.gateway.sessionCount(), [...discord.world.commands]]).toEqual([0, before])
    expect(report.findings[1]?.evidence).toEqual({ applicationId: discord.world.application.id, name: discord.world.application.name })
  })

  it('names a token that is missing, and looks at the rest of the chain all the same', async () => {
    const report = await run({ DISCORD_TOKEN: '' })
    expect([verdict(report), partOf(report, 'nodes')]).toEqual([[2, 'discord.token-missing', 'discord.unseen'], ['ok node.ok', 'ok nodes.usable']])
  })

  it('names a wrong token, without telling it', async () => {
    const token = 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.Wrong.not-the-token-of-this-sandbox'
    const report = await run({ DISCORD_TOKEN: token })
    expect(verdict(report)).toEqual([2, 'discord.token-wrong', 'discord.unseen'])
    expect(JSON.stringify(report)).not.toContain(token)
  })

  it('tells a Discord that can’t be reached from one that is none', async () => {
    const page = await startProgram((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome</p>'))
    expect(verdict(await run({ DISCORD_API_URL: `${page.origin}/api` }))).toEqual([2, 'discord.not-discord', 'discord.unseen'])
    await page.close()
    expect(verdict(await run({ DISCORD_API_URL: `${page.origin}/api` }))).toEqual([2, 'discord.unreachable', 'discord.unseen'])
  })

  it.each([
    [403, {}, 'refuses this machine for now (status 403).', /^Try from another network: .*DISCORD_API_URL/],
    [429, { 'retry-after': '3600' }, 'refuses this machine for now (status 429).', /^Wait for 60 min, and run the doctor again: .*DISCORD_API_URL/],
    // Without a time discord.js would ask again and again.
    [429, {}, 'refuses this machine for now (status 429).', /^Wait for some minutes/],
    [503, {}, 'can’t answer for now (status 503).', /^Run the doctor again in a minute/]
  ])('takes status %i %j for the word of one who stands before Discord, asks once, and quotes nothing of it', async (status, headers, message, nextStep) => {
    let asked = 0
    const cloudflare = await startProgram((_, response) => {
      asked++
      response.writeHead(status, { ...headers, 'content-type': 'text/plain' }).end('error code: 1010')
    })
    const report = await run({ DISCORD_API_URL: `${cloudflare.origin}/api` })
    expect([verdict(report), asked]).toEqual([[2, 'discord.unreachable', 'discord.unseen'], 1])
    expect(report.findings.find(({ id }) => id === 'discord.unreachable')).toMatchObject({ message, nextStep: expect.stringMatching(nextStep) as string })
    expect(JSON.stringify(report)).not.toContain('1010')
    await cloudflare.close()
  })

  it('takes the first 429 for the answer, and looks at the rest', async () => {
    discord.switches.forced.push({ path: /users\/@me\/guilds$/, status: 429, times: 1, retryAfterSecs: 60 })
    const report = await run()
    expect(verdict(report)).toEqual([1, 'discord.permissions-unseen', 'discord.commands-unseen'])
    expect(report.findings.find(({ id }) => id === 'discord.permissions-unseen')?.evidence).toEqual({ reason: 'status 429' })
  })

  it('takes it for no commands of its own that a server was invited without them', async () => {
    discord.switches.forced.push({ path: /guilds\/\d+\/commands$/, status: 403, times: 100 })
    expect(verdict(await run())).toEqual([0])
  })

  it('names a missing intent, with which all but /read works', async () => {
    discord.switches.disallowedIntents = GatewayIntentBits.MessageContent
    expect(verdict(await run())).toEqual([1, 'discord.intent-missing'])
  })

  it('names the permissions that the bot lacks in a server, by README’s names', async () => {
    const take = (...rights: bigint[]) => {
      for (const role of guild().roles.values()) for (const right of rights) role.permissions &= ~right
    }
    take(PermissionFlagsBits.ReadMessageHistory)
    const partly = await run()
    expect([partly.exitCode, partOf(partly, 'discord')[2]]).toEqual([0, 'note discord.permissions-partly'])
    take(PermissionFlagsBits.Speak, PermissionFlagsBits.AttachFiles, PermissionFlagsBits.Administrator)
    const report = await run()
    expect(verdict(report)).toEqual([1, 'discord.permissions-missing'])
    expect(report.findings.find(({ id }) => id === 'discord.permissions-missing')?.evidence['missing']).toEqual(['Attach Files', 'Speak', 'Read Message History'])
  })

  it('tells a bot in no server from one that lacks permissions', async () => {
    discord.world.guilds.clear()
    expect(verdict(await run())).toEqual([1, 'discord.no-server'])
  })

  it('looks at ten servers, and says that there are more', async () => {
    const [seed] = DEFAULT_GUILDS
    if (seed === undefined) throw new Error('no seed')
    const many = await startSandbox({ guilds: Array.from({ length: 12 }, (_, index) => ({ ...seed, name: `Server ${index}` })), switches: { rateLimits: false } })
    const report = await diagnose({ ...envOf(many), GAS_URL: registry.url })
    expect(partOf(report, 'discord').filter((line) => line === 'ok discord.permissions')).toHaveLength(10)
    expect(partOf(report, 'discord')).toContain('note discord.servers-more')
    await many.close()
  })

  it('names commands that are nowhere registered', async () => {
    discord.world.commands.clear()
    expect(verdict(await run())).toEqual([2, 'discord.commands-missing'])
  })

  it('names those that are missing, different, or not ours', async () => {
    const [first, second, ...rest] = entries
    if (first === undefined || second === undefined) throw new Error('too few commands')
    await register([{ ...second, default_member_permissions: '8' }, ...rest, { name: 'old', description: 'No more' }])
    const report = await run()
    expect(verdict(report)).toEqual([1, 'discord.commands-different'])
    expect(report.findings.find(({ id }) => id === 'discord.commands-different')?.evidence).toEqual({ missing: [first.name], changed: [second.name], extra: ['old'] })
  })

  it('names those that show twice, and takes those of one server alone as well', async () => {
    await register(entries, guild().id)
    const doubled = await run()
    expect(verdict(doubled)).toEqual([1, 'discord.commands-doubled'])
    expect(doubled.findings.find(({ id }) => id === 'discord.commands-doubled')?.nextStep).toContain(`--remove-guild ${guild().id}`)
    for (const [id, { guildId }] of discord.world.commands) if (guildId === null) discord.world.commands.delete(id)
    expect(verdict(await run())).toEqual([0])
  })

  it('says what it could not look at, and does not take it for well', async () => {
    discord.switches.forced.push({ path: /users\/@me\/guilds$/, status: 503, times: 100 })
    expect(verdict(await run())).toEqual([1, 'discord.permissions-unseen', 'discord.commands-unseen'])
  })
})
