import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { createWorld } from './create-world.ts'
import { guildNamed, userNamed } from './find.ts'
import { notified } from './mentions.ts'
import { permission, permissionsOf } from './permissions.ts'
import { DEFAULT_GUILDS } from './seed.ts'

const world = () => createWorld({ clock: manualClock(), token: 't', guilds: DEFAULT_GUILDS })

describe('notified', () => {
  const w = world()
  const guild = guildNamed(w, 'Voxpool Sandbox')
  const mina = userNamed(w, 'Mina').id
  const adminRole = guild.members.get(mina)!.roleIds[0]!

  it('reaches the members of a role, and the author of the message that is answered', () => {
    const haru = userNamed(w, 'Haru').id
    const context = { guild, mayMentionEveryone: false, repliedUserId: haru }
    expect(notified(`<@&${adminRole}>`, { ...context, allowed: undefined }).mentionedUserIds).toEqual([mina, haru])
    expect(notified(`<@&${adminRole}>`, { ...context, allowed: { parse: ['roles'] } }).mentionedUserIds).toEqual([mina])
    expect(notified('x', { ...context, allowed: { parse: [], replied_user: true } }).mentionedUserIds).toEqual([haru])
  })

  it('reaches everybody only for who may', () => {
    const all = (mayMentionEveryone: boolean) => notified('@everyone', { guild, allowed: undefined, mayMentionEveryone }).mentionsEveryone
    expect([all(true), all(false)]).toEqual([true, false])
  })

  it('reaches nobody at all when nothing is allowed, whatever the text is', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('@everyone ', '@here', `<@${mina}>`, `<@!${mina}>`, `<@&${adminRole}>`, '`', '```'))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const result = notified(parts.join(''), { guild, allowed: { parse: [] }, mayMentionEveryone: true, repliedUserId: mina })
        return result.mentionedUserIds.length === 0 && !result.mentionsEveryone
      })
    )
  })
})

describe('a new world', () => {
  it('has the same ids at every start, and rising ones for what comes later', () => {
    const [one, two] = [world(), world()]
    expect([...one.users.keys()]).toEqual([...two.users.keys()])
    expect([...guildNamed(one, 'Voxpool Sandbox').channels.keys()]).toEqual([...guildNamed(two, 'Voxpool Sandbox').channels.keys()])
    const later = Array.from({ length: 100 }, () => BigInt(one.nextId()))
    expect(later.every((id, index) => index === 0 || id > later[index - 1]!)).toBe(true)
  })
})

describe('permissionsOf', () => {
  const w = world()
  const guild = guildNamed(w, 'Voxpool Sandbox')
  const haru = userNamed(w, 'Haru').id
  const channel = [...guild.channels.values()][0]!
  const bits = () => permissionsOf(guild, haru, channel)

  it('lets a member overwrite win over a role overwrite, and hides all of a channel that is not seen', () => {
    channel.overwrites = [{ id: guild.id, kind: 'role', allow: 0n, deny: permission.SendMessages }]
    expect(bits() & permission.SendMessages).toBe(0n)
    channel.overwrites.push({ id: haru, kind: 'member', allow: permission.SendMessages, deny: 0n })
    expect(bits() & permission.SendMessages).toBe(permission.SendMessages)
    channel.overwrites.push({ id: haru, kind: 'member', allow: 0n, deny: permission.ViewChannel })
    expect(bits()).toBe(0n)
    channel.overwrites = []
  })

  it('gives the owner everything, a stranger nothing', () => {
    channel.overwrites = [{ id: guild.id, kind: 'role', allow: 0n, deny: permission.ViewChannel }]
    expect(permissionsOf(guild, guild.ownerId, channel) & permission.Administrator).toBe(permission.Administrator)
    expect(permissionsOf(guild, '1', channel)).toBe(0n)
    channel.overwrites = []
  })
})
