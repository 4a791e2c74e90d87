import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import type { Cell } from './apps-script.ts'
import type { ShadeRule } from './emulation/book.ts'
import { typeInto, viewSheet } from './emulation/sheet-view.ts'
import { startAppsScript } from './emulation/start-apps-script.ts'
import type { AppsScript } from './emulation/start-apps-script.ts'
import { DEAD_MS } from './registry.ts'

let app: AppsScript
let clock: ManualClock
beforeEach(async () => {
  clock = manualClock()
  app = await startAppsScript({ clock })
})
afterEach(async () => {
  expect(app.violations).toEqual([])
  await app.close()
})

const key = () => app.properties.get('REGISTRY_KEY') ?? ''
const post = async (action: string, body: object) =>
  (await fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify({ key: key(), ...body }) })).json() as Promise<{ ok: boolean }>
const register = (serverId: string) => post('register', { serverId, apiUrl: 'https://a.example' })
const rows = () => viewSheet(app, 'servers').rows
const rowOf = (serverId: string) => rows().findIndex((row) => row.serverId === serverId) + 2
const select = (...serverIds: string[]) => app.select('servers', ...serverIds.map((serverId) => ({ row: rowOf(serverId), column: 1, rows: 1, columns: 3 })))

/** Whether a rule is true for a row, by what its few functions do in Sheets. Dates are compared as moments: both in the sheet's zone. */
function isShaded({ formula, areas }: ShadeRule, cells: readonly Cell[], row: number): boolean {
  if (!areas.some((area) => row >= area.row && row < area.row + area.rows)) return false
  const code = formula
    .slice(1)
    .replace(/\$([A-Z])2/g, (_all, letter: string) => `cell(${letter.charCodeAt(0) - 65})`)
    .replace(/<>/g, '!==')
    .replace(/([^<>!=])=([^=])/g, '$1===$2')
  const serial = (value: Cell | undefined) => (typeof value === 'object' ? value.getTime() / 86_400_000 : value)
  const sheets = {
    cell: (index: number) => serial(cells[index]),
    N: () => 0,
    NOW: () => clock.now() / 86_400_000
  }
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the formula is our own
  const evaluate = new Function(...Object.keys(sheets), `return ${code}`) as (...values: unknown[]) => boolean
  return evaluate(...Object.values(sheets))
}
const shaded = () => {
  const grid = app.grid('servers')
  const values = grid.values(grid.dataArea())
  return values.slice(1).flatMap((cells, index) => (grid.rules().some((rule) => isShaded(rule, cells, index + 2)) ? [cells[0]] : []))
}

describe('set-up', () => {
  it('makes three sheets with frozen bold headers, and hides what only the registry reads', async () => {
    await app.runFromEditor('setup')
    for (const name of ['servers', 'presence', 'log']) {
      const grid = app.grid(name)
      expect([name, grid.frozenRows(), grid.isBold(grid.dataArea())]).toEqual([name, 1, true])
    }
    const { header } = viewSheet(app, 'servers')
    const hidden = app.grid('servers').hiddenColumns().map((column) => header[column - 1])
    expect(hidden).toEqual(['lastSeenMs', 'instanceId', 'nodeLabel', 'nodeCapacity', 'pastInstances', 'registeredMs'])
  })

  it('makes a key, shows it once, and lets it act at once', async () => {
    expect(await register('early')).toMatchObject({ ok: true })
    await app.open()
    await app.click('Set up')
    expect(key()).toMatch(/^[0-9a-f]{64}$/)
    expect(app.shown).toEqual([expect.stringContaining(key())])
    expect(await post('register', { serverId: 'n', apiUrl: 'https://a.example', key: '' })).toMatchObject({ error: { code: 'unauthorized' } })
    expect(await register('n')).toMatchObject({ ok: true })
    await app.click('Set up')
    expect(app.shown[1]).toContain('The key stays as it was')
    expect(app.shown[1]).not.toContain(key())
  })

  it('shows the key in the execution log when it is run from the editor, where no dialog can be', async () => {
    await app.runFromEditor('setup')
    expect(app.printed).toEqual([expect.stringContaining(key())])
  })

  it('may be run again: nodes, texts and the rules of others stay', async () => {
    await app.runFromEditor('setup')
    await register('007')
    typeInto(app, '007', 'label', 'Mine')
    const grid = app.grid('servers')
    const own: ShadeRule = { formula: '=$E2=FALSE', background: '#ffffff', areas: [{ row: 2, column: 1, rows: 9, columns: 9 }] }
    grid.setRules([own, ...grid.rules()])
    const before = rows()
    const oldKey = key()
    await app.runFromEditor('setup')
    expect(rows()).toEqual(before)
    expect(key()).toBe(oldKey)
    expect(grid.rules()).toHaveLength(2)
    expect(grid.rules()[0]).toEqual(own)
  })
})

describe('the sheet of nodes, seen by people', () => {
  it('shows the moment of the last beat as a date, and keeps it exact beside it', async () => {
    await app.runFromEditor('setup')
    await register('n')
    await clock.advance(1234)
    await post('heartbeat', { serverId: 'n' })
    expect(rows()).toMatchObject([{ lastSeen: new Date(clock.now()), lastSeenMs: clock.now() }])
  })

  it('shades a node that was silent for 2 minutes and one that has left, wherever its column is, and no other row', async () => {
    const header = ['notes', 'lastSeen', 'serverId', 'enabled']
    app.grid('servers').setValues({ row: 1, column: 1, rows: 1, columns: header.length }, [header])
    await app.runFromEditor('setup')
    await register('quiet')
    await register('lively')
    const first = () => shaded().length
    expect(first()).toBe(0)
    await clock.advance(119_990)
    await post('heartbeat', { serverId: 'lively' })
    expect(first()).toBe(0)
    await clock.advance(20)
    expect(first()).toBe(1)
    await post('setEnabled', { serverId: 'lively', enabled: false })
    await post('unregister', { serverId: 'lively' })
    expect(first()).toBe(2)
  })
})

describe('the menu', () => {
  beforeEach(async () => {
    await app.runFromEditor('setup')
    for (const id of ['a', 'b', 'c']) await register(id)
  })

  it('comes when the sheet is opened, before anything was allowed', async () => {
    expect(await app.open()).toEqual(['Enable selected nodes', 'Disable selected nodes', 'Sweep nodes that are gone', 'Set up'])
    const started = app.operations.length
    await app.open()
    expect(app.operations.slice(started).map(({ op }) => op)).toEqual(['ui.menu'])
  })

  it('turns the selected nodes off and on, and no others', async () => {
    await app.open()
    select('a', 'c')
    await app.click('Disable selected nodes')
    expect(rows().map(({ enabled }) => enabled)).toEqual([false, true, false])
    select('c')
    await app.click('Enable selected nodes')
    expect(rows().map(({ enabled }) => enabled)).toEqual([false, true, true])
    expect(app.shown).toEqual(['Off: a, c', 'On: c'])
  })

  it('says so when no node is selected', async () => {
    await app.open()
    app.select('servers', { row: 1, column: 1, rows: 1, columns: 1 })
    await app.click('Disable selected nodes')
    app.select('presence', { row: 2, column: 1, rows: 3, columns: 1 })
    await app.click('Disable selected nodes')
    expect(app.shown).toEqual(Array(2).fill(expect.stringContaining('Select one or more rows')))
    expect(rows().map(({ enabled }) => enabled)).toEqual([true, true, true])
  })

  it('sweeps what has been gone for a day, from the bottom up, in few deletions', async () => {
    await app.open()
    await clock.advance(DEAD_MS + 1)
    await post('heartbeat', { serverId: 'b' })
    app.operations.length = 0
    await app.click('Sweep nodes that are gone')
    expect(rows()).toMatchObject([{ serverId: 'b' }])
    expect(app.operations.filter(({ op }) => op === 'sheet.deleteRows')).toHaveLength(2)
    await app.click('Sweep nodes that are gone')
    expect(app.shown.map((text) => text.slice(0, 10))).toEqual(['2 swept. A', 'No node ha'])
  })
})
