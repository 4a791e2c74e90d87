import { readFileSync, readdirSync } from 'node:fs'

/** The kernel counts a process's time in these for everybody, 100 a second. */
const TICK_MS = 10

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

/** The processes that this one has started, directly or not, and that run. */
function childrenOf(pid: number | 'self'): number[] {
  const threads = readdirSync(`/proc/${pid}/task`)
  const own = threads.flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number))
  return own.flatMap((child) => [child, ...childrenIfThere(child)])
}

function childrenIfThere(pid: number): number[] {
  try {
    return childrenOf(pid)
  } catch {
    return []
  }
}

/** Fields 14 to 17 of `/proc/PID/stat`: its own time in user and system mode, and that of its ended children. */
function ticksOf(pid: number | 'self'): { own: number; ended: number } {
  const stat = read(`/proc/${pid}/stat`)
  // The name, field 2, may hold spaces and brackets.
  const [own1 = 0, own2 = 0, ended1 = 0, ended2 = 0] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11, 15).map(Number)
  return { own: own1 + own2, ended: ended1 + ended2 }
}

/** CPU time in ms of this process and of all that it has started, the ended ones too. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  const ticks = childrenOf('self').reduce((sum, pid) => sum + ticksOf(pid).own + ticksOf(pid).ended, ticksOf('self').ended)
  return (user + system) / 1000 + ticks * TICK_MS
}

/** Memory in bytes of this process and of all that it has started; what they share counts once. */
export function memoryBytes(): number {
  return ['self', ...childrenOf('self')].reduce<number>((sum, pid) => {
    const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? '0'
    return sum + Number(kibibytes) * 1024
  }, 0)
}
