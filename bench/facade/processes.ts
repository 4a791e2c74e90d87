import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'

/** A process of the bench that listens on loopback. */
export interface Listening {
  port: number
  /** What it has used of a CPU so far, in microseconds. */
  cpuUs(): Promise<number>
  /** Of an upstream: from now on it answers nothing, or all again. */
  hang(isHanging: boolean): void
  end(): void
}

const CORES = availableParallelism()
const [ALL, FIRST, OTHERS] = [`0-${CORES - 1}`, '0', `1-${Math.max(1, CORES - 1)}`]

/** Leaves the first core to what is measured. @throws where the bench can't run: it wants Linux with `taskset` and two cores */
export function leaveFirstCore(): void {
  if (CORES < 2) throw new Error('this bench needs two cores: one for what is measured, one for all the rest')
  try {
    execFileSync('taskset', ['-a', '-c', '-p', OTHERS, String(process.pid)], { stdio: 'ignore' })
  } catch {
    throw new Error('this bench needs Linux, with taskset (of util-linux) on the path')
  }
}

/** Where a process runs: wherever there is room, or what is measured on the first core alone and the rest on the others. */
export type Cores = 'shared' | 'split'

export const startUpstream = (cores: Cores): Promise<Listening> => start(cores === 'shared' ? ALL : OTHERS, './upstream.ts', [])

/** One of the ways in front of these. */
export const startProxy = (way: string, paths: readonly { path: string; port: number }[], cores: Cores): Promise<Listening> =>
  start(cores === 'shared' ? ALL : FIRST, './proxy.ts', [way, JSON.stringify(paths)])

async function start(cores: string, file: string, args: string[]): Promise<Listening> {
  const child = spawn('taskset', ['-c', cores, process.execPath, '--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a process of the bench has ended: ${file} ${args.join(' ')}`)
  })
  ended.catch(() => {})
  const told = async (name: string) => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Record<string, number>]
    return message[name] ?? NaN
  }
  return {
    port: await told('port'),
    cpuUs() {
      child.send('cpu')
      return told('cpuUs')
    },
    hang: (isHanging) => void child.send(isHanging ? 'hang' : 'answer'),
    end: () => void child.kill()
  }
}
