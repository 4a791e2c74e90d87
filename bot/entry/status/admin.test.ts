import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../core/log.ts'
import { manualClock } from '../../core/manual-clock.ts'
import type { ManualClock } from '../../core/manual-clock.ts'
import { createMetrics } from '../../core/metrics.ts'
import { startEntry } from '../server.ts'
import type { Entry } from '../server.ts'
import { createAdminLinks } from './admin-links.ts'
import type { AdminLinks } from './admin-links.ts'
import { createAdminSessions } from './admin-sessions.ts'
import { serveSession } from './serve-session.ts'

const MINUTE_MS = 60_000

let clock: ManualClock
let links: AdminLinks
let entry: Entry
let admins: Set<string>

async function start(entryUrl = 'http://127.0.0.1:8788') {
  links = createAdminLinks(clock)
  const isAdmin = (userId: string) => admins.has(userId)
  const sessions = createAdminSessions(clock, isAdmin)
  entry = await startEntry({
    host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), clock, ready: () => ({ ok: true }),
    parts: [serveSession({ links, sessions, isAdmin, entryUrl: () => entryUrl })]
  })
}

beforeEach(async () => {
  clock = manualClock()
  admins = new Set(['mina', 'taro'])
  await start()
})

afterEach(() => entry.close())

const own = () => ({ 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' })

async function session(method: string, { cookie, body, headers = own() }: { cookie?: string | undefined; body?: string; headers?: Record<string, string> } = {}) {
  const answer = await fetch(`http://127.0.0.1:${String(entry.port)}/api/session`, { method, headers: { ...headers, ...(cookie !== undefined && { cookie }) }, ...(body !== undefined && { body }) })
  const text = await answer.text()
  const json = text === '' ? undefined : (JSON.parse(text) as { error?: { code: string }; isAdmin?: boolean; until?: number | null })
  const [setCookie] = answer.headers.getSetCookie()
  return { status: answer.status, code: json?.error?.code, json, setCookie, cookie: setCookie?.split(';')[0], cacheControl: answer.headers.get('cache-control') }
}

const exchange = (token: string, headers?: Record<string, string>) => session('POST', { body: JSON.stringify({ token }), ...(headers && { headers }) })
const isAdmin = async (cookie?: string) => (await session('GET', { cookie, headers: {} })).json

describe('a link of the panel', () => {
  it('becomes a session that no script can read, for 12 hours', async () => {
    const begun = await exchange(links.make('mina'))
    expect([begun.status, begun.cacheControl]).toEqual([204, 'no-store'])
    expect(begun.setCookie).toMatch(/^voxpool_admin=[\w-]{43}; /)
    expect(begun.setCookie?.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/api', 'SameSite=Strict'])
    expect(await isAdmin(begun.cookie)).toEqual({ isAdmin: true, until: clock.now() + 12 * 60 * MINUTE_MS })
    expect(await isAdmin()).toEqual({ isAdmin: false, until: null })
    await clock.advance(12 * 60 * MINUTE_MS - 1)
    expect((await isAdmin(begun.cookie))?.isAdmin).toBe(true)
    await clock.advance(1)
    expect(await isAdmin(begun.cookie)).toEqual({ isAdmin: false, until: null })
  })

  it('goes over https alone where the entry does', async () => {
    await entry.close()
    await start('https://voice.example.org')
    expect((await exchange(links.make('mina'))).setCookie?.split('; ')).toContain('Secure')
  })

  it('has 256 random bits', () => {
    const tokens = Array.from({ length: 50 }, () => links.make('mina'))
    expect(new Set(tokens).size).toBe(50)
    expect(tokens.every((token) => Buffer.from(token, 'base64url').length === 32)).toBe(true)
  })

  it('works once', async () => {
    const token = links.make('mina')
    const both = await Promise.all([exchange(token), exchange(token)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401])
    const again = await exchange(token)
    expect([again.status, again.code, again.setCookie]).toEqual([401, 'link_used', undefined])
  })

  it('works for 10 minutes', async () => {
    const [early, late] = [links.make('mina'), links.make('mina')]
    await clock.advance(10 * MINUTE_MS - 1)
    expect((await exchange(early)).status).toBe(204)
    await clock.advance(1)
    expect([(await exchange(late)).code, (await exchange(late)).code, (await exchange(early)).code]).toEqual(['link_expired', 'link_expired', 'link_used'])
  })

  it('is told from one that never was', async () => {
    for (const token of ['x', links.make('mina').slice(1), 'a'.repeat(256)]) expect([(await exchange(token)).status, (await exchange(token)).code]).toEqual([401, 'link_unknown'])
  })

  it('gives way to newer ones, of which a hundred may be open', async () => {
    const tokens = Array.from({ length: 101 }, () => links.make('mina'))
    expect([(await exchange(tokens[0]!)).code, (await exchange(tokens[1]!)).status, (await exchange(tokens[100]!)).status]).toEqual(['link_expired', 204, 204])
  })

  it('is nothing in the hand of who is no admin any more', async () => {
    const token = links.make('mina')
    admins.delete('mina')
    const refused = await exchange(token)
    expect([refused.status, refused.code, refused.setCookie]).toEqual([403, 'forbidden', undefined])
  })

  it('opens nothing after a restart, nor does a session', async () => {
    const token = links.make('mina')
    const { cookie } = await exchange(links.make('mina'))
    await entry.close()
    await start()
    expect((await exchange(token)).code).toBe('link_unknown')
    expect((await isAdmin(cookie))?.isAdmin).toBe(false)
  })
})

describe('a session', () => {
  it('is over when its admin leaves, and no other with it', async () => {
    const [mina, taro] = [await exchange(links.make('mina')), await exchange(links.make('taro'))]
    const left = await session('DELETE', { cookie: mina.cookie })
    expect([left.status, left.setCookie]).toEqual([204, expect.stringMatching(/^voxpool_admin=; .*Max-Age=0.*Path=\/api/)])
    expect([(await isAdmin(mina.cookie))?.isAdmin, (await isAdmin(taro.cookie))?.isAdmin]).toEqual([false, true])
    expect((await session('DELETE')).status).toBe(204)
  })

  it('is over with the rights that it came from', async () => {
    const { cookie } = await exchange(links.make('mina'))
    admins.delete('mina')
    expect((await isAdmin(cookie))?.isAdmin).toBe(false)
  })

  it('takes the place of the one that the same browser had', async () => {
    const first = await exchange(links.make('mina'))
    const second = await session('POST', { body: JSON.stringify({ token: links.make('mina') }), cookie: first.cookie })
    expect([(await isAdmin(first.cookie))?.isAdmin, (await isAdmin(second.cookie))?.isAdmin]).toEqual([false, true])
  })

  it('gives way to newer ones, of which there may be a hundred', async () => {
    const cookies: (string | undefined)[] = []
    for (let index = 0; index < 101; index++) cookies.push((await exchange(links.make('mina'))).cookie)
    expect([(await isAdmin(cookies[0]))?.isAdmin, (await isAdmin(cookies[1]))?.isAdmin, (await isAdmin(cookies[100]))?.isAdmin]).toEqual([false, true, true])
  })

  it('is none for a cookie that was made up', async () => {
    for (const cookie of ['voxpool_admin=', 'voxpool_admin=x', `voxpool_admin=${'a'.repeat(43)}`, 'other=1']) expect(await isAdmin(cookie)).toEqual({ isAdmin: false, until: null })
  })
})

describe('another site', () => {
  const host = () => `127.0.0.1:${String(entry.port)}`
  const json = { 'content-type': 'application/json' }
  const refused: readonly (readonly [what: string, headers: () => Record<string, string>])[] = [
    ['a form’s content type', () => ({ 'content-type': 'text/plain', 'sec-fetch-site': 'same-origin' })],
    ['no content type', () => ({ 'content-type': '', 'sec-fetch-site': 'same-origin' })],
    ['nothing about where it comes from', () => json],
    ['another origin', () => ({ ...json, origin: 'https://evil.example' })],
    ['another port', () => ({ ...json, origin: 'http://127.0.0.1:1' })],
    ['a frame without an origin', () => ({ ...json, origin: 'null' })],
    ['the browser’s word that it is another', () => ({ ...json, origin: `http://${host()}`, 'sec-fetch-site': 'cross-site' })],
    ['the same site’s other host', () => ({ ...json, 'sec-fetch-site': 'same-site' })]
  ]

  it.each(refused)('can neither open nor end a session: %s', async (_, headers) => {
    const token = links.make('mina')
    const { cookie } = await exchange(links.make('mina'))
    const opened = await exchange(token, headers())
    expect([opened.status, opened.code, opened.setCookie]).toEqual([403, 'cross_site', undefined])
    expect((await session('DELETE', { cookie, headers: headers() })).code).toBe('cross_site')
    expect((await isAdmin(cookie))?.isAdmin).toBe(true)
    // It has not been used up either.
    expect((await exchange(token)).status).toBe(204)
  })

  it('is what the entry’s own page is not, whether its browser tells the origin or the site', async () => {
    for (const headers of [{ ...json, origin: `http://${host()}` }, { ...json, origin: `https://${host()}` }, { 'content-type': 'application/json; charset=utf-8', 'sec-fetch-site': 'same-origin' }]) {
      expect((await exchange(links.make('mina'), headers)).status).toBe(204)
    }
  })
})

describe('a proxy in front', () => {
  it('may change the Host: the page is where the settings say that others reach it', async () => {
    await entry.close()
    await start('https://voice.example.org')
    const from = (origin: string) => ({ 'content-type': 'application/json', origin })
    expect((await exchange(links.make('mina'), from('https://voice.example.org'))).status).toBe(204)
    expect((await exchange(links.make('mina'), from('https://voice.example.org.evil.example'))).status).toBe(403)
  })
})

describe('a body that is none', () => {
  it.each(['', '{', '[]', '{"token":1}', '{"token":""}', `{"token":"${'a'.repeat(257)}"}`])('is refused: %s', async (body) => {
    const answer = await session('POST', { body })
    expect([answer.status, answer.code]).toEqual([400, 'bad_request'])
  })

  it('is refused past 4 KiB, said or not', async () => {
    const large = JSON.stringify({ token: 'a', pad: 'b'.repeat(4096) })
    expect((await session('POST', { body: large })).code).toBe('too_large')
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 5; part++) controller.enqueue(new TextEncoder().encode('a'.repeat(1024)))
        controller.close()
      }
    })
    const answer = await fetch(`http://127.0.0.1:${String(entry.port)}/api/session`, { method: 'POST', headers: own(), body: stream, duplex: 'half' })
    expect(answer.status).toBe(413)
  })
})
