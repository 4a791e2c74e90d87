import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job, Measured } from './job.ts'

const SPEAKER = fileURLToPath(new URL('./speaker.ts', import.meta.url))
const LIMIT_MS = 90_000

/** Leaves the first core to the measured bot. False where there is but one. @throws where the bench can't run: it wants Linux with FFmpeg and `taskset` */
export function leaveFirstCore(): boolean {
  if (!isThere('ffmpeg', '-version') || !isThere('taskset', '--version') || !existsSync('/proc/self/stat')) {
    throw new Error('this bench needs Linux, with ffmpeg and taskset (of util-linux) on the path')
  }
  if (availableParallelism() < 2) return false
  execFileSync('taskset', ['-a', '-c', '-p', `1-${availableParallelism() - 1}`, String(process.pid)], { stdio: 'ignore' })
  return true
}

function isThere(program: string, option: string): boolean {
  try {
    execFileSync(program, [option], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Runs one bot on the first core alone, and resolves with what it measured of itself. */
export async function launch(job: Job, caCertificate: string): Promise<Measured> {
  const caPath = join(dirname(job.speech.oggPath), 'ca.pem')
  writeFileSync(caPath, caCertificate)
  const child = spawn('taskset', ['-c', '0', process.execPath, '--expose-gc', '--disable-warning=ExperimentalWarning', SPEAKER, JSON.stringify(job)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caPath }
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
  try {
    return await new Promise<Measured>((resolve, reject) => {
      child.once('message', (measured) => resolve(measured as Measured))
      child.once('error', reject)
      child.once('exit', (code) => reject(new Error(`the bot (${job.way}) ended with ${code} before it had measured anything`)))
    })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
