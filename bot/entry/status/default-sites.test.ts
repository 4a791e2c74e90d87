import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { silentLog } from '../../core/log.ts'
import { createMetrics } from '../../core/metrics.ts'
import { startEntry } from '../server.ts'
import type { Entry } from '../server.ts'
import { serveSites } from '../sites/serve-sites.ts'
import { STATUS_SITES, serveDefaultSites } from './default-sites.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-default-sites-'))
let entry: Entry

beforeAll(async () => {
  for (const [name, content] of [['app/index.html', 'the app'], ['app/main.js', 'script'], ['docs/index.html', 'the docs'], ['mine/index.html', 'mine'], ['mine/data.html', 'my data']] as const) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const [vendor] = STATUS_SITES
  entry = await startEntry({
    host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), ready: () => ({ ok: true }),
    lastParts: [
      serveSites([{ host: '*', base: '/mine/', kind: 'pages', root: join(folder, 'mine') }], { clock: systemClock }),
      serveDefaultSites([{ host: '*', base: '/docs/', kind: 'pages', root: join(folder, 'docs') }, ...(vendor === undefined ? [] : [vendor]), { host: '*', base: '/', kind: 'app', root: join(folder, 'app') }], { clock: systemClock })
    ]
  })
})

afterAll(async () => {
  await entry.close()
  rmSync(folder, { recursive: true, force: true })
})

const HTML = 'text/html,*/*;q=0.8'
const ask = async (method: string, path: string, accept = HTML) => {
  const answer = await fetch(`http://127.0.0.1:${String(entry.port)}${path}`, { method, headers: { accept }, redirect: 'manual' })
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text(), csp: answer.headers.get('content-security-policy') ?? '' }
}

const VISITS: readonly (readonly [path: string, status: number, body: string])[] = [
  ['/', 200, 'the app'], ['/anything', 200, 'the app'], ['/main.js', 200, 'script'], ['/v1x', 200, 'the app'], ['/missing.js', 404, 'There is no such page.\n'],
  ['/docs/', 200, 'the docs'], ['/docs/nowhere', 404, 'There is no such page.\n'], ['/vendor/uplot/nowhere.js', 404, 'There is no such page.\n'], ['/mine/', 200, 'mine'], ['/mine/data', 200, 'my data']
]

const NO_PATH: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/v1'], ['GET', '/v1/'], ['GET', '/v1/nope'], ['GET', '/v1/audio/nope'], ['GET', '/api'], ['GET', '/api/nope'], ['GET', '/api/nodes/x'], ['GET', '/health/x'], ['GET', '/metrics/x'], ['GET', '/registry'],
  ['GET', '/registry/x'], ['HEAD', '/v1/nope'], ['POST', '/v1/nope'], ['POST', '/nope'], ['POST', '/main.js'], ['PUT', '/nope'], ['DELETE', '/api/nope'], ['OPTIONS', '/nope']
]

describe('the bot’s own sites', () => {
  it.each(VISITS)('are what is visited: %s', async (path, status, body) => {
    const answer = await ask('GET', path)
    expect([answer.status, answer.text]).toEqual([status, body])
    expect(answer.csp).toMatch(/^default-src 'self'/)
  })

  it.each(NO_PATH)('leave what programs ask for to the one shape of errors: %s %s', async (method, path) => {
    for (const accept of [HTML, '*/*', 'application/json']) {
      const { status, type, text } = await ask(method, path, accept)
      expect([status, type]).toEqual([404, 'application/json; charset=utf-8'])
      if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    }
  })

  it('say of a path of theirs how it can be asked', async () => {
    for (const path of ['/', '/docs/', '/docs/x', '/vendor/uplot/uPlot.min.css', '/mine/data']) expect((await ask('POST', path)).status).toBe(405)
  })

  it('bring the library that draws the charts', async () => {
    const [script, style] = [await ask('GET', '/vendor/uplot/uPlot.esm.js', '*/*'), await ask('GET', '/vendor/uplot/uPlot.min.css', '*/*')]
    expect([script.status, script.type, style.status, style.type]).toEqual([200, 'text/javascript; charset=utf-8', 200, 'text/css; charset=utf-8'])
    expect(script.text).toContain('uPlot')
  })
})
