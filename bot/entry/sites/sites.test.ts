import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manualClock } from '../../core/manual-clock.ts'
import { encodingFor } from './compress.ts'
import { candidatesFor } from './resolve.ts'
import { Site, folderOf, matchSite } from './site.ts'
import { listenWithSites } from './test-sites.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-sites-'))
const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const LONG = 'let words = "a line of a script that is long enough to be worth it";\n'.repeat(60)

function write(root: string, files: Record<string, string>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, root, name)), { recursive: true })
    writeFileSync(join(folder, root, name), content)
  }
}

const names = Array.from({ length: 100 }, (_, index) => `site-${index}`)
for (const name of names) {
  write(`app/${name}`, {
    'index.html': `${name} app`, 'main.js': `${name} script`, 'assets/style.css': `${name} style`, 'deep/index.html': `${name} deep`, 'with space.txt': `${name} space`,
    '.env': 'secret', '.well-known/security.txt': `${name} contact`, 'a.b/c': `${name} dotted`, 'café.txt': `${name} café`, '100%.txt': `${name} percent`
  })
  write(`pages/${name}`, {
    'index.html': `${name} home`, '404.html': `${name} nowhere`, 'guide.html': `${name} guide`, 'voices/index.html': `${name} voices`, 'voices/404.html': `${name} no voice`,
    'voices/hibari.html': `${name} hibari`, 'plain': `${name} plain`, 'plain.html': `${name} never`, 'style.css': `${name} style`, '.git/config': 'secret', 'deep/er/page.html': `${name} deeper`
  })
}
write('', { 'outside.txt': 'outside', 'outside/index.html': 'outside', 'site-outside.txt': 'outside' })
write('single', { 'index.html': 'single', 'long.js': LONG, 'main-3f9a2c1b.js': 'hashed', 'empty.txt': '', 'picture.png': 'not really' })
for (const name of names) {
  symlinkSync(join(folder, 'outside.txt'), join(folder, 'app', name, 'link.txt'))
  symlinkSync(join(folder, 'outside'), join(folder, 'pages', name, 'linked'))
  symlinkSync('main.js', join(folder, 'app', name, 'inner.js'))
}

const sites = [
  { host: '{name}.app.test', base: '/', kind: 'app', root: join(folder, 'app/{name}') },
  { host: '{name}.pages.test', base: '/', kind: 'pages', root: join(folder, 'pages/{name}') },
  { host: 'single.test', base: '/', kind: 'app', root: join(folder, 'single') },
  { host: 'single.test', base: '/docs/', kind: 'pages', root: join(folder, 'pages/site-0') }
] satisfies Site[]

let port = 0
let close: () => void
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

beforeAll(async () => {
  ;({ port, close } = await listenWithSites(sites, { clock: manualClock() }))
})

afterAll(() => {
  agent.destroy()
  close()
  rmSync(folder, { recursive: true, force: true })
})

/** With the path as it is given: a client that normalises would hide what is tested. */
function ask(host: string, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, agent, headers: { host, accept: HTML, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

type Row = readonly [path: string, status: number, body: string, accept?: string]

const NO_PAGE = 'There is no such page.\n'
const APP: readonly Row[] = [
  ['/', 200, '§ app'], ['/?x=1', 200, '§ app'], ['/index.html', 200, '§ app'], ['/main.js', 200, '§ script'], ['/main.js?v=2', 200, '§ script'],
  ['/assets/style.css', 200, '§ style'], ['/inner.js', 200, '§ script'], ['/with%20space.txt', 200, '§ space'], ['/caf%C3%A9.txt', 200, '§ café'], ['/100%25.txt', 200, '§ percent'],
  ['/a.b/c', 200, '§ dotted'], ['/.well-known/security.txt', 200, '§ contact'], ['/deep/index.html', 200, '§ deep'],
  ['/nodes', 200, '§ app'], ['/nodes/colab-1', 200, '§ app'], ['/nodes/', 200, '§ app'], ['/deep', 200, '§ app'], ['/deep/', 200, '§ app'], ['/a.b/', 200, '§ app'], ['/assets', 200, '§ app'],
  ['/missing.js', 404, NO_PAGE], ['/assets/missing.css', 404, NO_PAGE], ['/nodes/x.png', 404, NO_PAGE], ['/missing.map?x', 404, NO_PAGE],
  ['/nodes', 404, NO_PAGE, 'application/json'], ['/nodes', 404, NO_PAGE, 'image/png'], ['/main.js', 200, '§ script', 'image/png'],
  ['/link.txt', 404, NO_PAGE], ['/.env', 404, NO_PAGE], ['/..', 404, NO_PAGE], ['/../outside.txt', 404, NO_PAGE], ['/../../outside.txt', 404, NO_PAGE],
  ['/%2e%2e/outside.txt', 404, NO_PAGE], ['/%2E%2E/%2E%2E/outside.txt', 404, NO_PAGE], ['/..%2f..%2foutside.txt', 404, NO_PAGE], ['/%252e%252e%252foutside.txt', 404, NO_PAGE],
  ['/%252e%252e/%252e%252e/outside.txt', 404, NO_PAGE], ['/assets/../../../outside.txt', 404, NO_PAGE], ['/assets/..%5c..%5coutside.txt', 404, NO_PAGE], ['/..\\outside.txt', 400, ''],
  ['//outside.txt', 404, NO_PAGE], ['/assets//style.css', 404, NO_PAGE], ['/main.js%00', 404, NO_PAGE], ['/main.js%00.html', 404, NO_PAGE], ['/%00', 404, NO_PAGE], ['/%', 404, NO_PAGE],
  ['/%zz', 404, NO_PAGE], ['/%c0%ae%c0%ae/outside.txt', 404, NO_PAGE], ['/main.js/', 200, '§ app'], ['/main.js/x', 200, '§ app'], ['/./main.js', 404, NO_PAGE], ['/C:/outside.txt', 404, NO_PAGE],
  ['/file%3a%2f%2foutside.txt', 404, NO_PAGE], ['/.', 404, NO_PAGE], ['/...', 404, NO_PAGE], ['/.git/config', 404, NO_PAGE], ['/%2eenv', 404, NO_PAGE], ['/main.js%0a', 404, NO_PAGE],
  [`/${'x'.repeat(300)}.txt`, 404, NO_PAGE], [`/${'a/'.repeat(200)}b.txt`, 404, NO_PAGE]
]
const PAGES: readonly Row[] = [
  ['/', 200, '§ home'], ['/?q', 200, '§ home'], ['/index.html', 200, '§ home'], ['/index', 200, '§ home'], ['/guide', 200, '§ guide'], ['/guide.html', 200, '§ guide'], ['/guide/', 200, '§ guide'],
  ['/guide?x=1', 200, '§ guide'], ['/voices', 200, '§ voices'], ['/voices/', 200, '§ voices'], ['/voices/index.html', 200, '§ voices'], ['/voices/index', 200, '§ voices'],
  ['/voices/hibari', 200, '§ hibari'], ['/voices/hibari.html', 200, '§ hibari'], ['/plain', 200, '§ plain'], ['/plain.html', 200, '§ never'], ['/style.css', 200, '§ style'],
  ['/deep/er/page', 200, '§ deeper'], ['/404', 200, '§ nowhere'], ['/guide', 200, '§ guide', 'application/json'],
  ['/missing', 404, '§ nowhere'], ['/missing.css', 404, '§ nowhere'], ['/missing/page', 404, '§ nowhere'], ['/voices/missing', 404, '§ no voice'], ['/voices/missing.png', 404, '§ no voice'],
  ['/voices/a/b/c', 404, '§ no voice'], ['/voices/missing/', 404, '§ no voice'], ['/deep', 404, '§ nowhere'], ['/deep/', 404, '§ nowhere'], ['/deep/er/', 404, '§ nowhere'],
  ['/deep/er/missing', 404, '§ nowhere'], ['/style.css/', 404, '§ nowhere'], ['/style.css/x', 404, '§ nowhere'], ['/missing', 404, '§ nowhere', 'image/png'],
  ['/linked', 404, '§ nowhere'], ['/linked/', 404, '§ nowhere'], ['/linked/index.html', 404, '§ nowhere'], ['/.git/config', 404, '§ nowhere'], ['/%2egit/config', 404, '§ nowhere'],
  ['/..', 404, '§ nowhere'], ['/../outside.txt', 404, '§ nowhere'], ['/voices/../../../outside.txt', 404, '§ nowhere'], ['/%2e%2e/outside', 404, '§ nowhere'], ['/%2e%2e%2foutside', 404, '§ nowhere'],
  ['/%252e%252e/outside', 404, '§ nowhere'], ['/voices/%2e%2e/%2e%2e/%2e%2e/outside', 404, '§ nowhere'], ['/..%5coutside', 404, '§ nowhere'], ['//guide', 404, '§ nowhere'],
  ['/voices//hibari', 404, '§ nowhere'], ['/guide%00', 404, '§ nowhere'], ['/guide%00.html', 404, '§ nowhere'], ['/%', 404, '§ nowhere'], ['/%e3%81', 404, '§ nowhere'],
  ['/%c0%af', 404, '§ nowhere'], ['/./guide', 404, '§ nowhere'], ['/guide%2f', 404, '§ nowhere'], ['/GUIDE', 404, '§ nowhere'], ['/guide.HTML', 404, '§ nowhere'],
  [`/${'x'.repeat(400)}`, 404, '§ nowhere'], ['/a b'.replace(' ', '%20'), 404, '§ nowhere']
]

describe('200 hosts', () => {
  it.each([['app', APP], ['pages', PAGES]] as const)('of %s answer 60 paths each with the right status and body', async (kind, rows) => {
    expect(rows.length).toBe(60)
    for (const name of names) {
      const got = await Promise.all(rows.map(([path, , , accept]) => ask(`${name}.${kind}.test`, path, accept === undefined ? {} : { accept })))
      const seen = got.map(({ status, body }, index) => [rows[index]?.[0], status, body.toString()])
      expect(seen).toEqual(rows.map(([path, status, body]) => [path, status, body.replace('§', name)]))
    }
  })

  it.each([
    ['site-1.app.test:8788', 200], ['SITE-1.App.Test', 200], ['site-1.app.test.', 200], ['site-999.app.test', 404], ['app.test', 404], ['a.site-1.app.test', 404], ['..app.test', 404],
    ['%2e%2e.app.test', 400], ['../x.app.test', 400], ['-.app.test', 404], ['other.test', 404]
  ])('by Host %j: %i', async (host, status) => {
    expect((await ask(host, '/')).status).toBe(status)
  })
})

describe('a file', () => {
  it('is not sent again while it is the same', async () => {
    const { headers } = await ask('single.test', '/long.js')
    const etag = headers.etag ?? ''
    const [again, dated, changed] = await Promise.all([
      ask('single.test', '/long.js', { 'if-none-match': etag }), ask('single.test', '/long.js', { 'if-modified-since': headers['last-modified'] ?? '' }), ask('single.test', '/long.js', { 'if-none-match': '"other"' })
    ])
    expect([again.status, again.body.length, dated.status, changed.status]).toEqual([304, 0, 304, 200])
  })

  it('has another ETag once it was written anew', async () => {
    write('single', { 'changing.txt': 'one' })
    const before = await ask('single.test', '/changing.txt')
    write('single', { 'changing.txt': 'two' })
    const after = await ask('single.test', '/changing.txt', { 'if-none-match': before.headers.etag ?? '' })
    expect([after.status, after.body.toString()]).toEqual([200, 'two'])
  })

  it.each([
    ['bytes=0-3', 206, 'let '], ['bytes=-2', 206, ';\n'], ['bytes=4-8', 206, 'words'], ['bytes=999999-', 416, 'The file has no such part.\n'], ['bytes=-0', 416, 'The file has no such part.\n'], ['bytes=4136-99999999999999999999', 206, 'it";\n'.slice(1)], ['bytes=-99999', 206, LONG], ['BYTES=0-3', 206, 'let '], ['junk', 200, LONG], ['bytes=0-1,5-6', 200, LONG], ['lines=1-2', 200, LONG]
  ])('in a range %j: %i', async (range, status, body) => {
    const answer = await ask('single.test', '/long.js', { range })
    expect([answer.status, answer.body.toString()]).toEqual([status, body])
    if (status === 206) expect(answer.headers['content-range']).toMatch(/^bytes \d+-\d+\/4140$/)
    if (status === 416) expect(answer.headers['content-range']).toBe('bytes */4140')
  })

  it('is sent whole when a range is asked of an older version', async () => {
    expect((await ask('single.test', '/long.js', { range: 'bytes=0-3', 'if-range': '"old"' })).status).toBe(200)
    const { headers } = await ask('single.test', '/long.js')
    expect((await ask('single.test', '/long.js', { range: 'bytes=0-3', 'if-range': headers.etag ?? '' })).status).toBe(206)
  })

  it.each([
    ['br', brotliDecompressSync], ['gzip', gunzipSync], ['gzip;q=0.5, br;q=0.9', brotliDecompressSync]
  ] as const)('comes compressed for %j, and under another ETag', async (accept, open) => {
    const [plain, first, second] = [await ask('single.test', '/long.js'), await ask('single.test', '/long.js', { 'accept-encoding': accept }), await ask('single.test', '/long.js', { 'accept-encoding': accept })]
    expect(open(first.body).toString()).toBe(LONG)
    expect([Number(first.headers['content-length']), first.headers.vary]).toEqual([first.body.length, 'Accept-Encoding'])
    expect(first.headers.etag).not.toBe(plain.headers.etag)
    expect(second.body.equals(first.body)).toBe(true)
  })

  it.each(['/picture.png', '/main-3f9a2c1b.js', '/empty.txt'])('%s is not compressed', async (path) => {
    expect((await ask('single.test', path, { 'accept-encoding': 'br, gzip' })).headers['content-encoding']).toBeUndefined()
  })

  it('is kept for a year when its name has its hash, else asked for each time', async () => {
    expect((await ask('single.test', '/main-3f9a2c1b.js')).headers['cache-control']).toContain('immutable')
    expect((await ask('single.test', '/long.js')).headers['cache-control']).toBe('no-cache')
  })

  it('HEAD tells the same without a body, and nothing else is allowed', async () => {
    const head = await ask('single.test', '/long.js', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '4140', 0])
    const posted = await ask('single.test', '/', {}, 'POST')
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  it('lies below the base of its site', async () => {
    expect((await ask('single.test', '/docs/guide')).body.toString()).toBe('site-0 guide')
    expect((await ask('single.test', '/docs/missing')).body.toString()).toBe('site-0 nowhere')
    const slashless = await ask('single.test', '/docs')
    expect([slashless.status, slashless.headers.location]).toEqual([308, '/docs/'])
  })
})

describe('the choice of a site', () => {
  const of = (host: string, base = '/') => ({ host, base, kind: 'app' as const, root: host + base })
  it.each([
    ['a.x.test', '/', 'a.x.test/'], ['b.x.test', '/', '*.x.test/'], ['c.test', '/', '*/'], ['a.x.test', '/docs/y', 'a.x.test/docs/'], ['b.x.test', '/docs', '*.x.test/'], ['A.X.TEST:1', '/', 'a.x.test/']
  ])('of %s%s', (host, path, root) => {
    expect(matchSite([of('*'), of('*.x.test'), of('a.x.test'), of('a.x.test', '/docs/')], host, path)?.root).toBe(root)
  })

  it.each(['a b', 'x..y', '{a}{b}.x', '*.*', 'x/', '{A}.x'])('refuses the pattern %j', (host) => {
    expect(Site.safeParse({ host, kind: 'app', root: '.' }).success).toBe(false)
  })

  it('refuses a folder named after a part that the host does not have', () => {
    const of = (host: string) => Site.safeParse({ host, kind: 'app', root: '/srv/{name}/{name}' }).success
    expect([of('{name}.x'), of('{other}.x'), of('*.x')]).toEqual([true, false, false])
  })

  it.each([['/srv/site', '/srv/site'], ['/srv/{name}', '/srv'], ['/srv/app-{name}/dist', '/srv'], ['{name}', '.']])('looks for the folders of %s in %s', (root, folder) => {
    expect(folderOf(root)).toBe(folder)
  })
})

describe('the files to try', () => {
  it('never leave the folder, whatever is asked', () => {
    const piece = fc.oneof(fc.constantFrom('..', '.', '%2e', '%2E%2e', '%2f', '%5c', '\\', '%00', '/', '//', '%', '%25', 'a', '.html', ':'), fc.string({ maxLength: 3 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('app', 'pages'), fc.boolean(), (pieces, kind, navigates) => {
        for (const { file } of candidatesFor({ kind, base: '/', root: '.' }, { rawPath: `/${pieces.join('')}`, navigates })) {
          const parts = file.split('/')
          expect(parts.some((part) => part === '' || part === '..' || part === '.' || part.includes('\\') || part.includes('\0'))).toBe(false)
        }
      })
    )
  })
})

describe('the encoding', () => {
  it.each([
    ['', undefined], ['br', 'br'], ['gzip', 'gzip'], ['gzip, br', 'br'], ['gzip;q=1, br;q=0.1', 'gzip'], ['br;q=0', undefined], ['*', 'br'], ['identity', undefined], ['GZIP ; q=0.5', 'gzip'], ['br;q=x', undefined],
    ['identity, br;q=0.5', undefined], ['identity;q=0.5, gzip', 'gzip'], ['identity, gzip', 'gzip']
  ])('for %j is %s', (accept, encoding) => {
    expect(encodingFor(accept)).toBe(encoding)
  })
})
