import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openEntry } from '../../../sandbox/entry/open-entry.ts'
import type { TestEntry } from '../../../sandbox/entry/open-entry.ts'
import { head } from '../../../sandbox/entry/raw-caller.ts'
import type { Answer } from '../../../sandbox/entry/raw-caller.ts'
import { http, startRawUpstream } from '../../../sandbox/entry/raw-upstream.ts'
import type { RawUpstream, Seen } from '../../../sandbox/entry/raw-upstream.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-forward-'))
let upstream: RawUpstream
let entry: TestEntry

beforeAll(async () => {
  upstream = await startRawUpstream()
  entry = await openEntry({ folder, nodes: [{ serverId: 'n1', url: `${upstream.url}/base` }] })
})

beforeEach(() => {
  upstream.seen = []
  upstream.answer = ({ socket }) => void socket.write(http(200, 'ok'))
})

afterAll(async () => {
  await entry.close()
  await upstream.close()
  rmSync(folder, { recursive: true })
})

/** One request as it reaches the upstream. */
async function sent(...lines: string[]): Promise<{ seen: Seen; all: (name: string) => string[]; names: string[] }> {
  const caller = await entry.call()
  caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', ...lines))
  expect((await caller.answer()).status).toBe(200)
  const seen = upstream.seen.at(-1)
  if (seen === undefined) throw new Error('nothing came')
  return { seen, names: seen.headers.map(([name]) => name.toLowerCase()), all: (wanted) => seen.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value) }
}

/** One answer as it reaches the caller. */
async function answered(...lines: string[]): Promise<Answer> {
  upstream.answer = ({ socket }) => void socket.write(http(200, 'ok', lines))
  const caller = await entry.call()
  caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost'))
  return caller.answer()
}

const HOP_BY_HOP = ['Keep-Alive: timeout=5', 'Proxy-Connection: keep-alive', 'Proxy-Authenticate: Basic', 'Proxy-Authorization: Basic eDp5', 'Proxy-Authentication-Info: x', 'TE: trailers', 'Trailer: X-Sum', 'HTTP2-Settings: AAMAAABk']

describe('what an upstream is sent', () => {
  it('is the method, the path behind the node’s own, the query and the headers as they came', async () => {
    const { seen, all } = await sent('Accept: text/plain;q=0.5', 'X-Odd_Name.1: v a l', 'Cookie: a=1; b=2', 'X-Bytes: caf\xe9')
    expect(seen.startLine).toBe('GET /base/work/x HTTP/1.1')
    expect(seen.headers).toContainEqual(['X-Odd_Name.1', 'v a l'])
    expect([all('accept'), all('cookie'), all('x-bytes')]).toEqual([['text/plain;q=0.5'], ['a=1; b=2'], ['caf\xe9']])
  })

  it.each(HOP_BY_HOP)('has no %s, in any case', async (line) => {
    const name = line.split(':')[0]?.toLowerCase() ?? ''
    for (const spelt of [line, line.toUpperCase(), line.toLowerCase()]) expect((await sent(spelt)).names).not.toContain(name)
  })

  it.each([
    ['one', ['Connection: X-Secret', 'X-Secret: 1']],
    ['in another case', ['connection: x-SECRET', 'X-Secret: 1']],
    ['among others', ['Connection: keep-alive,  X-Secret ,close', 'X-Secret: 1']],
    ['by a second Connection', ['Connection: keep-alive', 'X-Secret: 1', 'Connection: X-Secret']],
    ['before a second Connection', ['Connection: X-Secret', 'X-Secret: 1', 'Connection: X-Other']],
    ['after it came', ['X-Secret: 1', 'Connection: X-Secret']],
    ['that came twice', ['X-Secret: 1', 'Connection: X-Secret', 'x-secret: 2']]
  ])('has no header that Connection names (%s)', async (_, lines) => {
    const { names, all } = await sent(...lines, 'X-Kept: 1')
    expect(names).not.toContain('x-secret')
    expect(all('x-kept')).toEqual(['1'])
    expect(all('connection')).toEqual(['keep-alive'])
  })

  it('has the entry’s own headers whatever Connection names', async () => {
    const { all } = await sent('Connection: X-Request-Id, Authorization, Forwarded, Host, Content-Length', 'X-Request-Id: given-1')
    expect([all('x-request-id'), all('authorization'), all('host')]).toEqual([['given-1'], ['Bearer node-secret'], [new URL(upstream.url).host]])
    expect(all('forwarded')).toHaveLength(1)
  })

  it('never has the caller’s key', async () => {
    const { secret } = entry.keys.make('test') ?? { secret: '' }
    const { seen, all } = await sent(`Authorization: Bearer ${secret}`)
    expect(all('authorization')).toEqual(['Bearer node-secret'])
    expect(seen.raw).not.toContain(secret)
  })

  it('never has the caller’s key either where the nodes have none', async () => {
    const keyless = await openEntry({ folder: join(folder, 'keyless'), nodes: [{ serverId: 'n1', url: upstream.url }], nodeKey: null })
    const { secret } = keyless.keys.make('test') ?? { secret: '' }
    const caller = await keyless.call()
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`))
    expect((await caller.answer()).status).toBe(200)
    expect(upstream.seen.at(-1)?.raw).not.toMatch(/authorization/i)
    await keyless.close()
  })

  it.each([
    'X-Forwarded-For: 1.2.3.4', 'X-Forwarded-Host: evil', 'X-Forwarded-Proto: https', 'X-Forwarded: for=1.2.3.4', 'X-Real-IP: 1.2.3.4', 'CF-Connecting-IP: 1.2.3.4', 'True-Client-IP: 1.2.3.4', 'X-Original-Forwarded-For: 1.2.3.4', 'X-Envoy-External-Address: 1.2.3.4', 'Fly-Client-IP: 1.2.3.4',
    'X-Original-URL: /admin', 'X-Rewrite-URL: /admin', 'X-HTTP-Method-Override: DELETE', 'Expect: 100-continue'
  ])('has no %s, which only a proxy in front may say, or names another request', async (line) => {
    const caller = await entry.call()
    const { secret } = entry.keys.make('test') ?? { secret: '' }
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`, line))
    const first = await caller.answer()
    expect((first.status === 100 ? await caller.answer() : first).status).toBe(200)
    expect(upstream.seen.at(-1)?.headers.map(([name]) => name.toLowerCase())).not.toContain(line.split(':')[0]?.toLowerCase())
  })

  it('says in Forwarded who asked and for which host, after what was said before', async () => {
    expect((await sent()).all('forwarded')).toEqual(['for=127.0.0.1;host=localhost;proto=http'])
    const caller = await entry.call()
    const { secret } = entry.keys.make('test') ?? { secret: '' }
    caller.send(head('GET /work/x HTTP/1.1', 'Host: voice.example:8443', `Authorization: Bearer ${secret}`, 'Forwarded: for=192.0.2.1', 'Forwarded: for="[2001:db8::1]"'))
    await caller.answer()
    expect(upstream.seen.at(-1)?.headers).toContainEqual(['forwarded', 'for=192.0.2.1, for="[2001:db8::1]", for=127.0.0.1;host="voice.example:8443";proto=http'])
  })

  it.each([
    ['for="1.2.3.4', undefined],
    ['for="a\\"', undefined],
    ['for=a\\b', undefined],
    ['for="a\\"b";by=c', 'for="a\\"b";by=c'],
    ['for="[2001:db8::1]:4711", for=unknown', 'for="[2001:db8::1]:4711", for=unknown']
  ])('keeps of Forwarded only what leaves no quote open, or it would swallow our own: %s', async (said, kept) => {
    const caller = await entry.call()
    const { secret } = entry.keys.make('test') ?? { secret: '' }
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`, `Forwarded: ${said}`))
    await caller.answer()
    const own = 'for=127.0.0.1;host=localhost;proto=http'
    expect(upstream.seen.at(-1)?.headers.filter(([name]) => name === 'forwarded')).toEqual([['forwarded', kept === undefined ? own : `${kept}, ${own}`]])
  })

  it('says in Via who passed it on, after those who did before, whatever Connection names', async () => {
    const caller = await entry.call()
    const { secret } = entry.keys.make('test') ?? { secret: '' }
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${secret}`, 'Via: 1.0 old', 'Via: 1.1 front (a, b)', 'Connection: Via'))
    await caller.answer()
    const said = upstream.seen.at(-1)?.headers.filter(([name]) => name.toLowerCase() === 'via')
    expect(said).toEqual([['via', expect.stringMatching(/^1\.0 old, 1\.1 front \(a, b\), 1\.1 voxpool-[0-9a-f]{8}$/)]])
    expect(said?.[0]?.[1]).not.toContain(String(entry.port))
  })

  it('says which host the request line names, before the Host', async () => {
    const caller = await entry.call()
    caller.send(head('GET http://LOCALHOST:81/work/x HTTP/1.1', 'Host: localhost'))
    await caller.answer()
    expect(upstream.seen.at(-1)?.headers).toContainEqual(['forwarded', 'for=127.0.0.1;host="LOCALHOST:81";proto=http'])
  })

  it('quotes an IPv6 caller', async () => {
    const over6 = await openEntry({ folder, nodes: [{ serverId: 'n1', url: upstream.url }], host: '::1' })
    const caller = await over6.call()
    caller.send(head('GET /work/x HTTP/1.1', 'Host: [::1]:80'))
    await caller.answer()
    expect(upstream.seen.at(-1)?.headers).toContainEqual(['forwarded', 'for="[::1]";host="[::1]:80";proto=http'])
    await over6.close()
  })

  it.each([
    ['a well-formed one is passed on', 'my.id_1-2', 'my.id_1-2'],
    ['one of 64 characters too', 'a'.repeat(64), 'a'.repeat(64)],
    ['one that is too long is replaced', 'a'.repeat(65), undefined],
    ['one of 10 kB too', 'a'.repeat(10_240), undefined],
    ['one with other characters is replaced', 'a b', undefined],
    ['one with a tab too', 'a\tb', undefined],
    ['two are replaced by one', 'a\r\nX-Request-Id: b', undefined],
    ['one that could be markup is replaced', '<script>', undefined],
    ['none is made', undefined, undefined]
  ])('has a request id, and the answer the same: %s', async (_, given, expected) => {
    const caller = await entry.call()
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost', ...(given === undefined ? [] : [`X-Request-Id: ${given}`])))
    const answer = await caller.answer()
    const [id] = answer.all('x-request-id')
    expect(answer.all('x-request-id')).toHaveLength(1)
    expect(id).toMatch(/^[\w.-]{1,64}$/)
    if (expected !== undefined) expect(id).toBe(expected)
    else expect(id).not.toBe(given)
    expect(upstream.seen.at(-1)?.headers.filter(([name]) => name === 'x-request-id')).toEqual([['x-request-id', id]])
  })
})

describe('what a caller is answered', () => {
  it('has no hop-by-hop header, and none that the upstream’s Connection names', async () => {
    const answer = await answered(...HOP_BY_HOP.map((line) => line.replace('timeout=5', 'timeout=9')), 'connection: keep-alive, X-Hop', 'X-Hop: 1', 'X-Kept: 1')
    for (const line of HOP_BY_HOP) if (!line.startsWith('Keep-Alive')) expect(answer.header(line.split(':')[0]?.toLowerCase() ?? '')).toBeUndefined()
    expect([answer.header('x-hop'), answer.header('x-kept')]).toEqual([undefined, '1'])
    expect(answer.all('keep-alive')).not.toContain('timeout=9')
  })

  it('has the entry’s own security headers, once, whatever the upstream says of them', async () => {
    const own = ['content-security-policy', 'x-frame-options', 'x-content-type-options', 'referrer-policy', 'cross-origin-resource-policy', 'x-request-id']
    const plain = await answered()
    const theirs = own.map((name) => `${name}: theirs`)
    for (const answer of [await answered(...theirs), await answered(`Connection: ${own.join(', ')}`), await answered(...theirs, `Connection: ${own.join(', ')}`)]) {
      for (const name of own) {
        expect(answer.all(name)).toHaveLength(1)
        expect(answer.header(name)).not.toBe('theirs')
        if (name !== 'x-request-id') expect(answer.header(name)).toBe(plain.header(name))
      }
    }
  })

  it('sets no admin’s session', async () => {
    const lines = ['voxpool_admin=x; Path=/api', ' voxpool_admin=x', 'voxpool_admin =x', '=voxpool_admin=x', ' = voxpool_admin\t=x', 'voxpool_admins=1', 'a=voxpool_admin=x']
    expect((await answered(...lines.map((line) => `Set-Cookie: ${line}`))).all('set-cookie')).toEqual(['voxpool_admins=1', 'a=voxpool_admin=x'])
  })

  it('keeps every Set-Cookie, and other headers that come twice', async () => {
    const answer = await answered('Set-Cookie: a=1; Path=/', 'Vary: Accept', 'set-cookie: b=2', 'Vary: Origin')
    expect(answer.all('set-cookie')).toEqual(['a=1; Path=/', 'b=2'])
    expect(answer.all('vary')).toEqual(['Accept', 'Origin'])
  })

  it('keeps bytes that are no ASCII as they are', async () => {
    upstream.answer = ({ socket }) => void socket.write(http(200, 'ok', ['X-Bytes: caf\xe9']), 'latin1')
    const caller = await entry.call()
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost'))
    expect((await caller.answer()).header('x-bytes')).toBe('caf\xe9')
  })

  it.each(['Strict-Transport-Security: max-age=1', 'Alt-Svc: h3=":443"', 'Clear-Site-Data: "*"', 'Service-Worker-Allowed: /', 'Report-To: {}'])('does not speak for the whole host: no %s', async (line) => {
    expect((await answered(line)).header(line.split(':')[0]?.toLowerCase() ?? '')).toBeUndefined()
  })

  it('never tells where an upstream is', async () => {
    const { host } = new URL(upstream.url)
    for (const [location, expected] of [
      [`http://${host}/work/next?page=2#end`, '/work/next?page=2#end'],
      [`https://${host}/work/next`, '/work/next'],
      [`HTTP://${host}`, '/'],
      [`//${host}/work/next`, '/work/next'],
      ['https://other.nodes.example/work/next', '/work/next'],
      ['/work/next', '/work/next'],
      ['next?x=1', 'next?x=1'],
      ['https://elsewhere.example/x', 'https://elsewhere.example/x']
    ] as const) {
      expect((await answered(`Location: ${location}`)).header('location')).toBe(expected)
    }
    const answer = await answered(`Link: <http://${host}/x>; rel=next`, `X-Served-By: ${host.toUpperCase()}`, `Content-Location: http://${host}/y`, `Set-Cookie: a=1; Domain=${host}`)
    expect([answer.header('link'), answer.header('x-served-by'), answer.header('content-location'), answer.header('set-cookie')]).toEqual([undefined, undefined, '/y', undefined])
    expect(answer.raw).not.toContain(host)
  })

  it('tells addresses as callers know them, where the node has a path before all its own', async () => {
    await entry.list([{ serverId: 'n1', url: `${upstream.url}/tenant7` }])
    for (const [location, expected] of [
      ['/tenant7/work/next?page=2', '/work/next?page=2'], [`${upstream.url}/tenant7/work/next#end`, '/work/next#end'], ['/tenant7', '/'], ['/tenant7//evil.example/x', '/evil.example/x'], ['/tenant70/work', '/tenant70/work'], ['next', 'next'],
      ['https://elsewhere.example/tenant7/x', 'https://elsewhere.example/tenant7/x']
    ] as const) {
      expect((await answered(`Location: ${location}`)).header('location')).toBe(expected)
    }
    const cookies = await answered('Set-Cookie: a=1; Path=/tenant7/work; HttpOnly', 'Set-Cookie: b=2; path=/tenant7', 'Set-Cookie: c=/tenant7/x')
    expect(cookies.all('set-cookie')).toEqual(['a=1; Path=/work; HttpOnly', 'b=2; path=/', 'c=/tenant7/x'])
    await entry.list([{ serverId: 'n1', url: upstream.url }])
  })

  it.each(['Ngrok-Agent-Ips: 203.0.113.7', 'X-Served-By: desk', 'X-Forwarded-Server: desk.lan', 'X-Real-IP: 203.0.113.7', 'CF-Ray: 1-FRA', 'Forwarded: by=203.0.113.7', 'Via: 1.1 desk.lan'])(
    'never tells what is said of it on the way: no %s', async (line) => {
      expect((await answered(line)).header(line.split(':')[0]?.toLowerCase() ?? '')).toBeUndefined()
    }
  )

  it('follows no redirect itself', async () => {
    upstream.answer = ({ socket }) => void socket.write(http(302, '', ['Location: /work/next']))
    const caller = await entry.call()
    caller.send(head('GET /work/x HTTP/1.1', 'Host: localhost'))
    expect((await caller.answer()).status).toBe(302)
    expect(upstream.seen).toHaveLength(1)
  })
})
