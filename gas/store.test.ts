import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { takeOperations, typeInto, viewSheet } from './emulation/sheet-view.ts'
import { startAppsScript } from './emulation/start-apps-script.ts'
import type { AppsScript, AppsScriptOptions } from './emulation/start-apps-script.ts'

let app: AppsScript
const start = async (options: AppsScriptOptions = {}) => void (app = await startAppsScript(options))
afterEach(() => app.close())

const post = async (action: string, body: unknown) => (await fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify(body) })).json() as Promise<{ ok: boolean; error?: { code: string } }>
const register = (serverId: string, fields: object = {}) => post('register', { serverId, label: 'Pink', apiUrl: 'https://a.example', capacity: 10, ...fields })
const list = async () => ((await (await fetch(`${app.url}?action=list`)).json()) as { servers: Record<string, unknown>[] }).servers

const sheet = (name: string) => viewSheet(app, name)
const type = (serverId: string, column: string, value: Parameters<typeof typeInto>[3]) => typeInto(app, serverId, column, value)
const ops = () => takeOperations(app)

describe("the operator's sheet", () => {
  beforeEach(() => start())

  it('is made with its headers by the first call that writes', async () => {
    await register('n')
    await post('presence', { devices: [] })
    expect(sheet('servers').header).toEqual([
      'serverId', 'color', 'label', 'apiUrl', 'enabled', 'capacity', 'assignedCount', 'lastSeen',
      'lastSeenMs', 'instanceId', 'concurrency', 'voices', 'nodeLabel', 'nodeCapacity', 'pastInstances', 'registeredMs', 'paths'
    ])
    expect(sheet('presence').header).toEqual(['deviceId', 'serverId', 'lastSeen'])
    expect(app.violations).toEqual([])
  })

  it('lists nothing, and makes nothing, while there is none', async () => {
    expect(await list()).toEqual([])
    expect(ops().filter((op) => !/^(now|property|cache|sheet\.exists)/.test(op))).toEqual([])
  })

  it.each(['FALSE', 'no', 'off'])('turns a node off with %j, which outlives its next registration and its beats', async (word) => {
    await register('n')
    type('n', 'enabled', word)
    await register('n', { instanceId: 'again' })
    await post('heartbeat', { serverId: 'n' })
    expect(await list()).toMatchObject([{ enabled: false }])
    expect(sheet('servers').rows[0]?.enabled).toBe(word === 'FALSE' ? false : word)
    await post('setEnabled', { serverId: 'n', enabled: true })
    expect(await list()).toMatchObject([{ enabled: true }])
  })

  it('shows the name that the bot gave a node, and the operator has the last word', async () => {
    await register('n')
    await post('rename', { serverId: 'n', label: '=1+1' })
    expect(sheet('servers').rows[0]?.label).toBe('\u2060=1+1')
    await register('n', { label: 'Blue' })
    expect(await list()).toMatchObject([{ label: '=1+1' }])
    type('n', 'label', 'Mine')
    expect(await list()).toMatchObject([{ label: 'Mine' }])
    await post('rename', { serverId: 'n', label: '' })
    expect(await list()).toMatchObject([{ label: 'Blue' }])
    const renamed = sheet('log').rows.filter(({ what }) => what === 'renamed').map(({ detail }) => detail)
    expect(renamed).toEqual(['Blue', '\u2060=1+1'])
  })

  it('decides label and capacity, until they are emptied', async () => {
    await register('n')
    type('n', 'label', 'Mine')
    type('n', 'capacity', '3')
    await register('n', { label: 'Blue', capacity: 20 })
    expect(await list()).toMatchObject([{ label: 'Mine', capacity: 3 }])
    type('n', 'label', '')
    type('n', 'capacity', '')
    expect(await list()).toMatchObject([{ label: 'Blue', capacity: 20 }])
    await register('n', { label: 'Green', capacity: 30 })
    expect(await list()).toMatchObject([{ label: 'Green', capacity: 30 }])
  })

  it('forgets a node whose row is deleted, so that it registers again', async () => {
    await register('a')
    await register('b')
    app.grid('servers').deleteRows(2, 1)
    expect(await post('heartbeat', { serverId: 'a' })).toMatchObject({ error: { code: 'unknown_server' } })
    expect(await post('heartbeat', { serverId: 'b' })).toMatchObject({ ok: true })
    expect(sheet('servers').rows).toMatchObject([{ serverId: 'b' }])
  })

  it('may be reordered, with columns and rows of its own', async () => {
    const header = ['notes', 'lastSeen', 'enabled', 'serverId', 'capacity', 'label', 'apiUrl', 'constructor']
    app.grid('servers').setValues({ row: 1, column: 1, rows: 1, columns: header.length }, [header])
    app.grid('servers').setValues({ row: 2, column: 1, rows: 1, columns: 1 }, [['the pool of our club']])
    await register('007', { instanceId: 'i1' })
    type('007', 'notes', 'in the attic')
    await post('heartbeat', { serverId: '007', instanceId: 'i1' })
    expect(sheet('servers').header.slice(0, 9)).toEqual([...header, 'color'])
    expect(sheet('servers').rows).toMatchObject([{ notes: 'the pool of our club', serverId: '' }, { notes: 'in the attic', serverId: '007', instanceId: 'i1' }])
    expect(await list()).toMatchObject([{ serverId: '007', capacity: 10 }])
  })

  it('reads a row that was written by hand before the node ever came', async () => {
    await register('x')
    await post('unregister', { serverId: 'x' })
    app.grid('servers').setValues({ row: 2, column: 1, rows: 1, columns: 6 }, [['n', '', 'My node', '', 'no', 4]])
    expect(await post('heartbeat', { serverId: 'n' })).toMatchObject({ error: { code: 'unknown_server' } })
    await register('n')
    expect(await list()).toMatchObject([{ serverId: 'n', label: 'My node', enabled: false, capacity: 4, apiUrl: 'https://a.example' }])
  })

  it('lists a node once when its row is there twice', async () => {
    await register('n')
    const grid = app.grid('servers')
    grid.setValues({ ...grid.dataArea(), row: 3, rows: 1 }, grid.values({ ...grid.dataArea(), row: 2, rows: 1 }))
    expect(await list()).toHaveLength(1)
    await post('unregister', { serverId: 'n' })
    expect(sheet('servers').rows).toEqual([])
  })

  it('grows beyond its 1,000 rows, and shrinks to the last one', async () => {
    await register('n')
    const devices = Array.from({ length: 1200 }, (_, index) => ({ deviceId: `d${String(index)}`, serverId: 'n' }))
    await post('presence', { devices })
    expect(await list()).toMatchObject([{ activeCount: 1200, assignedCount: 1200 }])
    expect(sheet('servers').rows).toMatchObject([{ assignedCount: 1200 }])
    const grid = app.grid('servers')
    grid.deleteRows(3, grid.maxRows() - 2)
    await post('unregister', { serverId: 'n' })
    expect(await list()).toEqual([])
    await register('again')
    expect(await list()).toMatchObject([{ serverId: 'again' }])
  })
})

describe('what the operator types between the read and the write of a call', () => {
  it.each([
    ['a registration at a new address', (id: string) => register(id, { instanceId: 'again', apiUrl: 'https://b.example', color: 'red' })],
    ['a beat at a new address', (id: string) => post('heartbeat', { serverId: id, apiUrl: 'https://b.example' })]
  ])('outlives %s', async (_what, call) => {
    let types = () => {}
    await start({ before: (request) => { if (request.op === 'range.setValues' && request.sheet === 'servers') types() } })
    await register('n')
    types = () => {
      type('n', 'enabled', false)
      type('n', 'label', 'Mine')
      type('n', 'capacity', 3)
    }
    await call('n')
    types = () => {}
    expect(await list()).toMatchObject([{ enabled: false, label: 'Mine', capacity: 3, apiUrl: 'https://b.example' }])
  })
})

describe('a call', () => {
  beforeEach(() => start())

  it('that lists takes no lock and writes nothing', async () => {
    await register('n')
    ops()
    await list()
    expect(ops().filter((op) => !/^(now|property|cache)/.test(op))).toEqual([
      'sheet.exists servers', 'sheet.dataArea servers', 'range.getValues servers',
      'sheet.exists presence'
    ])
  })

  it('that beats reads once and writes only the stamp', async () => {
    await register('n')
    ops()
    await post('heartbeat', { serverId: 'n' })
    expect(ops().filter((op) => /range|lock|flush/.test(op))).toEqual([
      'lock.wait', 'range.getValues servers', 'range.setValues servers', 'flush', 'lock.release'
    ])
  })

  it('that tells 200 devices writes them in one range, and drops the gone ones', async () => {
    await register('n')
    const devices = Array.from({ length: 200 }, (_, index) => ({ deviceId: `d${String(index)}`, serverId: 'n' }))
    await post('presence', { devices })
    ops()
    await post('presence', { devices })
    expect(ops().filter((op) => op.includes('range.'))).toEqual(['range.getValues servers', 'range.getValues presence', 'range.setValues presence'])
    expect(sheet('presence').rows).toHaveLength(200)
  })

  it('that is refused touches no sheet of the registry, and the log once a minute at most', async () => {
    await post('register', { serverId: 'n' })
    expect(new Set(ops().filter((op) => op.startsWith('range.')).map((op) => op.split(' ')[1]))).toEqual(new Set(['log']))
    await post('register', { serverId: 'n' })
    expect(ops().filter((op) => !/^(now|property|cache)/.test(op))).toEqual([])
  })

  it('reads the key from the properties only now and then', async () => {
    for (let count = 0; count < 5; count++) await list()
    expect(ops().filter((op) => op === 'property.get')).toHaveLength(1)
  })
})

describe('30 calls at once, each an execution of its own, as many as Google runs', () => {
  const atOnce = () => Promise.all(Array.from({ length: 30 }, (_, index) => register(`n${String(index)}`)))

  it('lose nothing: every write is under the lock, every release after a flush', async () => {
    await start({ clock: manualClock() })
    expect((await atOnce()).every(({ ok }) => ok)).toBe(true)
    expect(new Set((await list()).map(({ serverId }) => serverId)).size).toBe(30)
    expect(sheet('servers').rows).toHaveLength(30)
    expect(app.violations).toEqual([])
  })

  it('lose rows where the lock does nothing, so the test above can fail', async () => {
    const read = Promise.withResolvers<undefined>()
    let reads = 0
    // All read before the first one writes: what a lock that works never lets happen.
    const before = ({ op }: { op: string }) => {
      if (op === 'range.getValues' && ++reads === 30) read.resolve(undefined)
      return op.startsWith('range.set') ? read.promise.then(() => {}) : undefined
    }
    await start({ lock: 'ignored', before })
    await atOnce()
    expect(await list()).toHaveLength(1)
  })

  it('lose rows where a flush does nothing, and the emulation says so', async () => {
    await start({ clock: manualClock(), flush: 'ignored' })
    await atOnce()
    expect(app.violations.some((line) => line.includes('release before flush'))).toBe(true)
  })
})

describe('a fault inside', () => {
  it('of the lock, held by another for too long, is an answer with the code busy', async () => {
    const clock = manualClock()
    const held = Promise.withResolvers<undefined>()
    await start({ clock, before: ({ op }) => (op === 'flush' ? held.promise.then(() => {}) : undefined) })
    const holds = register('a')
    await expect.poll(() => app.operations.some(({ op }) => op === 'flush')).toBe(true)
    const waits = register('b')
    await expect.poll(() => app.operations.filter(({ op }) => op === 'lock.wait').length).toBe(2)
    await clock.advance(15_000)
    expect(await waits).toMatchObject({ ok: false, error: { code: 'busy' } })
    app.failLock(1)
    expect(await register('c')).toMatchObject({ ok: false, error: { code: 'busy' } })
    held.resolve(undefined)
    expect(await holds).toMatchObject({ ok: true })
  })

  it('is an answer with a code, its reason in the log, and lets the lock go', async () => {
    await start()
    await register('n')
    const grid = app.grid('servers')
    const { setValues } = grid
    grid.setValues = () => {
      throw new Error('Service Spreadsheets failed while accessing document')
    }
    expect(await post('heartbeat', { serverId: 'n' })).toMatchObject({ ok: false, error: { code: 'internal' } })
    grid.setValues = setValues
    expect(app.printed.join()).toContain('Service Spreadsheets failed')
    expect(await post('heartbeat', { serverId: 'n' })).toMatchObject({ ok: true })
    expect(app.violations).toEqual([])
  })
})
