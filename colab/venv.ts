import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Python environment of the node and of its tests: `.venv` at the root, made by itself when it is missing or stale. */

export type Venv = { ok: true; python: string } | { ok: false; reason: string }

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, '.venv')
const windows = process.platform === 'win32'
const file = (name: string): string => join(root, 'colab', name)
const REQUIRED = { node: [file('requirements.txt')], tests: [file('requirements.txt'), file('requirements-dev.txt')] }
const optional = [file('requirements-voices.txt')]

/** Older ones lack syntax that the node uses, or are out of their makers' support. */
const CANDIDATES = ['python3.13', 'python3.12', 'python3.11', 'python3.10', 'python3', 'python']
const PROBE_LIMIT_MS = 10_000

/**
 * Gives the environment's interpreter, making the environment first where needed (about a minute, once; two at once wait for
 * each other). What the tests need is left out of a node's. `log` gets one line per step. `reason` is one sentence for the
 * person at the terminal.
 */
export async function ensureVenv(log: (line: string) => void, use: keyof typeof REQUIRED = 'node'): Promise<Venv> {
  const required = REQUIRED[use]
  const python = join(folder, windows ? 'Scripts/python.exe' : 'bin/python')
  if (isComplete(python, [...required, ...optional])) return { ok: true, python }
  const system = findPython()
  if (system === undefined) return { ok: false, reason: 'no Python from 3.10 on was found' }
  const failure = await make(system, required, log)
  return failure === undefined ? { ok: true, python } : { ok: false, reason: failure }
}

/** Same fingerprints as `requirements_hash` in voxnode/environment.py, which writes the marker: a file's name and its hash a line. */
function isComplete(python: string, files: string[]): boolean {
  const marker = join(folder, 'voxpool-requirements.txt')
  if (!existsSync(python) || !existsSync(marker)) return false
  const installed = new Set(readFileSync(marker, 'utf8').split('\n'))
  return files.every((path) => {
    const hash = createHash('sha256').update(readFileSync(path, 'utf8').replaceAll('\r\n', '\n'))
    return installed.has(`${basename(path)} ${hash.digest('hex')}`)
  })
}

/** Asks each candidate for its version: version managers leave launchers on the path that run nothing. */
function findPython(): string | undefined {
  return CANDIDATES.find((name) => {
    const script = 'import sys; sys.exit(sys.version_info < (3, 10))'
    return spawnSync(name, ['-c', script], { stdio: 'ignore', timeout: PROBE_LIMIT_MS, windowsHide: true }).status === 0
  })
}

async function make(system: string, required: string[], log: (line: string) => void): Promise<string | undefined> {
  const args = [file('voxnode/environment.py'), folder, '--required', ...required, '--optional', ...optional]
  const child = spawn(system, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
  let lastError = ''
  createInterface({ input: child.stdout }).on('line', log)
  createInterface({ input: child.stderr }).on('line', (line) => { lastError = line })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code) => resolve(code === 0 ? undefined : lastError || `it ended with code ${String(code)}`))
  })
}
