import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ApplicationCommandOptionType, ApplicationCommandType, InteractionContextType, REST, RESTEvents } from 'discord.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Entry } from '../bot/discord/command.ts'
import { told } from '../bot/discord/command.ts'
import { deployCommands } from '../bot/discord/deploy.ts'
import type { Deployment } from '../bot/discord/deploy.ts'
import { registerCommands } from '../bot/discord/register.ts'
import { commands } from '../commands/index.ts'
import { openStage } from './stage.ts'
import { startSandbox } from './start.ts'
import type { Sandbox } from './start.ts'

const SCRIPT = fileURLToPath(new URL('../bot/deploy-commands.ts', import.meta.url))

const ours = commands.map(({ data }) => data)
const wave: Entry['data'] = {
  ...told(['wave', '手を振る', '손흔들기'], ['Wave', '手を振ります', '손을 흔듭니다']),
  contexts: [InteractionContextType.Guild],
  options: [
    {
      ...told(['how', 'どう', '방법'], ['How', 'どのように', '어떻게']),
      type: ApplicationCommandOptionType.String,
      choices: [{ name: 'gladly', value: 'gladly', name_localizations: { ja: '喜んで', ko: '기쁘게' } }]
    }
  ]
}

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = await startSandbox({ switches: { rateLimits: false } })
})
afterEach(() => sandbox.close())

const guildId = () => [...sandbox.world.guilds.keys()][0] ?? ''
const inScope = (scope: string | null) => [...sandbox.world.commands.values()].filter((command) => command.guildId === scope).map(({ data }) => data.name)

/** Registers, and says which writes were sent. */
async function register(entries: readonly Entry['data'][], where: { guildId?: string } = {}) {
  const writes: string[] = []
  const rest = new REST({ api: sandbox.apiUrl }).setToken(sandbox.token)
  rest.on(RESTEvents.Response, ({ method }) => {
    if (method !== 'GET') writes.push(method)
  })
  return { writes, ...(await registerCommands(rest, { applicationId: sandbox.world.application.id, ...where }, entries)) }
}

describe('registering the commands', () => {
  it('sends all at once the first time, and nothing when nothing differs, globally and in one server', async () => {
    for (const where of [{}, { guildId: guildId() }]) {
      expect(await register(ours, where)).toMatchObject({ writes: ['PUT'], created: ours.map(({ name }) => name) })
      expect(await register(ours, where)).toMatchObject({ writes: [], same: ours.map(({ name }) => name) })
    }
  })

  it('changes, makes and deletes only what differs, and keeps the ids', async () => {
    const before = await register([...ours, wave])
    const changed = ours.map((data, index) => (index === 0 ? { ...data, default_member_permissions: '8' } : data))
    const after = await register([...changed, { ...wave, name: 'nod' }])
    expect(after).toMatchObject({ writes: ['DELETE', 'PATCH', 'POST'], deleted: ['wave'], changed: [ours[0]?.name], created: ['nod'] })
    expect(after.ids.get(ours[0]?.name ?? '')).toBe(before.ids.get(ours[0]?.name ?? ''))
    expect([...after.ids.keys()].sort()).toEqual([...inScope(null)].sort())
  })

  const choice = { name: 'gladly', value: 'gladly', name_localizations: { ja: 'よろこんで', ko: '기쁘게' } }
  it.each<[string, object]>([
    ['a name in Japanese', { name_localizations: { ja: '振る', ko: '손흔들기' } }],
    ['a description in Korean', { description_localizations: { ja: '手を振ります', ko: '손을 흔들어요' } }],
    ['a language that is gone', { name_localizations: null }],
    ['an option’s description in Japanese', { options: [{ ...wave.options?.[0], description_localizations: { ja: 'どうやって', ko: '어떻게' } }] }],
    ['a choice in Japanese', { options: [{ ...wave.options?.[0], choices: [choice] }] }],
    ['an option that is required now', { options: [{ ...wave.options?.[0], required: true }] }],
    ['options that are gone', { options: [] }],
    ['permissions', { default_member_permissions: '0' }],
    ['where it may be used', { contexts: null }]
  ])('sees %s', async (_what, change) => {
    await register([wave])
    expect(await register([{ ...wave, ...change }])).toMatchObject({ writes: ['PATCH'], changed: ['wave'] })
    expect(await register([{ ...wave, ...change }])).toMatchObject({ writes: [] })
    expect(await register([wave])).toMatchObject({ writes: ['PATCH'] })
  })

  it('tells a slash command from a menu entry of the same name', async () => {
    const menu: Entry['data'] = { type: ApplicationCommandType.Message, name: 'wave', contexts: [InteractionContextType.Guild] }
    await register([wave, menu])
    expect(await register([wave, menu])).toMatchObject({ writes: [] })
    expect(await register([wave])).toMatchObject({ writes: ['DELETE'], same: ['wave'] })
  })
})

describe('what Discord itself put there', () => {
  it('is left alone: the entry that opens an application’s activity', async () => {
    sandbox.world.commands.set('1200000000000000009', { id: '1200000000000000009', guildId: null, data: { name: 'launch', type: 4 } })
    expect((await register([wave])).writes).toEqual(['POST'])
    expect((await register([])).writes).toEqual(['DELETE'])
    expect(inScope(null)).toEqual(['launch'])
  })
})

describe('a deployment', () => {
  const deploy = (deployment: Deployment) => deployCommands(new REST({ api: sandbox.apiUrl }).setToken(sandbox.token), deployment, ours)
  const all = ours.map(({ name }) => name)
  const line = (what: string) => expect.stringMatching(new RegExp(`^  ${what.padEnd(8)}${ours.length}  say, `)) as string

  it('is in one server or everywhere, never both', async () => {
    const here = { to: 'guild', guildId: guildId() } as const
    expect((await deploy(here)).lines).toContainEqual(line('created'))
    expect(await deploy({ to: 'everywhere' })).toMatchObject({ ok: false, lines: [expect.stringContaining('twice') as string, expect.stringContaining(`--remove-guild ${here.guildId}`) as string] })
    expect([inScope(here.guildId), inScope(null)]).toEqual([all, []])
    expect((await deploy({ to: 'removeGuild', guildId: here.guildId })).lines).toContainEqual(line('deleted'))
    expect((await deploy({ to: 'everywhere' })).lines).toContainEqual(line('created'))
    expect((await deploy({ to: 'everywhere' })).lines).toContainEqual(line('same'))
    expect(await deploy(here)).toMatchObject({ ok: false, lines: [expect.stringContaining('twice') as string, expect.stringContaining('--remove-global') as string] })
    expect([inScope(here.guildId), inScope(null)]).toEqual([[], all])
    expect((await deploy({ to: 'removeGlobal' })).lines).toContainEqual(line('deleted'))
    expect(sandbox.world.commands.size).toBe(0)
  })
})

describe('npm run deploy:commands', () => {
  const run = (...args: string[]) => runWith(sandbox.token, args)
  async function runWith(token: string, args: string[] = []) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', SCRIPT, ...args], {
      env: { PATH: process.env['PATH'] ?? '', DISCORD_TOKEN: token, DISCORD_API_URL: sandbox.apiUrl },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
    const [code] = (await once(child, 'exit')) as [number | null]
    return { code, said }
  }

  it('registers where it is told to, and says what it did', async () => {
    expect(await run('--guild', guildId())).toEqual({ code: 0, said: expect.stringMatching(new RegExp(`^Commands in server ${guildId()}:\n  created ${ours.length}  say, `)) as string })
    expect(inScope(guildId())).toEqual(ours.map(({ name }) => name))
    expect(await run()).toEqual({ code: 1, said: expect.stringContaining(`-- --remove-guild ${guildId()}\n`) as string })
  })

  it.each([['', 'DISCORD_TOKEN is not set'], ['MTEwMDAwMDAwMDAwMDAwMDAwMQ.Wrong.token', 'not a token that Discord knows']])('says what is wrong with the token "%s"', async (token, words) => {
    expect(await runWith(token)).toMatchObject({ code: 1, said: expect.stringContaining(words) as string })
  })

  it.each(['--guild Lounge', '--everywhere', '--guild 100000000000000000 --remove-global'])('shows how it is used: %s', async (args) => {
    expect(await run(...args.split(' '))).toMatchObject({ code: 1, said: expect.stringContaining('--remove-guild ID') as string })
    expect(sandbox.world.commands.size).toBe(0)
  })
})

describe('the bot at its start', () => {
  it('registers once, mends what differs, and follows where the commands are', async () => {
    const stage = await openStage()
    try {
      const { world } = stage.sandbox
      let writes = 0
      world.events.on('commands', () => (writes += 1))
      await stage.restart()
      expect(writes).toBe(0)
      const [first] = world.commands.values()
      if (first === undefined) throw new Error('no command')
      first.data = { ...first.data, name_localizations: { ja: 'ちがう' } }
      await stage.restart()
      expect([writes, first.data['name_localizations']]).toEqual([1, ours[0]?.name_localizations])
      expect(stage.bot.app.commandIds.get(first.data.name)).toBe(first.id)

      for (const command of world.commands.values()) command.guildId = stage.guildId
      await stage.restart()
      expect([...world.commands.values()].every(({ guildId }) => guildId === stage.guildId)).toBe(true)
      expect([writes, stage.bot.app.commandIds.size]).toEqual([1, ours.length])
    } finally {
      await stage.close()
    }
  })
})
