import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loggedIn, sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'

describe('messages over REST', () => {
  let bot: SandboxWithBot
  beforeAll(async () => {
    bot = await sandboxWithBot({ switches: { rateLimits: false } })
  })
  afterAll(() => bot.close())

  const send = (body: unknown) => bot.api('POST', `/channels/${bot.channel('general')}/messages`, body)
  const stored = async (response: Response) => bot.sandbox.world.messages.get(((await response.json()) as { id: string }).id)

  it('refuse a wrong token with 401, and discord.js says that it is invalid', async () => {
    const response = await bot.api('GET', '/users/@me', undefined, { authorization: 'Bot wrong' })
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({ message: '401: Unauthorized', code: 0 })
    await expect(loggedIn({ ...bot.sandbox, token: 'MTEwMDAwMDAwMDAwMDAwMDAwMQ.x.wrong' })).rejects.toMatchObject({ code: 'TokenInvalid' })
  })

  it('bound the text, and say where the fault is', async () => {
    expect((await send({ content: 'x'.repeat(2000) })).status).toBe(200)
    const response = await send({ content: 'x'.repeat(2001) })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      message: 'Invalid Form Body',
      code: 50035,
      errors: { content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] } }
    })
    expect(await (await send({ embeds: [{ title: 'x'.repeat(257) }] })).json()).toMatchObject({
      errors: { embeds: { 0: { title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } } } }
    })
  })

  it.each([[{}], [{ content: '' }], [{ content: '  \n' }]])('refuse an empty message: %j', async (body) => {
    expect(await (await send(body)).json()).toMatchObject({ code: 50006 })
  })

  it('refuse what is no JSON', async () => {
    const response = await fetch(`${bot.sandbox.apiUrl}/v10/channels/${bot.channel('general')}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.sandbox.token}`, 'content-type': 'application/json' },
      body: '{'
    })
    expect(await response.json()).toMatchObject({ code: 50109 })
  })

  it.each([
    [undefined, ['Haru', 'Mina'], false],
    [{ parse: [] }, [], false],
    [{ parse: ['users'] }, ['Haru', 'Mina'], false],
    [{ parse: [], users: ['Haru'] }, ['Haru'], false],
    [{ parse: ['everyone'] }, [], false]
  ])('notify whom allowed_mentions %j lets them', async (allowed, names, everyone) => {
    const users = allowed && 'users' in allowed ? { users: [bot.user('Haru')] } : {}
    const content = `<@${bot.user('Haru')}> <@${bot.user('Mina')}> @everyone \`<@${bot.user('Jisoo')}>\``
    const message = await stored(await send({ content, ...(allowed && { allowed_mentions: { ...allowed, ...users } }) }))
    expect(message?.mentionedUserIds).toEqual(names.map((name) => bot.user(name)))
    expect(message?.mentionsEveryone).toBe(everyone)
  })

  it('notify nobody for a bot whose client allows nothing', async () => {
    const quiet = await loggedIn(bot.sandbox, { allowedMentions: { parse: [] } })
    const channel = quiet.channels.cache.get(bot.channel('general'))
    if (!channel?.isSendable()) throw new Error('no text channel')
    const { id } = await channel.send(`<@${bot.user('Haru')}>`)
    expect(bot.sandbox.world.messages.get(id)?.mentionedUserIds).toEqual([])
    await quiet.destroy()
  })

  it('know what is not there, not visible, or not allowed', async () => {
    const code = async (response: Response) => ((await response.json()) as { code: number }).code
    expect(await code(await bot.api('GET', '/channels/1'))).toBe(10003)
    expect(await code(await bot.api('GET', '/guilds/1'))).toBe(10004)
    expect(await code(await bot.api('GET', `/channels/${bot.channel('general')}/messages/1`))).toBe(10008)
    expect(await code(await bot.api('GET', `/guilds/${bot.guild.id}/voice-states/@me`))).toBe(10065)
    const other = bot.sandbox.act.sendMessage(bot.user('Haru'), bot.channel('general'), 'mine')
    expect(await code(await bot.api('PATCH', `/channels/${other.channelId}/messages/${other.id}`, { content: 'x' }))).toBe(50005)
    expect(await code(await bot.api('DELETE', `/channels/${other.channelId}/messages/${other.id}`))).toBe(50013)

    const readAloud = bot.guild.channels.get(bot.channel('read-aloud'))!
    readAloud.overwrites.push({ id: bot.guild.id, kind: 'role', allow: 0n, deny: 1n << 11n })
    expect(await code(await bot.api('POST', `/channels/${readAloud.id}/messages`, { content: 'x' }))).toBe(50013)
    readAloud.overwrites.push({ id: bot.client.user.id, kind: 'member', allow: 0n, deny: 1n << 10n })
    expect(await code(await bot.api('POST', `/channels/${readAloud.id}/messages`, { content: 'x' }))).toBe(50001)
    readAloud.overwrites.length = 0
  })

  it('are listed newest first, by page', async () => {
    const channelId = bot.channel('read-aloud')
    const ids = ['a', 'b', 'c'].map((text) => bot.sandbox.act.sendMessage(bot.user('Mina'), channelId, text).id)
    const list = async (query: string) => ((await (await bot.api('GET', `/channels/${channelId}/messages?${query}`)).json()) as { content: string }[]).map(({ content }) => content)
    expect(await list('limit=2')).toEqual(['c', 'b'])
    expect(await list(`before=${ids[1] ?? ''}`)).toEqual(['a'])
    expect(await list(`after=${ids[1] ?? ''}`)).toEqual(['c'])
    expect(await list(`around=${ids[1] ?? ''}&limit=2`)).toEqual(['c', 'b'])
  })

  it('reach a person directly', async () => {
    const haru = await bot.client.users.fetch(bot.user('Haru'))
    const { id, channelId } = await haru.send('psst')
    expect(bot.sandbox.world.dms.get(channelId)?.userId).toBe(haru.id)
    expect(bot.sandbox.world.messages.get(id)?.content).toBe('psst')
  })
})
