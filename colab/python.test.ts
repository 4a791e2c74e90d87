import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { ensureVenv } from './venv.ts'

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))
let stop = () => {}
afterEach(() => stop())

it('a node that was started from a terminal ends when that is killed', async () => {
  const venv = await ensureVenv(() => {})
  if (!venv.ok) throw new Error(`the real node needs Python: ${venv.reason}`)
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script('python.ts'), script('colab_runner.py')], {
    env: { ...process.env, TUNNEL: 'none', PUBLIC_URL: '', PORT: '0', ENGINE: 'tone', LIVE: '0', GAS_URL: '', NODE_KEY: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: whatever is left of it can be ended without asking for names.
    detached: true
  })
  stop = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // Nothing is left.
    }
  }
  let port = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"event": "listening"')) port = (JSON.parse(line) as { port: number }).port
  })
  const listens = () => fetch(`http://127.0.0.1:${port}/health`).then(() => true, () => false)
  await expect.poll(() => port !== 0 && listens(), { timeout: 60_000 }).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await expect.poll(listens, { timeout: 30_000 }).toBe(false)
})
