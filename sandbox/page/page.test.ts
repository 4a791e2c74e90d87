import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMessage, deleteMessage } from '../messages.ts'
import { systemClock } from '../../bot/core/clock.ts'
import { startSandbox } from '../start.ts'
import type { Sandbox } from '../start.ts'
import type { messageView, interactionView, snapshot } from './snapshot.ts'
import { openEvents } from './test-events.ts'
import { startSayBot } from './test-say-bot.ts'

type Snapshot = ReturnType<typeof snapshot>
type MessageView = ReturnType<typeof messageView>
type InteractionView = ReturnType<typeof interactionView>

let sandbox: Sandbox
let bot: Awaited<ReturnType<typeof startSayBot>>
let url: (path: string) => string

beforeAll(async () => {
  sandbox = await startSandbox()
  bot = await startSayBot(sandbox)
  url = (path) => new URL(path, sandbox.pageUrl).href
})
afterAll(async () => {
  await bot.close()
  await sandbox.close()
})

const guild = () => [...sandbox.world.guilds.values()][0]!
const channel = (name: string) => [...guild().channels.values()].find((one) => one.name === name)!
const person = (name: string) => [...sandbox.world.users.values()].find((one) => one.displayName === name)!

/** With headers that `fetch` does not let one set. */
function ask(method: string, path: string, headers: Record<string, string>, body = ''): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url(path), { method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function act(name: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(sandbox.pageUrl).origin }
  return fetch(url(`/sandbox/act/${name}`), { method: 'POST', headers, body: JSON.stringify(body) })
}

describe('the page’s files', () => {
  it('are all there, and need nothing from elsewhere', async () => {
    const seen = new Set<string>()
    const queue = ['/']
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const response = await fetch(url(path))
      const text = await response.text()
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      const links = [...text.matchAll(/(?:src|href)="([^"#]+)"/g), ...text.matchAll(/from '(\.\/[^']+)'/g), ...text.matchAll(/url\(([^)]+)\)/g)]
      for (const [, link] of links) queue.push(new URL(link!, url(path)).href.replace(new URL(sandbox.pageUrl).origin, ''))
    }
    expect([...seen].filter((path) => !path.startsWith('/'))).toEqual([])
    expect(seen.size).toBeGreaterThan(20)
  })

  it.each(['/page/nothing.js', '/page/..%2froutes.ts', '/page/%2e%2e%2f%2e%2e%2fpackage.json'])('do not include %s', async (path) => {
    expect((await ask('GET', path, {})).status).toBe(404)
  })
})

describe('who may ask', () => {
  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '127.0.0.1@evil.example'])('refuses the host "%s"', async (host) => {
    for (const path of ['/', '/page/main.js', '/sandbox/state', '/sandbox/events']) {
      expect((await ask('GET', path, { host })).status).not.toBe(200)
    }
  })

  it('answers to localhost', async () => {
    expect((await ask('GET', '/sandbox/state', { host: 'localhost:1234' })).status).toBe(200)
  })

  it.each([undefined, 'null', 'https://evil.example', 'http://127.0.0.1:1'])('refuses to act for the origin %s', async (origin) => {
    const body = JSON.stringify({ userId: person('Mina').id, channelId: channel('general').id, content: 'forged' })
    const answer = await ask('POST', '/sandbox/act/message', { 'content-type': 'application/json', ...(origin && { origin }) }, body)
    expect(answer.status).toBe(403)
    expect([...sandbox.world.messages.values()].some(({ content }) => content === 'forged')).toBe(false)
  })

  it('leaves the REST API to its own rules', async () => {
    expect((await fetch(`${sandbox.apiUrl}/v10/users/@me`, { headers: { authorization: `Bot ${sandbox.token}` } })).status).toBe(200)
  })
})

describe('the state', () => {
  it('has what the page shows, and no token', async () => {
    const text = await (await fetch(url('/sandbox/state'))).text()
    const state = JSON.parse(text) as Snapshot
    expect(state.guilds[0]?.channels.map(({ name }) => name)).toContain('Lounge')
    expect(state.guilds[0]?.members.find(({ name }) => name === 'Haru')).toMatchObject({ locale: 'ja', bot: false, owner: false })
    expect(state.commands.map(({ data }) => data.name).sort()).toEqual(['audit', 'say'])
    expect(text).not.toContain(sandbox.token)
  })
})

describe('the events', () => {
  it('begin with a snapshot and tell of every change', async () => {
    const events = await openEvents(url('/sandbox/events'))
    const { world, act: people } = sandbox
    expect(events.response.headers.get('content-type')).toBe('text/event-stream')
    expect((await events.next<Snapshot>('snapshot')).guilds).toHaveLength(1)

    const message = people.sendMessage(person('Haru').id, channel('general').id, 'first')
    expect(await events.next<MessageView>('message')).toMatchObject({ id: message.id, content: 'first', editedAtMs: null })
    people.editMessage(person('Haru').id, message.id, 'second')
    expect(await events.next<MessageView>('message')).toMatchObject({ id: message.id, content: 'second' })
    deleteMessage(world, message)
    expect(await events.next('messageDeleted')).toEqual({ id: message.id })

    people.joinVoice(person('Haru').id, channel('Stage left').id)
    expect(await events.next('voice')).toMatchObject({ states: [{ userId: person('Haru').id }] })
    people.leaveVoice(person('Haru').id, guild().id)
    expect(await events.next('voice')).toMatchObject({ states: [] })
    events.close()
  })

  it('follow a command from sending to its reply, without its token', async () => {
    const events = await openEvents(url('/sandbox/events'))
    const place = { userId: person('Alex').id, channelId: channel('general').id }
    expect((await act('slash', { ...place, commandName: 'say', options: { text: 'Hi' }, path: {} })).status).toBe(200)
    const sent = await events.next<InteractionView>('interaction')
    expect(sent).toMatchObject({ display: '/say', state: 'waiting', userId: person('Alex').id })
    expect(sent).not.toHaveProperty('token')
    const reply = await events.next<MessageView>('message', ({ interactionId, content }) => interactionId === sent.id && content !== '')
    expect(reply).toMatchObject({ content: 'File: Hi (any voice)', attachments: [{ filename: 'say.ogg', contentType: 'audio/ogg' }] })
    expect(reply.attachments[0]).not.toHaveProperty('bytes')
    events.close()
  })
})

describe('acting', () => {
  const place = () => ({ userId: person('Haru').id, channelId: channel('general').id })

  it('says what was refused, in words for people', async () => {
    const answer = await act('slash', { ...place(), commandName: 'audit', options: {}, path: {} })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ ok: false, message: 'There is no command /audit here.' })
  })

  it('asks the bot for suggestions', async () => {
    const answer = await act('autocomplete', { ...place(), commandName: 'say', options: { text: 'x', voice: 's' }, focused: 'voice', path: {} })
    expect(await answer.json()).toEqual({ ok: true, result: [{ name: 'Sky', value: 'sky' }] })
  })

  it.each([
    ['message', {}],
    ['message', { userId: '1', channelId: 'x', content: 'y' }],
    ['join', { userId: ['1'], channelId: '2' }],
    ['slash', { userId: '1', channelId: '2', commandName: 'say', options: { text: { deep: true } }, path: {} }]
  ])('refuses a malformed "%s"', async (name, body) => {
    expect((await act(name, body)).status).toBe(400)
  })

  it('refuses what is too large to be meant', async () => {
    expect((await act('message', { ...place(), content: 'x'.repeat(100_000) })).status).toBe(413)
  })
})

describe('attachments', () => {
  const bytes = Buffer.from('0123456789')
  const add = (contentType: string, filename: string) => {
    const id = sandbox.world.nextId()
    addMessage(sandbox.world, systemClock, { channelId: channel('general').id, authorId: bot.client.user.id, attachments: [{ id, filename, contentType, bytes }] })
    return url(`/sandbox/attachments/${id}`)
  }

  it('are served whole and in ranges, so that a player can seek', async () => {
    const file = add('audio/ogg', 'a.ogg')
    const whole = await fetch(file)
    expect([whole.headers.get('content-type'), whole.headers.get('accept-ranges'), await whole.text()]).toEqual(['audio/ogg', 'bytes', '0123456789'])
    const part = async (range: string) => {
      const response = await fetch(file, { headers: { range } })
      return [response.status, response.headers.get('content-range'), await response.text()]
    }
    expect(await part('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234'])
    expect(await part('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=0-99')).toEqual([206, 'bytes 0-9/10', '0123456789'])
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
    expect(await part('bytes=-0')).toEqual([416, 'bytes */10', ''])
    expect(await part('bytes=4-2')).toEqual([200, null, '0123456789'])
  })

  it('never run as a page of ours', async () => {
    for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript']) {
      const response = await fetch(add(type, 'evil"\n.html'))
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''evil%22%0A\.html$/)
    }
  })

  it('are gone with their message', async () => {
    expect((await fetch(url('/sandbox/attachments/1'))).status).toBe(404)
  })
})

describe('listening', () => {
  it('brings every packet of the bot as sound', async () => {
    const lounge = channel('Lounge')
    const mina = person('Mina').id
    const stream = await openEvents(url(`/sandbox/listen/${guild().id}/${lounge.id}`))
    sandbox.act.joinVoice(mina, lounge.id)
    await act('slash', { userId: mina, channelId: channel('general').id, commandName: 'say', options: { text: 'Hi' }, path: {} })
    const last = await stream.next<{ count: number; userId: string; pcm: string }>('packet', ({ count }) => count === 50)
    expect(last.userId).toBe(bot.client.user.id)
    const pcm = Buffer.from(last.pcm, 'base64')
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.byteLength))
    expect(samples).toHaveLength(960)
    expect(Math.max(...samples)).toBeGreaterThan(6_000)
    stream.close()
    sandbox.act.leaveVoice(mina, guild().id)
  })

  it('knows no channel that is not there', async () => {
    expect((await fetch(url('/sandbox/listen/1/2'))).status).toBe(404)
  })

  it('has room for 16 pages, and again for one more when one of them leaves', async () => {
    const path = `/sandbox/listen/${guild().id}/${channel('Stage left').id}`
    const streams = await Promise.all(Array.from({ length: 16 }, () => openEvents(url(path))))
    expect((await fetch(url(path))).status).toBe(503)
    streams[0]!.close()
    await expect.poll(async () => {
      const again = await openEvents(url(path))
      again.close()
      return again.response.status
    }).toBe(200)
    for (const stream of streams) stream.close()
  })
})
