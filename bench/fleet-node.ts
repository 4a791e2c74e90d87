import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPythonNode } from '../sandbox/python-node.ts'
import type { PythonNode } from '../sandbox/python-node.ts'

/**
 * What the registry's list should say of a node at this moment: nothing (`absent`), a row that ages (`dead`), a row without an
 * address (`null`) or with this one; `changing` while a process starts or stops, when both the old and the new are true.
 */
export type Truth = 'changing' | 'absent' | 'dead' | 'null' | `https://${string}`

export interface FleetNode {
  serverId: string
  /** Starts a process; on top of one that runs it is a takeover. */
  start(): void
  stop(): Promise<void>
  /** As a machine that is switched off. */
  kill(): void
  killTunnel(): void
  loseEdge(lost: boolean): void
  truth(): Truth
  /** All addresses that its tunnels ever had, the oldest first. */
  addresses(): `https://${string}`[]
}

const PROGRAM = fileURLToPath(new URL('../colab/tests/fake_cloudflared.py', import.meta.url))

/** One node as its operator runs it: the runner, its server, its voices' process and a (fake) cloudflared, all real processes. */
export function fleetNode(serverId: string, options: { python: string; folder: string; env: Record<string, string> }): FleetNode {
  const { python, env } = options
  const folder = join(options.folder, serverId)
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, 'runs'), '')
  const processes: PythonNode[] = []
  let state: 'off' | 'on' | 'stopping' | 'killed' = 'off'
  let tunnelsBefore = 0

  const runs = () =>
    readFileSync(join(folder, 'runs'), 'utf8').split('\n').filter(Boolean).map((line) => {
      const [pid = '', name = ''] = line.split(' ')
      return { pid: Number(pid), address: `https://${name}` as const }
    })
  const edgeLost = join(folder, 'edge-lost')

  return {
    serverId,
    start() {
      tunnelsBefore = runs().length
      state = 'on'
      processes.push(startPythonNode(python, { ...env, SERVER_ID: serverId, TUNNEL: 'cloudflare', CLOUDFLARED_PATH: PROGRAM, FAKE_CLOUDFLARED: folder }))
    },
    async stop() {
      state = state === 'killed' ? 'killed' : 'stopping'
      await Promise.all(processes.splice(0).map((each) => each.stop()))
      state = state === 'stopping' ? 'off' : state
    },
    kill() {
      for (const each of processes.splice(0)) each.signal('SIGKILL')
      state = 'killed'
    },
    killTunnel() {
      const last = runs().at(-1)
      if (last !== undefined && isAlive(last.pid)) process.kill(last.pid, 'SIGKILL')
    },
    loseEdge(lost) {
      if (lost) writeFileSync(edgeLost, '')
      else rmSync(edgeLost, { force: true })
    },
    truth() {
      if (state === 'off') return 'absent'
      if (state === 'killed') return 'dead'
      const all = runs()
      const last = all.at(-1)
      if (state === 'stopping' || last === undefined || all.length <= tunnelsBefore) return 'changing'
      return isAlive(last.pid) && !existsSync(edgeLost) ? last.address : 'null'
    },
    addresses: () => runs().map(({ address }) => address)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
