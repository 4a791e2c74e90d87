import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../bot/doctor/finding.ts'
import type { Report } from '../bot/doctor/report.ts'
import { diagnose, partOf, startProgram } from './doctor-ward.ts'
import { http, startRawUpstream } from './entry/raw-upstream.ts'
import type { RawUpstream, Seen } from './entry/raw-upstream.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const folder = mkdtempSync(join(tmpdir(), 'voxpool-doctor-'))
const file = join(folder, 'services.json')
const CHAT = '/v1/chat/completions'
const IMAGES = '/v1/images/*'
const chat = { path: CHAT, methods: ['POST'], smoke: [{ method: 'POST', path: CHAT, body: { say: 'yes' } }] }
const images = { path: IMAGES, limits: { firstByteMs: 1_000 }, smoke: [{ path: '/v1/images/models?key=of-the-caller' }, { path: '/v1/images/none', status: 404 }] }
let stage: Stage
let node: RawUpstream
let serverId = ''

const write = (services: unknown) => writeFileSync(file, JSON.stringify({ services }))

beforeAll(async () => {
  write([chat, images])
  stage = await openStage({ env: { SERVICES_FILE: file, HTTP_PORT: '0' } })
})
beforeEach(async () => {
  write([chat, images])
  node = await startRawUpstream()
  node.answer = ({ socket, startLine }) => void socket.write(http(startLine.includes('none') ? 404 : 200, '{}'))
  serverId = `chat-${new URL(node.url).port}`
})
afterEach(async () => {
  await stage.registry('unregister', { serverId })
  await stage.bot.app.sync.now()
  await node.close()
})
afterAll(async () => {
  await stage.close()
  rmSync(folder, { recursive: true })
})

const enter = (paths: string[] = [CHAT, IMAGES]) => stage.register({ serverId, url: node.url }, { paths })
const run = (more: Record<string, string> = {}) =>
  diagnose({ DISCORD_TOKEN: stage.sandbox.token, DISCORD_API_URL: stage.sandbox.apiUrl, NODE_HOSTS: '127.0.0.1', HTTP_PORT: String(stage.bot.httpPort), SERVICES_FILE: file, ...more })
const services = (report: Report) => partOf(report, 'services')
const of = ({ findings }: Report, id: string): Finding => {
  const found = findings.find((each) => each.id === id)
  if (found === undefined) throw new Error(`no ${id}`)
  return found
}

describe('the doctor on other services', () => {
  it('asks each smoke path of the entry, and says that all are answered as they have to be', async () => {
    await enter()
    const report = await run()
    expect(services(report)).toEqual(['ok service.ok', 'ok service.ok'])
    expect(of(report, 'service.ok')).toMatchObject({ subject: `service ${CHAT}`, evidence: { smokes: 1 } })
    expect(node.seen.map(({ startLine, body }) => [startLine, body]).filter(([line]) => !/\/audio\/|\/requests\//.test(line ?? '')).sort()).toEqual([
      ['GET /v1/images/models?key=of-the-caller HTTP/1.1', ''], ['GET /v1/images/none HTTP/1.1', ''], [`POST ${CHAT} HTTP/1.1`, '{"say":"yes"}']
    ])
  })

  it('names a status that is another one, with the request that both ends know, and no query', async () => {
    await enter()
    // In the shape of the entry's own refusals, as a Voxpool behind this one answers.
    node.answer = ({ socket }) => void socket.write(http(404, '{"ok":false,"error":{"code":"not_found","message":"","requestId":"r"}}', ['content-type: application/json']))
    const report = await run()
    expect(services(report)).toEqual(['broken service.wrong-status', 'broken service.wrong-status'])
    const [, second] = report.findings.filter(({ id }) => id === 'service.wrong-status')
    expect(second?.evidence).toMatchObject({ smoke: 'GET /v1/images/models', status: 404, expected: 200 })
    expect(node.seen.some(({ headers }) => headers.some(([name, value]) => name === 'x-request-id' && value === second?.evidence['requestId']))).toBe(true)
    expect([report.exitCode, JSON.stringify(report).includes('of-the-caller')]).toEqual([2, false])
  })

  it('tells a path that no node serves from one whose nodes are disabled by hand, and from one whose node can’t be asked', async () => {
    await enter([IMAGES])
    expect(services(await run())).toEqual(['broken service.no-node', 'ok service.ok'])
    await stage.registry('setEnabled', { serverId, enabled: false })
    await stage.bot.app.sync.now()
    const disabled = await run()
    expect(services(disabled)).toEqual(['broken service.no-node', 'warning service.disabled', 'warning service.disabled'])
    expect(of(disabled, 'service.disabled').message).toContain(serverId)
    await stage.registry('setEnabled', { serverId, enabled: true })
    await stage.registry('heartbeat', { serverId, apiUrl: null })
    await stage.bot.app.sync.now()
    expect(services(await run())).toEqual(['broken service.no-node', 'broken service.node-away', 'broken service.node-away'])
  })

  it('names a server behind a path that fails, and one that does not answer', async () => {
    await enter([CHAT])
    for (const answer of [({ socket }: Seen) => void socket.destroy(), ({ socket }: Seen) => void socket.write(http(503))]) {
      node.answer = answer
      expect(services(await run())[0]).toBe('broken service.failed')
    }
    await enter([IMAGES])
    node.answer = () => {}
    expect(services(await run())).toEqual(['broken service.no-node', 'broken service.silent', 'broken service.silent'])
  })

  it('is no caller that has gone, where an answer ends; and waits for none that never does', async () => {
    await enter([CHAT])
    write([chat])
    const measured = async (line: RegExp) => Number(line.exec(await (await fetch(`http://127.0.0.1:${stage.bot.httpPort}/metrics`)).text())?.[1] ?? 0)
    const well = () => measured(/^voxpool_entry_path_requests_total\{path="\/v1\/chat\/completions",status="2xx"\} (\d+)/m)
    const gone = () => measured(/^voxpool_entry_path_failures_total\{path="\/v1\/chat\/completions",kind="gone"\} (\d+)/m)
    const before = [await well(), await gone()] as const
    const inTwoParts = async ({ socket }: Seen) => {
      socket.write(http(200, '{}').slice(0, -1))
      // The head has come to the doctor long before the end.
      for (let turn = 0; turn < 200; turn++) await setImmediate()
      socket.write('}')
    }
    node.answer = (seen) => void inTwoParts(seen)
    expect(services(await run())).toEqual(['ok service.ok'])
    await expect.poll(well).toBe(before[0] + 1)
    expect(await gone()).toBe(before[1])
    node.answer = ({ socket }) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n2\r\n:\n\r\n')
    expect(services(await run())).toEqual(['ok service.ok'])
    await expect.poll(gone).toBe(before[1] + 1)
  })

  it('names what exists and is not public: paths that a node serves and services.json does not have', async () => {
    await enter([CHAT, IMAGES, '/v1/embeddings'])
    const report = await run()
    expect(services(report)).toEqual(['ok service.ok', 'ok service.ok', 'note services.not-public'])
    expect(of(report, 'services.not-public').evidence).toEqual({ paths: ['/v1/embeddings'] })
    write([])
    expect(of(await run(), 'services.not-public').evidence).toEqual({ paths: [CHAT, IMAGES, '/v1/embeddings'] })
  })

  it('names a service that stands in the manifest since the bot was started', async () => {
    await enter()
    write([chat, { path: '/v1/new', smoke: [{ path: '/v1/new' }] }])
    const report = await run()
    expect(services(report).slice(0, 2)).toEqual(['ok service.ok', 'broken service.unknown'])
    expect(of(report, 'service.unknown').nextStep).toMatch(/Start the bot again/)
  })

  it('names every fault of the manifest, looks at the rest, and says nothing of what it could not read', async () => {
    await enter()
    write([{ path: CHAT }, { path: 'v1', smoke: [] }])
    const report = await run()
    expect(services(report)).toEqual(['broken services.manifest', 'broken services.manifest', 'broken services.manifest'])
    expect(of(report, 'services.manifest')).toMatchObject({ subject: `SERVICES_FILE (${file})`, message: expect.stringMatching(/^can't be used: services\.0\.smoke: a public path needs/) as string })
    expect(partOf(report, 'registry')[0]).toBe('ok registry.ok')
    expect(services(await run({ SERVICES_FILE: join(folder, 'missing.json') }))).toEqual(['broken services.manifest'])
  })

  it('says that it could not look where no bot runs, or where the settings can’t be read', async () => {
    const gone = await startProgram(() => undefined)
    await gone.close()
    for (const HTTP_PORT of [new URL(gone.origin).port, '0']) expect(services(await run({ HTTP_PORT }))).toEqual(['unseen services.not-running'])
    expect(services(await run({ HTTP_PORT: 'http' }))).toEqual(['unseen services.unseen'])
  })

  it('tells another program at HTTP_PORT from the bot', async () => {
    const other = await startProgram((request, response) => response.writeHead(200, { 'x-request-id': `not ${String(request.headers['x-request-id'])}` }).end('hello'))
    expect(services(await run({ HTTP_PORT: new URL(other.origin).port }))).toEqual(['broken services.elsewhere'])
    await other.close()
  })

  it('says nothing of services where there are none', async () => {
    write([])
    expect(services(await run())).toEqual([])
  })
})
