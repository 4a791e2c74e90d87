import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

const option = (name: string, more: object = {}) => ({ type: 3, name, description: 'An option', ...more })
const command = (name: string, more: object = {}) => ({ name, description: 'A command', ...more })

describe('registering commands', () => {
  let bot: SandboxWithBot
  beforeAll(async () => {
    bot = await sandboxWithBot({ switches: { rateLimits: false } })
  })
  afterAll(() => bot.close())
  beforeEach(() => bot.sandbox.world.commands.clear())

  const base = () => `/applications/${bot.client.application.id}/commands`
  const put = (commands: unknown[], path = base()) => bot.api('PUT', path, commands)
  const ids = async (response: Response) => ((await response.json()) as { id: string }[]).map(({ id }) => id)

  it('replaces the whole list, and a command of the same name keeps its id', async () => {
    const [say, stop] = await ids(await put([command('say'), command('stop')]))
    expect(await ids(await put([command('say', { description: 'Changed' })]))).toEqual([say])
    expect(bot.sandbox.world.commands.has(stop ?? '')).toBe(false)
    expect([...bot.sandbox.world.commands.values()].map(({ data }) => data['description'])).toEqual(['Changed'])
  })

  it('keeps the commands of a guild apart from the global ones', async () => {
    const guildPath = `/applications/${bot.client.application.id}/guilds/${bot.guild.id}/commands`
    await put([command('say')])
    await put([command('say')], guildPath)
    expect([...bot.sandbox.world.commands.values()].map(({ guildId }) => guildId)).toEqual([null, bot.guild.id])
    await put([], guildPath)
    expect(bot.sandbox.world.commands.size).toBe(1)
    expect((await put([], `/applications/${bot.client.application.id}/guilds/1/commands`)).status).toBe(403)
  })

  it('creates, changes, reads and deletes one', async () => {
    const created = await bot.api('POST', base(), command('say'))
    expect(created.status).toBe(201)
    const { id } = (await created.json()) as { id: string }
    expect((await bot.api('POST', base(), command('say'))).status).toBe(200)
    expect(await (await bot.api('PATCH', `${base()}/${id}`, { description: 'Changed' })).json()).toMatchObject({ id, name: 'say', description: 'Changed' })
    expect((await bot.api('DELETE', `${base()}/${id}`)).status).toBe(204)
    expect(await (await bot.api('GET', `${base()}/${id}`)).json()).toMatchObject({ code: 10063 })
  })

  it.each([
    ['capital letters', command('Say'), ['0', 'name']],
    ['a space in the name', command('say it'), ['0', 'name']],
    ['a name of 33 characters', command('x'.repeat(33)), ['0', 'name']],
    ['no description', { name: 'say' }, ['0', 'description']],
    ['a description of 101 characters', command('say', { description: 'x'.repeat(101) }), ['0', 'description']],
    ['26 options', command('say', { options: Array.from({ length: 26 }, (_, n) => option(`o${n}`)) }), ['0', 'options']],
    ['26 choices', command('say', { options: [option('o', { choices: Array.from({ length: 26 }, (_, n) => ({ name: `c${n}`, value: `${n}` })) })] }), ['0', 'options', '0', 'choices']],
    ['a required option behind an optional one', command('say', { options: [option('a'), option('b', { required: true })] }), ['0', 'options', '1']],
    ['two options of one name', command('say', { options: [option('a'), option('a')] }), ['0', 'options']],
    ['a choice of the wrong type', command('say', { options: [{ ...option('a', { choices: [{ name: 'x', value: 'x' }] }), type: 4 }] }), ['0', 'options', '0', 'choices', '0', 'value']],
    ['a bad localisation', command('say', { name_localizations: { ja: 'Bad Name' } }), ['0', 'name_localizations', 'ja']],
    ['an unknown locale', command('say', { name_localizations: { xx: 'name' } }), ['0', 'name_localizations']]
  ])('refuses %s, naming the place', async (_what, body, path) => {
    const response = await put([body])
    expect(response.status).toBe(400)
    const { code, errors } = (await response.json()) as { code: number; errors: Record<string, unknown> }
    expect(code).toBe(50035)
    const at = path.reduce<unknown>((level, key) => (level as Record<string, unknown> | undefined)?.[key], errors)
    expect(at).toBeDefined()
    expect(bot.sandbox.world.commands.size).toBe(0)
  })

  it('refuses 101 commands, and two of one name', async () => {
    expect((await put(Array.from({ length: 101 }, (_, n) => command(`c${n}`)))).status).toBe(400)
    expect((await put(Array.from({ length: 100 }, (_, n) => command(`c${n}`)))).status).toBe(200)
    expect((await put([command('say'), command('say')])).status).toBe(400)
  })

  it('takes names of every script, subcommands and groups', async () => {
    const subcommand = { type: 1, name: '読む', description: 'x', options: [option('말', { required: true })] }
    const response = await put([command('しゃべる', { options: [{ type: 2, name: 'group', description: 'x', options: [subcommand] }] })])
    expect(await response.json()).toMatchObject([{ name: 'しゃべる', options: [{ name: 'group', options: [{ name: '読む' }] }] }])
  })
})
