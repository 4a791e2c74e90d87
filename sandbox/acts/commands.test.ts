import { beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { createWorld } from '../create-world.ts'
import { channelNamed, guildNamed, userNamed } from '../find.ts'
import { DEFAULT_GUILDS } from '../seed.ts'
import type { World } from '../world.ts'
import type { OptionValue } from './command-options.ts'
import { commandActs } from './commands.ts'
import { createWaits } from './waits.ts'

describe('typing a slash command', () => {
  let world: World
  const clock = manualClock()
  beforeEach(() => {
    world = createWorld({ clock, token: 't', guilds: DEFAULT_GUILDS })
  })

  function register(data: Record<string, unknown> & { name: string }, guildId: string | null = null) {
    world.commands.set(world.nextId(), { id: world.nextId(), guildId, data })
  }
  const option = (type: number, more: object = {}) => ({ name: 'o', description: 'x', type, ...more })
  function slash(name: string, options: Record<string, OptionValue> = {}, user = 'Haru', path = {}) {
    const guild = guildNamed(world, 'Voxpool Sandbox')
    return commandActs(world, clock, createWaits(world, clock)).slash(userNamed(world, user).id, channelNamed(guild, 'general').id, name, options, path)
  }

  it.each([
    [option(3, { required: true }), {}, 'o: This option is required.'],
    [option(3, { required: true }), { o: '' }, 'o: This option is required.'],
    [option(3, { max_length: 3 }), { o: 'four' }, 'o: Enter 0 to 3 characters.'],
    [option(3), { o: 'x'.repeat(6001) }, 'o: Enter 0 to 6000 characters.'],
    [option(3), { o: 5 }, 'o: Enter a text.'],
    [option(3, { choices: [{ name: 'A', value: 'a' }] }), { o: 'A' }, 'o: Choose one of the given choices.'],
    [option(4), { o: 1.5 }, 'o: Enter a whole number.'],
    [option(4, { max_value: 9 }), { o: 10 }, 'o: Enter at most 9.'],
    [option(10, { min_value: 0.5 }), { o: 0.25 }, 'o: Enter at least 0.5.'],
    [option(10), { o: Number.NaN }, 'o: Enter a number.'],
    [option(5), { o: 'true' }, 'o: Choose true or false.'],
    [option(6), { o: '1' }, 'o: Not found.'],
    [option(3), { other: 'x' }, 'There is no option "other".']
  ])('refuses what the client would: %j with %j', (definition, values, message) => {
    register({ name: 'say', options: [definition] })
    expect(() => slash('say', values)).toThrow(message)
    expect(world.interactions.size).toBe(0)
  })

  it('hides a command from who lacks its default permissions', () => {
    register({ name: 'nodes', default_member_permissions: '0' })
    register({ name: 'mute', default_member_permissions: String(1n << 22n) })
    expect(() => slash('nodes')).toThrow('There is no command /nodes here.')
    expect(() => slash('mute')).toThrow('There is no command /mute here.')
    expect(slash('nodes', {}, 'Mina').commandName).toBe('nodes')
  })

  it('nests subcommands, and wants one where there are some', () => {
    register({ name: 'nodes', options: [{ type: 1, name: 'disable', description: 'x', options: [option(3)] }] })
    expect(() => slash('nodes')).toThrow('Choose a subcommand.')
    expect(() => slash('nodes', {}, 'Haru', { subcommand: 'burn' })).toThrow('There is no subcommand "burn".')
    const { options } = slash('nodes', { o: 'red' }, 'Haru', { subcommand: 'disable' })
    expect(options).toEqual([{ name: 'disable', type: 1, options: [{ name: 'o', type: 3, value: 'red' }] }])
  })

  it('sends along what it names', () => {
    register({ name: 'who', options: [option(6)] })
    const mina = userNamed(world, 'Mina').id
    expect(slash('who', { o: mina }).data['resolved']).toMatchObject({ users: { [mina]: { global_name: 'Mina' } }, members: { [mina]: { nick: null } } })
  })

  it('sends along whom a text mentions', () => {
    register({ name: 'say', options: [option(3)] })
    const [mina, lounge] = [userNamed(world, 'Mina').id, channelNamed(guildNamed(world, 'Voxpool Sandbox'), 'Lounge').id]
    const { resolved } = slash('say', { o: `<@!${mina}> is in <#${lounge}>, not <@100000000000000009>` }).data
    expect(resolved).toMatchObject({ users: { [mina]: {} }, members: { [mina]: {} }, channels: { [lounge]: { name: 'Lounge' } } })
    expect(Object.keys((resolved as { users: object }).users)).toEqual([mina])
  })

  it("prefers the guild's own command to the global one of the same name", () => {
    register({ name: 'say', description: 'global' })
    register({ name: 'say', description: 'guild' }, guildNamed(world, 'Voxpool Sandbox').id)
    expect(slash('say').data['guild_id']).toBe(guildNamed(world, 'Voxpool Sandbox').id)
  })
})
