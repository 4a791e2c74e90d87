import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../bot/core/database.ts'
import { silentLog } from '../bot/core/log.ts'
import { manualClock } from '../bot/core/manual-clock.ts'
import { createMetrics } from '../bot/core/metrics.ts'
import { createPresences } from '../bot/members/presence.ts'
import { embeddedRegistry } from '../bot/registry/embedded.ts'
import { createRoster } from '../bot/registry/roster.ts'
import { startSync } from '../bot/registry/sync.ts'
import { report } from './report.ts'

const HOUR_MS = 3_600_000

/** Registry calls in an hour of virtual time, by how many members are present all the while. */
export async function run(): Promise<void> {
  const rows = [await anHour(1), await anHour(5_000)]
  const [one, many] = rows
  report('presence', rows, { 'calls do not grow with members': one?.calls === many?.calls, 'all members are counted': many?.counted === 5_000 })
}

async function anHour(members: number) {
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-bench-'))
  const database = openDatabase(folder)
  const clock = manualClock()
  const metrics = createMetrics()
  const registry = embeddedRegistry({ database, key: undefined, clock, log: silentLog })
  const roster = createRoster({ clock })
  const presences = createPresences(clock)
  const heartbeat = () => registry.handle({ method: 'POST', query: { action: 'heartbeat' }, body: JSON.stringify({ serverId: 'n1' }) })
  registry.handle({ method: 'POST', query: { action: 'register' }, body: JSON.stringify({ serverId: 'n1', apiUrl: 'https://n1.example', capacity: 5_000 }) })
  const touch = () => {
    for (let member = 0; member < members; member++) presences.touch(`member-${member}`, 'n1')
  }
  touch()
  const sync = startSync({ registry, roster, devices: () => presences.devices(), clock, log: silentLog, metrics })
  for (let minute = 0; minute < HOUR_MS / 60_000; minute++) {
    touch()
    heartbeat()
    await clock.advance(60_000)
  }
  sync.stop()
  const calls = (await metrics.registryCalls.get()).values.reduce((sum, { value }) => sum + value, 0)
  const counted = roster.current().servers[0]?.activeCount ?? 0
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return { members, calls, counted }
}
