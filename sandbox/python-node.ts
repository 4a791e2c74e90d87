import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface PythonNode {
  /** Sends a signal to the runner and to its server: `SIGSTOP` makes a node that hangs, `SIGKILL` one that dies. */
  signal(name: 'SIGSTOP' | 'SIGKILL'): void
  /** Its last line, once it has ended by itself. */
  ended: () => string | undefined
  /** Ends it as its user would, and kills it when it takes too long. */
  stop: () => Promise<void>
}

const RUNNER = fileURLToPath(new URL('../colab/colab_runner.py', import.meta.url))
const STOP_LIMIT_MS = 8_000

/** The real node on this machine, as its user starts it: it registers with `GAS_URL` by itself. It ends when this process does. */
export function startPythonNode(python: string, env: Record<string, string>): PythonNode {
  const child = spawn(python, [RUNNER, '--with-parent'], {
    // Ctrl-C is for the bot, which then stops the node in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, TUNNEL: 'none', PUBLIC_URL: '', PORT: '0', ...env }
  })
  let lastLine = ''
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (line.trim() !== '') lastLine = line.trim().slice(0, 300)
      if (process.env['STAGE_LOG'] !== undefined) console.error(line)
    })
  }
  return {
    ended: () => (child.exitCode === null ? undefined : lastLine),
    signal(name) {
      for (const pid of [child.pid ?? 0, ...childrenOf(child.pid ?? 0)]) process.kill(pid, name)
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const kill = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
      await exited
      clearTimeout(kill)
    }
  }
}

function childrenOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  return rows.map((row) => row.trim().split(/\s+/).map(Number)).flatMap(([child = 0, parent]) => (parent === pid ? [child] : []))
}
