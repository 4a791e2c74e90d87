import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../bot/core/clock.ts'
import { openDatabase } from '../bot/core/database.ts'
import { silentLog } from '../bot/core/log.ts'
import { createMetrics } from '../bot/core/metrics.ts'
import { startEntry } from '../bot/entry/server.ts'
import { embeddedRegistry } from '../bot/registry/embedded.ts'
import { ensureVenv } from '../colab/venv.ts'
import { fleetNode } from './fleet-node.ts'
import type { FleetNode } from './fleet-node.ts'
import { watchList } from './fleet-watch.ts'
import { median, quantile, report, round } from './report.ts'

const NODES = 10
const MINUTES = 10
/** The registry's clock, and with it the nodes' beats and waits, go so many times faster than life. */
const SPEED = 20
const BEAT_MS = 30_000
/** Two beats: what is true of a node must stand in the list within it. All that happens lasts for longer, or it could not be missed. */
const LIMIT_MS = 60_000

/** Ten nodes as real processes join, beat, lose tunnels, restart, die and leave for ten minutes of a fast clock; the list is looked at all the time. */
export async function run(): Promise<void> {
  const venv = await ensureVenv(console.error)
  if (!venv.ok) throw new Error(venv.reason)
  const clock = fastClock(SPEED)
  const folder = mkdtempSync(join(tmpdir(), 'voxpool-fleet-'))
  const registry = embeddedRegistry({ database: openDatabase(folder), key: 'fleet-key', clock, log: silentLog })
  const http = await startEntry({ host: '127.0.0.1', port: 0, log: silentLog, metrics: createMetrics(), ready: () => ({ ok: true }), registry: registry.routes() })
  const env = {
    GAS_URL: `http://127.0.0.1:${http.port}/registry`,
    REGISTRY_KEY: 'fleet-key',
    NODE_KEY: '',
    ENGINE: 'tone',
    HEARTBEAT_SEC: String(BEAT_MS / 1000 / SPEED),
    TUNNEL_SETTLE_SEC: String(6 / SPEED)
  }
  const nodes = Array.from({ length: NODES }, (_, index) => fleetNode(`node-${index + 1}`, { python: venv.python, folder, env }))
  const watch = watchList(nodes, { clock, limitMs: LIMIT_MS, beatMs: BEAT_MS, sampleEveryMs: 4_000 / SPEED }, async () => (await registry.list()).servers)
  try {
    for (const node of nodes) node.start()
    await watch.until((truths) => truths.every((truth) => truth.startsWith('https://')))
    const startMs = clock.monotonic()
    const playing = play(nodes, clock)
    while (clock.monotonic() - startMs < MINUTES * 60_000) await watch.sample()
    await playing
    await Promise.all(nodes.map((node) => node.stop()))
    await watch.settle()
  } finally {
    await Promise.all(nodes.map((node) => node.stop()))
    await http.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const { samples, wrong, lagsMs, changes } = watch.result()
  for (const line of wrong.slice(0, 20)) console.error(line)
  const rows = [{
    nodes: NODES, minutes: MINUTES, speed: SPEED, samples, changes, wrong: wrong.length,
    lagMedianSec: round(median(lagsMs) / 1000, 1), lagP95Sec: round(quantile(lagsMs, 0.95) / 1000, 1), lagMaxSec: round(Math.max(...lagsMs) / 1000, 1)
  }]
  report('fleet', rows, { [`the list is right at every sample, ${LIMIT_MS / 1000} s at most after each change`]: wrong.length === 0, 'at least 100 samples and 30 changes': samples >= 100 && changes >= 30 })
}

/** What happens to them: each act at its second of the ten minutes, spread over all nodes. */
async function play(nodes: readonly FleetNode[], clock: Clock): Promise<void> {
  const node = (index: number): FleetNode => {
    const found = nodes[index]
    if (found === undefined) throw new Error(`there is no node ${index}`)
    return found
  }
  const restart = async (index: number) => {
    await node(index).stop()
    node(index).start()
  }
  const acts: [sec: number, act: () => unknown][] = [
    ...[10, 40, 70, 120, 190, 260, 330, 400].map((sec, index): [number, () => unknown] => [sec, () => node(index).killTunnel()]),
    ...[55, 150, 240].flatMap((sec, index): [number, () => unknown][] => [
      [sec, () => node(index + 5).loseEdge(true)],
      [sec + 140, () => node(index + 5).loseEdge(false)]
    ]),
    [20, () => restart(9)],
    [90, () => node(8).kill()],
    [200, () => node(8).start()],
    [100, () => node(4).stop()],
    [280, () => node(4).start()],
    [180, () => node(3).start()],
    [300, () => restart(2)],
    [340, () => node(7).stop()],
    [360, () => node(6).kill()]
  ]
  const startMs = clock.monotonic()
  const under = []
  for (const [sec, act] of acts.toSorted(([a], [b]) => a - b)) {
    await pause(Math.max(0, (sec * 1000 - (clock.monotonic() - startMs)) / SPEED))
    under.push(act())
  }
  await Promise.all(under)
}

function fastClock(speed: number): Clock {
  const startMs = Date.now()
  return {
    now: () => Math.floor(startMs + (Date.now() - startMs) * speed),
    monotonic: () => performance.now() * speed,
    after(delayMs, task) {
      const timer = setTimeout(task, delayMs / speed)
      return () => clearTimeout(timer)
    }
  }
}
