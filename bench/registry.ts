import { request } from 'undici'
import { startAppsScript } from '../gas/emulation/start-apps-script.ts'
import type { AppsScript } from '../gas/emulation/start-apps-script.ts'
import { median, report, round } from './report.ts'

const NODES = [10, 100, 1_000] as const
const DEVICES = [0, 1_000, 10_000] as const
const RUNS = 15
const WARM_UP = 3
/** Ten times the rows cost ten times as much at most, if nothing is read or written one by one; the rest is noise. */
const GROWTH_MAX = 20

const calls = {
  list: { method: 'GET', query: 'action=list', body: () => undefined },
  heartbeat: { method: 'POST', query: 'action=heartbeat', body: () => ({ serverId: 'n5', instanceId: 'i5', apiUrl: 'https://n5.example' }) },
  'heartbeat, new address': { method: 'POST', query: 'action=heartbeat', body: (run) => ({ serverId: 'n5', instanceId: 'i5', apiUrl: `https://n5-${run}.example` }) },
  register: { method: 'POST', query: 'action=register', body: (run) => node(6, `start-${run}`) },
  presence: { method: 'POST', query: 'action=presence', body: (_run, nodes, devices) => ({ devices: devicesOf(nodes, devices) }) }
} satisfies Record<string, { method: 'GET' | 'POST'; query: string; body: (run: number, nodes: number, devices: number) => object | undefined }>

interface Row extends Record<string, string | number> {
  call: string
  nodes: number
  presences: number
  operations: number
  reads: number
  writes: number
  locks: number
  medianMs: number
  bestMs: number
}

const node = (index: number, instanceId = `i${index}`) => ({ serverId: `n${index}`, instanceId, apiUrl: `https://n${index}.example`, capacity: 50 })
const devicesOf = (nodes: number, count: number) => Array.from({ length: count }, (_, index) => ({ deviceId: `device-${index}`, serverId: `n${index % nodes}` }))

/** What one call asks of Apps Script's services, and how long the emulation takes over it, at every size of the pool. */
export async function run(): Promise<void> {
  const rows: Row[] = []
  for (const nodes of NODES) {
    for (const devices of DEVICES) rows.push(...(await measure(nodes, devices)))
  }
  const growth = Object.keys(calls).flatMap((call) => {
    const at = (nodes: number, devices: number) => rows.find((row) => row.call === call && row.nodes === nodes && row.presences === devices)
    const grown = (from: Row | undefined, to: Row | undefined) => ({
      call,
      nodes: `${from?.nodes ?? ''} -> ${to?.nodes ?? ''}`,
      presences: `${from?.presences ?? ''} -> ${to?.presences ?? ''}`,
      operations: round((to?.operations ?? NaN) / (from?.operations ?? NaN), 2),
      ms: round((to?.bestMs ?? NaN) / (from?.bestMs ?? NaN), 1)
    })
    return [grown(at(10, 1_000), at(100, 1_000)), grown(at(100, 1_000), at(1_000, 1_000)), grown(at(100, 1_000), at(100, 10_000)), grown(at(100, 1_000), at(1_000, 10_000))]
  })
  console.table(growth)
  const spread = (key: 'reads' | 'writes') => Object.keys(calls).every((call) => new Set(rows.filter((row) => row.call === call && (row.presences > 0 || call !== 'presence')).map((row) => row[key])).size === 1)
  report('registry', rows, {
    'a list takes no lock and writes nothing': rows.every(({ call, locks, writes }) => call !== 'list' || (locks === 0 && writes === 0)),
    'ranges read per call are the same at every size': spread('reads'),
    'ranges written per call are the same at every size': spread('writes'),
    'a heartbeat reads one range and writes one': rows.every(({ call, reads, writes }) => call !== 'heartbeat' || (reads === 1 && writes === 1)),
    [`ten times the nodes and presences take less than ${GROWTH_MAX} times as long`]: growth.every(({ ms }) => ms < GROWTH_MAX)
  })
}

async function measure(nodes: number, devices: number): Promise<Row[]> {
  const app = await startAppsScript({ properties: { REGISTRY_KEY: '' } })
  await fill(app, nodes, devices)
  const rows: Row[] = []
  for (const [call, { method, query, body }] of Object.entries(calls)) {
    const timesMs: number[] = []
    for (let run = -WARM_UP; run < RUNS; run++) {
      app.operations.length = 0
      const text = body(run, nodes, devices)
      const startedMs = performance.now()
      await ask(app, method, query, text)
      if (run >= 0) timesMs.push(performance.now() - startedMs)
    }
    const count = (kind: RegExp) => app.operations.filter(({ op }) => kind.test(op)).length
    rows.push({ call, nodes, presences: devices, operations: count(/^(?!now)/), reads: count(/getValues/), writes: count(/setValues/), locks: count(/lock\.wait/), medianMs: round(median(timesMs), 2), bestMs: round(Math.min(...timesMs), 2) })
  }
  const faults = [...app.violations, ...app.printed]
  await app.close()
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return rows
}

/** The first node registers; the others get rows like its own, at once. */
async function fill(app: AppsScript, nodes: number, devices: number): Promise<void> {
  await ask(app, 'POST', 'action=register', node(0))
  const grid = app.grid('servers')
  const area = grid.dataArea()
  const [header = [], first = []] = grid.values(area)
  const rows = Array.from({ length: nodes - 1 }, (_, index) =>
    first.map((cell, at) => {
      const like = node(index + 1)
      const title = String(header[at])
      return title === 'serverId' || title === 'instanceId' || title === 'apiUrl' ? like[title] : cell
    })
  )
  if (grid.maxRows() < nodes + 1) grid.insertRows(grid.maxRows(), nodes + 1 - grid.maxRows())
  grid.setValues({ row: 3, column: 1, rows: nodes - 1, columns: area.columns }, rows)
  await ask(app, 'POST', 'action=presence', { devices: devicesOf(nodes, devices) })
}

async function ask(app: AppsScript, method: 'GET' | 'POST', query: string, body: object | undefined): Promise<void> {
  const first = await request(`${app.url}?${query}`, { method, body: body === undefined ? null : JSON.stringify(body) })
  await first.body.dump()
  const answer = await request(String(first.headers['location']))
  const value = (await answer.body.json()) as { ok: boolean }
  if (!value.ok) throw new Error(`refused: ${JSON.stringify(value)}`)
}
