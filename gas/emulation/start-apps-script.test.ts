import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { startAppsScript } from './start-apps-script.ts'
import type { AppsScript, AppsScriptOptions } from './start-apps-script.ts'

let app: AppsScript
const start = async (options: AppsScriptOptions = {}) => void (app = await startAppsScript(options))
afterEach(() => app.close())
const byHand = (url: string, init: RequestInit = {}) => fetch(url, { redirect: 'manual', ...init })
const echo = 'function doGet(e) { return ContentService.createTextOutput(JSON.stringify(e)) }; var doPost = doGet'

describe('the two hops', () => {
  it('run the script at the first, and give its answer to a GET at the second, on another port', async () => {
    await start()
    const first = await byHand(`${app.url}?action=list`)
    expect(first.status).toBe(302)
    const location = first.headers.get('location') ?? ''
    expect(new URL(location).host).not.toBe(new URL(app.url).host)
    expect((await byHand(location, { method: 'POST' })).status).toBe(405)
    expect(await (await byHand(location)).json()).toMatchObject({ ok: true, servers: [] })
    expect(await (await byHand(location)).json()).toMatchObject({ ok: true })
    expect((await byHand(location.replace('key=', 'key=x'))).status).toBe(404)
    expect(app.executions()).toBe(1)
  })

  it('give the script the query and the body as Apps Script does', async () => {
    await start({ code: echo })
    const ask = async (init?: RequestInit) => (await fetch(`${app.url}?a=1&a=2&__proto__=x`, init)).text()
    expect(await ask()).toBe('{"parameter":{"a":"1","__proto__":"x"}}')
    expect(await ask({ method: 'POST', body: '桜' })).toBe('{"parameter":{"a":"1","__proto__":"x"},"postData":{"contents":"桜"}}')
    expect(await ask({ method: 'POST', body: new URLSearchParams({ b: '3' }) })).toContain('"b":"3"')
  })

  it('refuse HEAD, and show a login page behind the path', async () => {
    await start()
    expect((await byHand(app.url, { method: 'HEAD' })).status).toBe(403)
    const page = await byHand(`${app.url}/list`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(app.executions()).toBe(0)
  })
})

describe('a fault', () => {
  it.each(['quota', 'function-missing', 'login', 'too-many'] as const)('of the kind %s is a page with status 200', async (fault) => {
    await start()
    app.failFirstHop(fault, 1)
    const page = await byHand(`${app.url}?action=list`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((await byHand(`${app.url}?action=list`)).status).toBe(302)
  })

  it('in the script, or a function that is not there, is a page too', async () => {
    await start({ code: 'function doGet() { return null.x }' })
    expect(await (await byHand(app.url)).text()).toContain('<html>')
    expect(await (await byHand(app.url, { method: 'POST' })).text()).toContain('Script function not found')
  })

  it('lasts until it is healed', async () => {
    await start()
    app.failSecondHop('lost')
    expect((await fetch(`${app.url}?action=list`)).status).toBe(404)
    app.failFirstHop('reset')
    await expect(fetch(app.url)).rejects.toThrow()
    app.heal()
    expect((await fetch(`${app.url}?action=list`)).status).toBe(200)
  })
})

describe('an execution', () => {
  it('has the globals of Apps Script and none of Node, and starts from nothing', async () => {
    await start({
      code: `var seen = typeof seen === 'undefined' ? 'fresh' : 'used'; globalThis.left = globalThis.left === undefined ? 'nothing' : 'something'
      function doGet() { return ContentService.createTextOutput([seen, left, typeof URL, typeof fetch, typeof setTimeout, typeof process, typeof require, typeof LockService].join()) }`
    })
    for (let run = 0; run < 2; run++) {
      expect(await (await fetch(app.url)).text()).toBe('fresh,nothing,undefined,undefined,undefined,undefined,undefined,object')
    }
  })

  it('too many at once is refused with a page: 30 are the limit', async () => {
    await start({
      code: `function doGet(e) {
        LockService.getScriptLock().waitLock(60000)
        var sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName('gate')
        while (sheet.getRange(1, 1, 1, 1).getValues()[0][0] !== 'open');
        return ContentService.createTextOutput('done')
      }`
    })
    const gate = app.grid('gate')
    const texts = Promise.all(Array.from({ length: 35 }, async () => (await fetch(app.url)).text()))
    await expect.poll(() => app.executions()).toBe(35)
    gate.setValues({ row: 1, column: 1, rows: 1, columns: 1 }, [['open']])
    expect((await texts).filter((text) => text === 'done')).toHaveLength(30)
    expect((await texts).filter((text) => text.includes('too many'))).toHaveLength(5)
  })

  it('that waits too long for the lock gets an error, and the lock of one that ends is let go', async () => {
    const clock = manualClock()
    let waits = 0
    await start({
      clock,
      before: ({ op }) => void (waits += op === 'lock.wait' ? 1 : 0),
      code: `function doGet(e) {
        LockService.getScriptLock().waitLock(15000)
        var sheet = SpreadsheetApp.getActiveSpreadsheet().getSheetByName('gate')
        while (sheet.getRange(1, 1, 1, 1).getValues()[0][0] !== 'open');
        return ContentService.createTextOutput('held')
      }`
    })
    const gate = app.grid('gate')
    const holds = fetch(app.url)
    await expect.poll(() => waits).toBe(1)
    const late = fetch(app.url)
    await expect.poll(() => waits).toBe(2)
    await clock.advance(15_000)
    expect(await (await late).text()).toContain('<html>')
    gate.setValues({ row: 1, column: 1, rows: 1, columns: 1 }, [['open']])
    expect(await (await holds).text()).toBe('held')
    expect(await (await fetch(app.url)).text()).toBe('held')
    expect(app.violations).toEqual(['execution 1: ended with the lock', 'execution 3: ended with the lock'])
  })

  it('that writes without the lock, or lets it go before a flush, is reported', async () => {
    await start({
      code: `function doGet() {
        var sheet = SpreadsheetApp.getActiveSpreadsheet().insertSheet('s'); var lock = LockService.getScriptLock()
        lock.waitLock(1000); sheet.getRange(1, 1, 1, 1).setValues([['x']]); lock.releaseLock()
        return ContentService.createTextOutput('')
      }`
    })
    await fetch(app.url)
    expect(app.violations).toEqual(['execution 1: sheet.insert without the lock', 'execution 1: release before flush'])
  })

  it.each([
    ['getRange(1001, 1, 1, 1).getValues()', 'outside the dimensions'],
    ['getRange(1, 1, 0, 1).getValues()', 'at least 1'],
    ['getRange(1, 1, 1, 2).setValues([[1]]); SpreadsheetApp.flush()', 'does not match'],
    ['setFrozenRows(999); s.deleteRows(1000, 1); SpreadsheetApp.flush()', 'non-frozen']
  ])('can not %s', async (what, why) => {
    await start({
      code: `function doGet() { var s = SpreadsheetApp.getActiveSpreadsheet().insertSheet('s'); try { s.${what} } catch (e) { return ContentService.createTextOutput(e.message) } }`
    })
    expect(await (await fetch(app.url)).text()).toContain(why)
  })
})
