import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { readdir, readlink, utimes } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../core/manual-clock.ts'
import { targetOf } from '../target.ts'
import { createCompressor } from './compress.ts'
import { isHashed } from './hashed-name.ts'
import { openFile } from './open-file.ts'
import { listenWithSites } from './test-sites.ts'
import { isVisit } from './visit.ts'

const root = mkdtempSync(join(tmpdir(), 'voxpool-files-'))
const LONG = 'let words = "a line of a script that is long enough to be worth it";\n'.repeat(60)
/** More than the sockets between here and there hold. */
const LARGE_BYTES = 64 * 1024 * 1024
mkdirSync(join(root, 'docs'))
for (const [name, content] of Object.entries({ 'index.html': 'home', 'long.js': LONG, 'empty.txt': '', 'docs/index.html': 'docs' })) writeFileSync(join(root, name), content)

const clock = manualClock()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let port = 0
let close: () => void

beforeAll(async () => {
  ;({ port, close } = await listenWithSites(
    [{ host: 'site.test', base: '/', kind: 'app', root }, { host: 'site.test', base: '/docs/', kind: 'pages', root: join(root, 'docs') }],
    { clock }
  ))
})

afterAll(() => {
  agent.destroy()
  close()
  rmSync(root, { recursive: true, force: true })
})

/** The answer, and nothing of its body yet. */
function begin(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, agent, headers: { host: 'site.test', ...headers } }, resolve).on('error', reject).end()
  })
}

async function ask(...asked: Parameters<typeof begin>) {
  const answer = await begin(...asked)
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const bytes = Buffer.concat(chunks)
  return { status: answer.statusCode, headers: answer.headers, body: String(bytes), bytes }
}

/** Linux alone shows which files are open. */
const isLinux = process.platform === 'linux'

async function isOpenHere(name: string): Promise<boolean> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return links.some((link) => link.endsWith(`/${name}`))
}

describe.runIf(isLinux)('a download', () => {
  it.each([
    ['gets shorter', (file: string) => truncateSync(file, 1_000)],
    ['gets another content of the same length', (file: string) => writeFileSync(file, Buffer.alloc(LARGE_BYTES, 'b'))]
  ])('of a file that %s meanwhile is broken off, and what is asked next is answered by itself', async (_what, change) => {
    writeFileSync(join(root, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'a'))
    const answer = await begin('/large.bin')
    change(join(root, 'large.bin'))
    const read = async () => {
      for await (const chunk of answer) expect(chunk).toBeDefined()
    }
    await expect(read()).rejects.toThrow('aborted')
    expect(await ask('/long.js')).toMatchObject({ status: 200, body: LONG })
    await expect.poll(() => isOpenHere('large.bin')).toBe(false)
  })

  it('that its caller takes nothing of for a minute is ended, and its file closed', async () => {
    writeFileSync(join(root, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'a'))
    const answer = await begin('/large.bin')
    answer.on('error', () => {})
    await expect.poll(() => isOpenHere('large.bin')).toBe(true)
    // The sockets between take some megabytes first, and each piece that they take begins the minute anew.
    for (let pieces = 0; !answer.destroyed && pieces < 1_000; pieces++) {
      await clock.advance(60_000)
      if (!(await isOpenHere('large.bin'))) break
    }
    expect(await isOpenHere('large.bin')).toBe(false)
    answer.destroy()
  })

  it('whose caller leaves closes its file', async () => {
    writeFileSync(join(root, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'a'))
    const answer = await begin('/large.bin')
    answer.on('error', () => {})
    expect(await isOpenHere('large.bin')).toBe(true)
    answer.destroy()
    await expect.poll(() => isOpenHere('large.bin')).toBe(false)
  })

  it('of a large file is whole', async () => {
    writeFileSync(join(root, 'large.bin'), Buffer.alloc(300_001, 'a'))
    expect((await ask('/large.bin')).body).toBe('a'.repeat(300_001))
    expect((await ask('/large.bin', { range: 'bytes=65530-131080' })).body.length).toBe(65_551)
  })
})

it.runIf(isLinux)('a pipe in a site is not there, however many ask for it, and what is there is answered', async () => {
  execFileSync('/usr/bin/env', ['mkfifo', join(root, 'pipe')])
  for (let times = 0; times < 8; times++) expect((await ask('/pipe', { accept: 'text/css' })).status).toBe(404)
  expect((await ask('/long.js')).status).toBe(200)
})

describe('a compressed answer', () => {
  it('is whole, or told to be asked for again, while the file changes all the time', async () => {
    writeFileSync(join(root, 'busy.js'), LONG)
    const over = new AbortController()
    const touched = (async () => {
      for (let second = 1; !over.signal.aborted; second++) await utimes(join(root, 'busy.js'), second, second)
    })()
    for (let round = 0; round < 40; round++) {
      const { status, bytes, headers } = await ask('/busy.js', { 'accept-encoding': 'gzip' })
      expect(status === 503 ? headers['retry-after'] : String(gunzipSync(bytes))).toBe(status === 503 ? '1' : LONG)
    }
    over.abort()
    await touched
  })

  it('is not made of a file that was written over after it was opened', async () => {
    writeFileSync(join(root, 'over.js'), LONG)
    const compressor = createCompressor()
    const opened = (await openFile(root, 'over.js'))!
    writeFileSync(join(root, 'over.js'), `${LONG}more`)
    expect(await compressor.bytes(opened, 'gzip')).toBeUndefined()
    await opened.handle.close()
    const again = (await openFile(root, 'over.js'))!
    expect(String(gunzipSync((await compressor.bytes(again, 'gzip'))!))).toBe(`${LONG}more`)
    await again.handle.close()
  })

  it('of a missing page is compressed too, and called what it is', async () => {
    writeFileSync(join(root, 'docs/404.html'), `<p>${LONG}`)
    const [plain, small] = [await ask('/docs/none'), await ask('/docs/none', { 'accept-encoding': 'gzip', range: 'bytes=0-3', 'if-none-match': '*' })]
    expect([plain.status, plain.headers['content-encoding'], plain.body]).toEqual([404, undefined, `<p>${LONG}`])
    expect([small.status, small.headers['content-encoding'], String(gunzipSync(small.bytes))]).toEqual([404, 'gzip', `<p>${LONG}`])
    expect(small.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'))
  })
})

it('a link is what its own name says, and is kept as long as that: it may lead elsewhere tomorrow', async () => {
  writeFileSync(join(root, 'app-3f9a2c1b.js'), LONG)
  symlinkSync('app-3f9a2c1b.js', join(root, 'latest.js'))
  symlinkSync('app-3f9a2c1b.js', join(root, 'about.txt'))
  expect((await ask('/app-3f9a2c1b.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await ask('/latest.js')).headers['cache-control']).toBe('no-cache')
  expect((await ask('/about.txt')).headers['content-type']).toBe('text/plain; charset=utf-8')
})

describe('a condition', () => {
  const condition = async (headers: (tag: string) => Record<string, string>) => {
    const tag = String((await ask('/long.js')).headers.etag)
    return (await ask('/long.js', headers(tag))).status
  }
  it.each([
    ['the version it is', (tag: string) => ({ 'if-match': tag }), 200], ['any version', () => ({ 'if-match': '*' }), 200],
    ['that version among others', (tag: string) => ({ 'if-match': `"old", ${tag}` }), 200], ['that version compressed', (tag: string) => ({ 'if-match': tag.replace(/"$/, '-br"') }), 200],
    ['another version', () => ({ 'if-match': '"old"' }), 412], ['a weak tag', (tag: string) => ({ 'if-match': `W/${tag}` }), 412],
    ['no change since long ago', () => ({ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }), 412], ['no change since later', () => ({ 'if-unmodified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }), 200],
    ['no date at all', () => ({ 'if-unmodified-since': 'yesterday' }), 200], ['another version, with a range', () => ({ 'if-match': '"old"', range: 'bytes=0-3' }), 412],
    ['none of this version, with a range', (tag: string) => ({ 'if-none-match': tag, range: 'bytes=0-3' }), 304]
  ])('on %s', async (_what, headers, status) => {
    expect(await condition(headers)).toBe(status)
  })

  it('of a range by date is answered with the whole: a file may change twice in a second', async () => {
    const { headers } = await ask('/long.js')
    expect((await ask('/long.js', { range: 'bytes=0-3', 'if-range': String(headers['last-modified']) })).status).toBe(200)
  })
})

it('a range is of GET alone, and an empty file has none', async () => {
  const head = await ask('/long.js', { range: 'bytes=0-3' }, 'HEAD')
  expect([head.status, head.headers['content-length'], head.headers['content-range']]).toEqual([200, '4140', undefined])
  expect((await ask('/empty.txt', { range: 'bytes=0-' })).status).toBe(416)
})

describe('an app', () => {
  it.each([
    ['a visit', { accept: 'text/html' }, 200], ['a program that takes anything', { accept: '*/*' }, 200], ['a program that says nothing', {}, 200], ['any text', { accept: 'text/*;q=0.1' }, 200],
    ['all but HTML', { accept: 'text/html;q=0, */*' }, 404], ['JSON', { accept: 'application/json' }, 404], ['nothing', { accept: '' }, 404],
    ['a browser’s visit', { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' }, 200], ['a browser’s script', { accept: '*/*', 'sec-fetch-dest': 'script' }, 404],
    ['a browser’s image', { accept: 'image/avif,*/*;q=0.8', 'sec-fetch-dest': 'image' }, 404], ['a page’s own request', { accept: '*/*', 'sec-fetch-dest': 'empty' }, 404]
  ])('shows its page at any path to %s: %j, %i', async (_who, headers, status) => {
    expect((await ask('/nodes/one', headers)).status).toBe(status)
    expect((await ask('/index.html', headers)).headers.vary).toBe('Accept-Encoding, Accept, Sec-Fetch-Dest')
  })
})

describe('a target', () => {
  it.each([
    ['/a?b', { host: 'h', rawPath: '/a', query: '?b' }], ['http://other.test:80/a/b?c?d', { host: 'other.test:80', rawPath: '/a/b', query: '?c?d' }], ['HTTPS://other.test', { host: 'other.test', rawPath: '/', query: '' }],
    ['http://other.test?x', { host: 'other.test', rawPath: '/', query: '?x' }], ['/http://x', { host: 'h', rawPath: '/http://x', query: '' }], ['//x/y', { host: 'h', rawPath: '//x/y', query: '' }], ['*', { host: 'h', rawPath: '*', query: '' }]
  ])('%s', (url, target) => {
    expect(targetOf({ url, headers: { host: 'h' } })).toEqual(target)
  })

  it('that is a whole address is answered as the path in it', async () => {
    expect((await ask('http://site.test/long.js')).body).toBe(LONG)
    expect((await ask('http://site.test/../long.js')).status).toBe(404)
    expect((await ask('http://other.test/long.js')).status).toBe(404)
  })

  it('keeps its query where the final slash is missing', async () => {
    expect((await ask('/docs?x=1')).headers.location).toBe('/docs/?x=1')
  })
})

describe('a hash in a name', () => {
  it.each(['main-3f9a2c1b.js', 'a/b/app.d41d8cd98f00b204e9800998ecf8427e.css', 'chunk-5K3XQ2WY.js', 'index-BwT4x_Q9.js', 'index-D-wT4xQ9.js'])('is seen: %s', (name) => {
    expect(isHashed(name)).toBe(true)
  })

  it.each([
    'my-document.html', 'my-document.pdf', 'jquery.validate.js', 'photo-1920x1080.jpg', 'report-20261130.pdf', 'iphone-Version15.png', 'shot-Version2.png', 'voice-settings.js', 'main-3f9a2c1b.html', 'speech-api.js',
    'long.js', 'plain', 'deadbeef', 'a-12345678.js', 'a-abcdefgh.js', 'poster-SUMMER25.jpg', 'slides-12-Nov26.pdf', 'notes-2026-Q1a.txt', 'team-Photo12A.jpg', 'news-feed2024.xml', 'IMG-IMG12345.JPG', 'a-3f9a2c1b/plain.js'
  ])('is not taken from a word or a number: %s', (name) => {
    expect(isHashed(name)).toBe(false)
  })
})

it('a browser that fetches for a page does not visit', () => {
  expect([isVisit({}), isVisit({ 'sec-fetch-dest': 'iframe', accept: 'text/html' }), isVisit({ 'sec-fetch-dest': 'style', accept: 'text/html' })]).toEqual([true, true, false])
})
