import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startAppsScript } from '../../gas/emulation/start-apps-script.ts'
import type { AppsScript } from '../../gas/emulation/start-apps-script.ts'
import { systemClock } from '../core/clock.ts'
import { VoxError } from '../core/errors.ts'
import { manualClock } from '../core/manual-clock.ts'
import { httpRegistry } from './client.ts'
import { createSend } from './send.ts'

const KEY = 'correct-horse-battery'
const LIST = { method: 'GET', query: { action: 'list', key: KEY } } as const
const PRESENCE = { method: 'POST', query: { action: 'presence' }, body: JSON.stringify({ devices: [], key: KEY }) } as const

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})
const startApp = async (): Promise<AppsScript> => {
  const app = await startAppsScript({ properties: { REGISTRY_KEY: KEY } })
  closers.push(() => app.close())
  return app
}
const startServer = async (listener: RequestListener): Promise<string> => {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => (server.closeAllConnections(), server.close()))
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
}
const sendTo = (url: string, clock = systemClock) => createSend({ url, clock })
/** The fault of a call that fails; it never holds the key, wherever one looks. */
const faultOf = async (call: Promise<unknown>): Promise<VoxError> => {
  const fault = await call.then(() => undefined, (error: unknown) => error)
  if (!(fault instanceof VoxError)) throw new Error(`expected a VoxError, got ${String(fault)}`)
  expect(`${fault.stack ?? ''} ${JSON.stringify(fault)} ${String(fault.cause)}`).not.toContain(KEY)
  return fault
}

describe('the two hops', () => {
  it('carry a list and a write', async () => {
    const app = await startApp()
    expect(await sendTo(app.url)(LIST)).toMatchObject({ ok: true, servers: [] })
    expect(await sendTo(app.url)(PRESENCE)).toMatchObject({ ok: true, servers: [] })
  })

  it('try a lost answer again, and never the write', async () => {
    const app = await startApp()
    app.failSecondHop('lost', 2)
    app.failSecondHop('reset', 1)
    expect(await sendTo(app.url)(PRESENCE)).toMatchObject({ ok: true })
    expect(app.executions()).toBe(1)
    expect(app.fetches()).toBe(4)
  })

  it('give up an answer that stays lost', async () => {
    const app = await startApp()
    app.failSecondHop('lost')
    expect(await faultOf(sendTo(app.url)(PRESENCE))).toMatchObject({ code: 'REGISTRY_BAD_REPLY', context: { status: 404 } })
    expect(app.executions()).toBe(1)
    expect(app.fetches()).toBe(4)
  })

  it('fetch again when the answer hangs', async () => {
    const app = await startApp()
    const clock = manualClock()
    app.failSecondHop('hang', 1)
    const answer = sendTo(app.url, clock)(PRESENCE)
    await expect.poll(() => app.fetches()).toBe(1)
    await clock.advance(8000)
    await expect.poll(() => clock.pending()).toBe(2)
    await clock.advance(300)
    expect(await answer).toMatchObject({ ok: true })
    expect(app.executions()).toBe(1)
    expect(clock.pending()).toBe(0)
  })
})

describe('a page where an answer should be', () => {
  it.each(['quota', 'function-missing', 'login', 'too-many'] as const)('is a bad reply: %s', async (fault) => {
    const app = await startApp()
    app.failFirstHop(fault, 1)
    const { code, context } = await faultOf(sendTo(app.url)(LIST))
    expect(code).toBe('REGISTRY_BAD_REPLY')
    expect(context.page).toMatch(/\S/)
    expect(context.page).not.toMatch(/[<>]/)
    expect(await sendTo(app.url)(LIST)).toMatchObject({ ok: true })
  })

  it('that quotes the address does not bring the key into the log', async () => {
    const url = await startServer((request, response) => response.end(`<p>no such page: ${request.url ?? ''}</p>`))
    expect((await faultOf(sendTo(url)(LIST))).context.page).toContain('key=[hidden]')
  })

  it('of the wrong shape, though JSON, is a bad reply too', async () => {
    const url = await startServer((_request, response) => response.end('{"servers":[]}'))
    const registry = httpRegistry({ url, key: KEY, clock: systemClock })
    expect(await faultOf(registry.list())).toMatchObject({ code: 'REGISTRY_BAD_REPLY' })
    expect(await faultOf(registry.sync([]))).toMatchObject({ code: 'REGISTRY_BAD_REPLY' })
  })
})

describe('a registry that can not be reached', () => {
  it('refuses the connection, or resets it', async () => {
    const app = await startApp()
    app.failFirstHop('reset')
    expect(await faultOf(sendTo(app.url)(LIST))).toMatchObject({ code: 'REGISTRY_UNREACHABLE' })
    const gone = await startServer(() => {})
    await closers.pop()?.()
    expect(await faultOf(sendTo(gone)(LIST))).toMatchObject({ code: 'REGISTRY_UNREACHABLE', context: { reason: 'ECONNREFUSED' } })
  })

  it('is silent for 30 s', async () => {
    const app = await startApp()
    const clock = manualClock()
    app.failFirstHop('hang')
    const fault = faultOf(sendTo(app.url, clock)(LIST))
    await clock.advance(30_000)
    expect((await fault).code).toBe('REGISTRY_SILENT')
    expect(clock.pending()).toBe(0)
  })

  it('is left at once when the caller cancels', async () => {
    const app = await startApp()
    app.failFirstHop('hang')
    const controller = new AbortController()
    const fault = faultOf(sendTo(app.url)(LIST, controller.signal))
    controller.abort()
    expect((await fault).code).toBe('CANCELLED')
  })
})

describe('a redirect', () => {
  it.each(['http://192.0.2.1/', 'ftp://127.0.0.1/', 'file:///etc/passwd', 'https://user:pass@example.com/', 'http://', 'javascript:1'])('to %s is not followed', async (location) => {
    const url = await startServer((_request, response) => response.writeHead(302, { location }).end())
    expect(await faultOf(sendTo(url)(LIST))).toMatchObject({ code: 'REGISTRY_BAD_REPLY', context: { reason: 'a redirect to where it must not lead' } })
  })

  it('without end is given up, and never repeats the body', async () => {
    const methods: (string | undefined)[] = []
    const url = await startServer((request, response) => {
      methods.push(request.method)
      response.writeHead(302, { location: '/again' }).end()
    })
    expect(await faultOf(sendTo(url)(PRESENCE))).toMatchObject({ code: 'REGISTRY_BAD_REPLY', context: { reason: 'too many redirects' } })
    expect(methods).toEqual(['POST', 'GET', 'GET', 'GET'])
  })

  it('to a login says what the operator has to do', async () => {
    const url = await startServer((_request, response) => response.writeHead(302, { location: 'https://accounts.google.com/ServiceLogin' }).end())
    expect((await faultOf(sendTo(url)(LIST))).context.reason).toContain('deploy the web app with access for anyone')
  })
})

it('an answer without end is cut off', async () => {
  const url = await startServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
    }
    response.on('drain', more)
    more()
  })
  expect(await faultOf(sendTo(url)(LIST))).toMatchObject({ code: 'REGISTRY_BAD_REPLY', context: { reason: 'more than 4000000 bytes' } })
})

it('more devices than one call may carry go in several', async () => {
  const sizes: number[] = []
  const url = await startServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      expect(body.length).toBeLessThanOrEqual(1_000_000)
      sizes.push((JSON.parse(body.toString()) as { devices: unknown[] }).devices.length)
      response.end(JSON.stringify({ ok: true, now: sizes.length, servers: [] }))
    })
  })
  const registry = httpRegistry({ url, key: KEY, clock: systemClock })
  const devices = (count: number, length: number) => Array.from({ length: count }, (_, index) => ({ deviceId: String(index).padStart(length, '0'), serverId: 'n' }))
  expect((await registry.sync(devices(20_001, 10))).nowMs).toBe(3)
  expect(sizes).toEqual([10_000, 10_000, 1])
  sizes.length = 0
  await registry.sync(devices(10_000, 128))
  expect(sizes.reduce((sum, size) => sum + size)).toBe(10_000)
  expect(sizes.length).toBe(2)
})
