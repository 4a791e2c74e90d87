import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sleep, systemClock } from '../../bot/core/clock.ts'
import type { Clock } from '../../bot/core/clock.ts'
import type { WebEvent } from '../apps-script.ts'
import type { Grid } from './book.ts'
import { createExecutions } from './executions.ts'
import { pages } from './pages.ts'
import { createServices } from './services.ts'
import type { Asker, ServiceOptions, Services } from './services.ts'

/** What goes wrong before the script runs. `hang` never answers, `reset` closes the connection. */
type FirstHopFault = 'quota' | 'function-missing' | 'login' | 'too-many' | 'hang' | 'reset'
/** What goes wrong after it has run. `lost` is a 404 page. */
type SecondHopFault = 'lost' | 'hang' | 'reset'

export interface AppsScript {
  /** The web app's address, `http://127.0.0.1:PORT/macros/s/ID/exec`. */
  url: string
  /** A sheet, for what an operator's hand does and for looking at it. */
  grid(name: string): Grid
  operations: Services['operations']
  violations: Services['violations']
  printed: Services['printed']
  /** The next `times` calls fail so (all of them, when not said), until `heal()`. */
  failFirstHop(fault: FirstHopFault, times?: number): void
  failSecondHop(fault: SecondHopFault, times?: number): void
  heal(): void
  /** Executions so far: how often hop 1 ran the script. */
  executions(): number
  /** Requests that reached hop 2 so far. */
  fetches(): number
  /** What was shown to a person: alerts and toasts. */
  shown: Services['shown']
  properties: Services['properties']
  cache: Services['cache']
  select: Services['select']
  failLock: Services['failLock']
  /** Runs a function of the script from the editor, as its owner does with `setup`. Rejects when it fails. */
  runFromEditor(name: string): Promise<void>
  /** Somebody opens the sheet; resolves with the captions of the menu `Voxpool`. */
  open(): Promise<string[]>
  /** Somebody clicks in that menu. */
  click(caption: string): Promise<void>
  close: () => Promise<void>
}

export interface AppsScriptOptions extends Partial<ServiceOptions> {
  clock?: Clock
  /** Time that each execution takes at least: 4,000 to 7,000 is normal at Google. */
  delayMs?: number
  /** The script; the built bundle when not given. */
  code?: string
}

const BODY_MAX_BYTES = 8_000_000

/**
 * Apps Script on this machine, for tests and rehearsals: the built bundle behind the two hops of a web app, on two ports. Hop 1
 * runs the script and sends the caller on; hop 2 gives the answer, to GET only. Faults come as they do there: HTML with status 200.
 */
export async function startAppsScript(options: AppsScriptOptions = {}): Promise<AppsScript> {
  const { clock = systemClock, delayMs = 0, properties = {}, ...behaviour } = options
  const code = options.code ?? readFileSync(new URL('../dist/Code.js', import.meta.url), 'utf8')
  const services = createServices({ ...behaviour, properties, clock })
  const executions = createExecutions(code, services)
  const outputs = new Map<string, { text: string; type: string }>()
  const path = `/macros/s/AKfycb${randomBytes(12).toString('base64url')}/exec`
  const faults: { first: FirstHopFault[]; second: SecondHopFault[]; firstAlways?: FirstHopFault; secondAlways?: SecondHopFault } = { first: [], second: [] }
  let count = 0
  let fetches = 0

  async function runByHand(name: string, asker: Asker): Promise<void> {
    const result = await executions.run(name, asker)
    if ('tooMany' in result || result.missing || result.error !== undefined) throw new Error(`${name}: ${JSON.stringify(result)}`)
  }

  const first = await listen(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (request.method === 'HEAD') { html(response, 403, ''); return; }
    if (url.pathname !== path) { html(response, 200, pages.login); return; }
    const fault = faults.first.shift() ?? faults.firstAlways
    if (fault === 'hang') return
    if (fault === 'reset') return void request.socket.destroy()
    if (fault === 'login') { html(response, 200, pages.login); return; }
    if (fault !== undefined) { html(response, 200, pages[fault]); return; }
    const event = toEvent(url, request, await readBody(request))
    if (delayMs > 0) await sleep(clock, delayMs)
    count += 1
    const result = await executions.run(request.method === 'POST' ? 'doPost' : 'doGet', 'web', event)
    if ('tooMany' in result) { html(response, 200, pages['too-many']); return; }
    if (result.missing) { html(response, 200, pages['function-missing']); return; }
    if (!result.output) { html(response, 200, pages.failed); return; }
    const key = randomBytes(24).toString('base64url')
    outputs.set(key, result.output)
    if (outputs.size > 1000) outputs.delete(outputs.keys().next().value ?? '')
    response.writeHead(302, { location: `${second.origin}/macros/echo?user_content_key=${key}&lib=M`, 'content-type': 'text/html; charset=UTF-8' })
    response.end(pages.moved)
  })
  const second = await listen(async (request, response) => {
    fetches += 1
    const url = new URL(request.url ?? '/', 'http://localhost')
    const output = outputs.get(url.searchParams.get('user_content_key') ?? '')
    if (request.method !== 'GET') { html(response, 405, pages.notAllowed); return; }
    const fault = faults.second.shift() ?? faults.secondAlways
    if (fault === 'hang') return
    if (fault === 'reset') return void request.socket.destroy()
    if (fault === 'lost' || url.pathname !== '/macros/echo' || !output) { html(response, 404, pages.lost); return; }
    response.writeHead(200, { 'content-type': `${output.type}; charset=utf-8`, 'access-control-allow-origin': '*' })
    response.end(output.text)
  })

  return {
    url: `${first.origin}${path}`,
    grid: (name) => services.grid(name),
    operations: services.operations,
    violations: services.violations,
    printed: services.printed,
    failFirstHop(fault, times = Infinity) {
      if (times === Infinity) faults.firstAlways = fault
      else faults.first.push(...Array.from({ length: times }, () => fault))
    },
    failSecondHop(fault, times = Infinity) {
      if (times === Infinity) faults.secondAlways = fault
      else faults.second.push(...Array.from({ length: times }, () => fault))
    },
    heal() {
      faults.first.length = faults.second.length = 0
      delete faults.firstAlways
      delete faults.secondAlways
    },
    executions: () => count,
    fetches: () => fetches,
    shown: services.shown,
    properties: services.properties,
    cache: services.cache,
    select: services.select,
    failLock: services.failLock,
    runFromEditor: (name) => runByHand(name, 'editor'),
    async open() {
      await runByHand('onOpen', 'open')
      return (services.menus.get('Voxpool') ?? []).map((item) => item.caption)
    },
    click: (caption) => runByHand(services.menus.get('Voxpool')?.find((item) => item.caption === caption)?.run ?? 'nothing', 'menu'),
    async close() {
      await Promise.all([first.close(), second.close()])
      await executions.close()
    }
  }
}

/** The event that Apps Script gives: of a form it reads the fields, and of anything else only the text. */
function toEvent(url: URL, request: IncomingMessage, body: string): WebEvent {
  const type = request.headers['content-type'] ?? ''
  const fields = type.startsWith('application/x-www-form-urlencoded') ? [...new URLSearchParams(body)] : []
  const parameter: Record<string, string> = {}
  for (const [name, value] of [...url.searchParams, ...fields]) {
    if (!Object.hasOwn(parameter, name)) Object.defineProperty(parameter, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return body === '' ? { parameter } : { parameter, postData: { contents: body } }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > BODY_MAX_BYTES) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function html(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
  response.end(page)
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
