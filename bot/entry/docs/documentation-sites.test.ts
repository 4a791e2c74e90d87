import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { createLog, silentLog } from '../../core/log.ts'
import { createMetrics } from '../../core/metrics.ts'
import { SECURITY_HEADERS } from '../security-headers.ts'
import { startEntry } from '../server.ts'
import type { Entry } from '../server.ts'
import { serveSites } from '../sites/serve-sites.ts'
import { PAGES, TAKEN_ALONG, pageAddressOf } from './contents.ts'
import { documentationSites } from './documentation-sites.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-docs-'))
const HTML = 'text/html,*/*;q=0.8'
const ENTRY = { host: '127.0.0.1', port: 0, log: silentLog, ready: () => ({ ok: true }) as const }
let entry: Entry

beforeAll(async () => {
  const sites = await documentationSites({ dataDir: join(folder, 'served'), log: silentLog })
  entry = await startEntry({ ...ENTRY, metrics: createMetrics(), lastParts: [serveSites(sites, { clock: systemClock })] })
})

afterAll(async () => {
  await entry.close()
  rmSync(folder, { recursive: true, force: true })
})

function ask(path: string, headers: Record<string, string> = {}, method = 'GET', port = entry.port): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { accept: HTML, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the documentation over HTTP', () => {
  it.each([
    ['/docs/', 200, '<h1>Voxpool</h1>'],
    ['/docs/index.html', 200, '<h1>Voxpool</h1>'],
    ['/docs/nodes', 200, '<h1>Running a node</h1>'],
    ['/docs/nodes.html', 200, '<h1>Running a node</h1>'],
    ['/docs/nodes/', 200, '<h1>Running a node</h1>'],
    ['/docs/members?from=help', 200, '<h1>Being heard</h1>'],
    ['/docs/nowhere', 404, '<h1>There is no such page</h1>'],
    ['/docs/deep/er/nowhere.html', 404, '<h1>There is no such page</h1>'],
    ['/docs/%2e%2e/voxpool.db', 404, '<h1>There is no such page</h1>'],
    ['/docs/nodes.md', 404, '<h1>There is no such page</h1>']
  ])('answers %s with %i', async (path, status, heading) => {
    const answer = await ask(path)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain(heading)
    expect(answer.headers).toMatchObject(SECURITY_HEADERS)
  })

  it('leads from /docs to /docs/, and leaves all other paths alone', async () => {
    expect(await ask('/docs')).toMatchObject({ status: 308, headers: { location: '/docs/' } })
    expect((await ask('/document')).status).toBe(404)
    expect((await ask('/docs/', {}, 'POST')).status).toBe(405)
  })

  it.each([
    ['/docs/docs.css', 'text/css; charset=utf-8'],
    ['/docs/icon.svg', 'image/svg+xml; charset=utf-8'],
    ['/docs/docs/rehearsal.png', 'image/png'],
    ['/docs/gas/dist/Code.js', 'text/javascript; charset=utf-8'],
    ['/docs/gas/dist/appsscript.json', 'application/json; charset=utf-8']
  ])('has %s beside the pages', async (path, type) => {
    expect((await ask(path)).headers['content-type']).toBe(type)
  })

  it('asks browsers to look again each time, and answers 304 where nothing has changed', async () => {
    for (const path of [...PAGES.map(({ name }) => pageAddressOf(name)), ...TAKEN_ALONG.map(pageAddressOf), '/docs/docs.css', '/docs/docs/rehearsal.png']) {
      const { status, headers } = await ask(path)
      expect(status).toBe(200)
      expect(headers['cache-control'], path).toBe('no-cache')
      expect((await ask(path, { 'if-none-match': headers.etag! })).status, path).toBe(304)
    }
  })
})

describe('the folder of the documentation', () => {
  it('is written anew at each start, over what an older version or a start that was killed has left, and nothing else is touched', async () => {
    const dataDir = join(folder, 'again')
    const site = [{ host: '*', base: '/docs/', kind: 'pages', root: join(dataDir, 'voxpool-docs') }]
    for (const name of ['voxpool-docs', 'voxpool-docs.new', 'docs']) {
      mkdirSync(join(dataDir, name), { recursive: true })
      writeFileSync(join(dataDir, name, 'old.html'), 'old')
      writeFileSync(join(dataDir, name, 'index.html'), 'old')
    }
    expect(await documentationSites({ dataDir, log: silentLog })).toEqual(site)
    expect(existsSync(join(dataDir, 'voxpool-docs/old.html'))).toBe(false)
    expect(readFileSync(join(dataDir, 'voxpool-docs/index.html'), 'utf8')).toContain('<h1>Voxpool</h1>')
    expect(readdirSync(dataDir).sort()).toEqual(['docs', 'voxpool-docs'])
    expect(readdirSync(join(dataDir, 'docs')).sort()).toEqual(['index.html', 'old.html'])
    expect(await documentationSites({ dataDir, log: silentLog })).toEqual(site)
  })

  it.each([
    ['the folder can’t be written', { dataDir: join(folder, 'file') }],
    ['the sources are not there', { dataDir: join(folder, 'unread'), repository: join(folder, 'no-sources') }]
  ])('has no pages, with one warning, where %s, and those of an older version are gone', async (_, where) => {
    writeFileSync(join(folder, 'file'), 'no folder')
    mkdirSync(join(folder, 'unread/voxpool-docs'), { recursive: true })
    writeFileSync(join(folder, 'unread/voxpool-docs/index.html'), 'old')
    const lines: string[] = []
    const sites = await documentationSites({ ...where, log: createLog('info', [], { write: (line) => void lines.push(line) }) })
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([expect.objectContaining({ level: 'warn', msg: expect.stringContaining('/docs/ is empty') as string })])
    const other = await startEntry({ ...ENTRY, metrics: createMetrics(), lastParts: [serveSites(sites, { clock: systemClock })] })
    expect((await ask('/docs/', {}, 'GET', other.port)).status).toBe(404)
    await other.close()
  })
})
