import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../bot/core/clock.ts'
import { startAppsScript } from '../gas/emulation/start-apps-script.ts'
import type { AppsScript, AppsScriptOptions } from '../gas/emulation/start-apps-script.ts'
import { KEY, diagnose, envOf, partOf, startHealthyDiscord, startProgram, verdict } from './doctor-ward.ts'
import type { Sandbox } from './start.ts'

let discord: Sandbox
let script: AppsScript

beforeAll(async () => {
  discord = await startHealthyDiscord()
})
afterAll(() => discord.close())
beforeEach(() => open({}))
afterEach(() => script.close())

async function open(options: AppsScriptOptions): Promise<void> {
  script = await startAppsScript({ properties: { REGISTRY_KEY: KEY }, ...options })
}
async function reopen(options: AppsScriptOptions): Promise<void> {
  await script.close()
  await open(options)
}

const run = (more: Record<string, string> = {}) => diagnose({ ...envOf(discord), GAS_URL: script.url, ...more })
/** What a registry that can't be read leaves unseen. */
const BLIND = ['registry.unseen', 'nodes.unseen']
const GOOD = ['ok registry.ok', 'ok registry.version', 'ok registry.clock', 'ok registry.usage', 'broken nodes.none']

describe('the doctor on an Apps Script registry', () => {
  it('says that it is reachable, of our version, with our key and our time, and what it has used; and leaves its sheets as they are', async () => {
    expect(partOf(await run(), 'registry', 'nodes')).toEqual(GOOD)
    expect(script.violations).toEqual([])
  })

  it('names a registry that can’t be reached', async () => {
    const { url } = script
    await script.close()
    expect(verdict(await run({ GAS_URL: url }))).toEqual([2, 'registry.unreachable', ...BLIND])
    await open({})
  })

  it('names a page that asks for a login', async () => {
    script.failFirstHop('login')
    expect(verdict(await run())).toEqual([2, 'registry.login', ...BLIND])
  })

  it('names an address that sends to Google’s login', async () => {
    const login = await startProgram((_, response) => response.writeHead(302, { location: 'https://accounts.google.com/ServiceLogin' }).end())
    expect(verdict(await run({ GAS_URL: `${login.origin}/exec` }))).toEqual([2, 'registry.login', ...BLIND])
    await login.close()
  })

  it('names a deployment without our functions', async () => {
    script.failFirstHop('function-missing')
    expect(verdict(await run())).toEqual([2, 'registry.no-function', ...BLIND])
  })

  it.each(['quota', 'too-many'] as const)('takes Google’s limits (%s) for what passes', async (fault) => {
    script.failFirstHop(fault)
    expect(verdict(await run())).toEqual([1, 'registry.limits', ...BLIND])
  })

  it.each([
    [429, [1, 'registry.limits'], /answers with status 429: too many calls\.$/, /^Wait for some minutes/],
    [503, [2, 'registry.failed'], /answers with status 503\.$/, /^Run the doctor again in a minute\.$/]
  ])('takes status %i for what passes, whatever its page says', async (status, said, message, nextStep) => {
    const google = await startProgram((_, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<a>Sign in</a>'))
    const report = await run({ GAS_URL: `${google.origin}/exec` })
    expect(verdict(report)).toEqual([...said, ...BLIND])
    expect(report.findings.find(({ id }) => id === said[1])).toMatchObject({
      message: expect.stringMatching(message) as string, nextStep: expect.stringMatching(nextStep) as string, evidence: { status }
    })
    await google.close()
  })

  it('names whatever else is no registry, and never shows the key that it quotes', async () => {
    const echo = await startProgram((request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>Welcome ${request.url ?? ''}</p>`))
    const report = await run({ GAS_URL: `${echo.origin}/exec` })
    expect(verdict(report)).toEqual([2, 'registry.page', ...BLIND])
    expect(JSON.stringify(report)).not.toContain(KEY)
    await echo.close()
  })

  it('names a script that is older than the bot, by the actions that it does not know', async () => {
    const now = readFileSync(new URL('../gas/dist/Code.js', import.meta.url), 'utf8')
    const old = now.replace(/,"rename"\]/, ']')
    expect(old).not.toBe(now)
    await reopen({ code: old })
    const report = await run()
    expect(partOf(report, 'registry', 'nodes')).toEqual(GOOD.with(1, 'warning registry.old'))
    expect(report.findings.find(({ id }) => id === 'registry.old')?.evidence).toEqual({ missing: ['rename'] })
  })

  it('names a wrong key, and a key that is not set', async () => {
    const wrong = await run({ REGISTRY_KEY: 'another-key-than-that' })
    expect(verdict(wrong)).toEqual([2, 'registry.key-wrong', ...BLIND])
    const none = await run({ REGISTRY_KEY: '' })
    expect(verdict(none)).toEqual([2, 'registry.key-wrong', ...BLIND])
    const messages = [wrong, none].map(({ findings }) => findings.find(({ id }) => id === 'registry.key-wrong')?.message)
    expect(messages).toEqual(['it refuses REGISTRY_KEY: the key is another one.', 'it wants a key, and REGISTRY_KEY is not set.'])
  })

  it('warns of a registry that has no key', async () => {
    await reopen({ properties: {} })
    expect(verdict(await run())).toEqual([2, 'registry.open', 'nodes.none'])
  })

  it.each([
    [-300_000, 'broken registry.clock-wrong'],
    [300_000, 'broken registry.clock-wrong'],
    [60_000, 'warning registry.clock-differs']
  ])('names a clock that is off by %i ms', async (offMs, line) => {
    await reopen({ clock: { ...systemClock, now: () => systemClock.now() + offMs } })
    const report = await run()
    expect(partOf(report, 'registry', 'nodes')).toEqual(GOOD.with(2, line))
    const said = Number(report.findings.find(({ subject }) => subject === 'clock')?.evidence['differenceMs'])
    expect(Math.abs(said - offMs)).toBeLessThan(20_000)
  })
})
