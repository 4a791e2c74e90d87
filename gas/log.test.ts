import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { viewSheet } from './emulation/sheet-view.ts'
import { startAppsScript } from './emulation/start-apps-script.ts'
import type { AppsScript, AppsScriptOptions } from './emulation/start-apps-script.ts'
import { LOG_MAX, addToLog } from './log.ts'
import type { LogRow } from './log.ts'

const HOUR_MS = 3_600_000

describe('the log', () => {
  const refused = { what: 'refused', serverId: '', detail: 'unauthorized: the key is missing or wrong' } as const
  const came = { what: 'registered', serverId: 'n', detail: 'https://a.example' } as const

  it('has the newest on top, and counts in one row what is refused again within an hour', () => {
    let log = addToLog([], [refused], 0)
    log = addToLog(log, [came], 1)
    log = addToLog(log, [{ ...refused, count: 5 }], 2)
    expect(log).toEqual([{ ...refused, atMs: 2, count: 6 }, { ...came, atMs: 1, count: 1 }])
    expect(addToLog(log, [refused], 2 + HOUR_MS)).toHaveLength(3)
    expect(addToLog(log, [came], 3)).toHaveLength(3)
  })

  it('is bounded, and nobody who is refused over and over pushes the rest out', () => {
    const event = fc.record({ what: fc.constantFrom('refused', 'registered'), serverId: fc.constantFrom('a', 'b', ''), detail: fc.constantFrom('x', 'y') })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 500 }), (events) => {
        const log = events.reduce<LogRow[]>((rows, one) => addToLog(rows, [one], 0), [])
        expect(log.length).toBeLessThanOrEqual(LOG_MAX)
        expect(log.filter(({ what }) => what === 'refused').length).toBeLessThanOrEqual(6)
        const registrations = events.filter(({ what }) => what === 'registered').length
        expect(log.filter(({ what }) => what === 'registered')).toHaveLength(Math.min(registrations, LOG_MAX - log.filter(({ what }) => what === 'refused').length))
      }),
      { numRuns: 50 }
    )
  })
})

describe('the sheet "log"', () => {
  let app: AppsScript
  const clock = manualClock()
  const start = async (options: AppsScriptOptions = {}) => void (app = await startAppsScript({ clock, properties: { REGISTRY_KEY: 'secret' }, ...options }))
  afterEach(async () => {
    expect(app.violations).toEqual([])
    expect(app.grid('log').formulas()).toEqual([])
    await app.close()
  })
  const post = async (action: string, body: object) => (await fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{ ok: boolean; warning?: string }>
  const lines = () => viewSheet(app, 'log').rows.map(({ what, serverId, detail, count }) => `${String(count)} ${String(what)} ${String(serverId)} ${String(detail)}`)

  it('shows registrations, takeovers and refusals, with a moment that people can read', async () => {
    await start()
    const n = { serverId: '=1+1', key: 'secret', apiUrl: 'https://a.example' }
    await post('register', { ...n, instanceId: 'i1' })
    await post('register', { ...n, instanceId: 'i2' })
    await post('heartbeat', { ...n, instanceId: 'i1' })
    await post('register', { ...n, apiUrl: 'http://a.example' })
    expect(lines().map((line) => line.replace('\u2060', ''))).toEqual([
      '1 refused =1+1 bad_request: apiUrl: expected an https address (http only on loopback) without credentials, query or fragment',
      '1 refused =1+1 superseded: a later instance of this node has registered',
      '1 took over =1+1 https://a.example',
      '1 registered =1+1 https://a.example'
    ])
    expect(viewSheet(app, 'log').rows[0]?.at).toEqual(new Date(clock.now()))
  })

  it('is written once a minute for 200 calls of a stranger, in one row that counts them, and keeps the rest', async () => {
    await start()
    await post('register', { serverId: 'n', key: 'secret', apiUrl: 'https://a.example' })
    app.operations.length = 0
    for (let call = 0; call < 100; call++) await post('register', { serverId: `n${String(call)}`, key: 'guess', apiUrl: 'https://a.example' })
    await clock.advance(60_000)
    for (let call = 0; call < 100; call++) await post('heartbeat', { serverId: `n${String(call)}`, key: 'guess' })
    expect(app.operations.filter(({ op }) => op === 'range.setValues')).toHaveLength(2)
    expect(lines()).toEqual(['101 refused  unauthorized: the key is missing or wrong', '1 registered n https://a.example'])
  })

  it('warns, as every answer does, while there is no key', async () => {
    await start({ properties: {} })
    expect(await post('register', { serverId: 'n', apiUrl: 'https://a.example' })).toMatchObject({ ok: true, warning: expect.stringContaining('no REGISTRY_KEY') as string })
    await post('register', { serverId: 'm', apiUrl: 'https://a.example' })
    expect(lines()[0]).toMatch(/^2 warning {2}no REGISTRY_KEY is set/)
    const list = (await (await fetch(`${app.url}?action=list`)).json()) as { warning?: string }
    expect(list.warning).toContain('no REGISTRY_KEY')
  })

  it('never fails a call: what was decided is kept, and said, though the log can not be written', async () => {
    await start()
    const n = { serverId: 'n', key: 'secret', apiUrl: 'https://a.example' }
    await post('register', n)
    const grid = app.grid('log')
    const { values } = grid
    grid.values = () => {
      throw new Error('Service Spreadsheets failed')
    }
    expect(await post('register', { ...n, serverId: 'm' })).toMatchObject({ ok: true })
    grid.values = values
    expect(viewSheet(app, 'servers').rows.map((row) => row.serverId)).toEqual(['n', 'm'])
  })

  it('never holds up a refusal: without a cache or a lock the caller still gets it', async () => {
    await start({ before: ({ op }) => { if (op.startsWith('cache')) throw new Error('Service invoked too many times for one day: cache.') } })
    expect(await post('register', { serverId: 'n' })).toMatchObject({ error: { code: 'unauthorized' } })
    await app.close()
    await start()
    app.failLock(1)
    expect(await post('register', { serverId: 'n' })).toMatchObject({ error: { code: 'unauthorized' } })
  })
})
