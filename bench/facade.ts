import { flood, openCallers, steady } from './facade/load.ts'
import type { Caller } from './facade/load.ts'
import { leaveFirstCore, startProxy, startUpstream } from './facade/processes.ts'
import type { Listening } from './facade/processes.ts'
import { median, quantile, report, round } from './report.ts'

const WAYS = ['ours', 'fastify', 'hono'] as const
const LIMITS = { addedMedianMs: 0.5, addedP95Ms: 1.5, hangingRatio: 1.2 }
const RATE = { perSecond: 200, rounds: 24, roundMs: 1_000 }
const FLOOD = { callers: 32, warmUpMs: 6_000, rounds: 12, roundMs: 1_500 }
/** More callers than the server that hangs has places, and places to wait. */
const HANG = { callers: 200, rounds: 12, roundMs: 3_000, settleMs: 1_500, againMs: 1_000 }
const PARTS = ['carry', 'added', 'hanging'] as const
const [GOOD, OTHER] = ['/good', '/other']

/**
 * `npm run bench -- facade`, or `-- facade added` for a part of it. The entry as the bot has it, in front of a server that costs next to nothing: what the hop adds, what one core carries, and what a server that hangs
 * costs the others. What is compared takes turns in the same run, a second or so each, and the median of the turns counts: what else the machine does
 * meets all of them alike.
 */
export async function run(args: string[]): Promise<void> {
  const parts = PARTS.filter((part) => args.length === 0 || args.includes(part))
  leaveFirstCore()
  const [good, other] = [await startUpstream(), await startUpstream()]
  const paths = [{ path: GOOD, port: good.port }, { path: OTHER, port: other.port }]
  const ways = parts.includes('carry') ? WAYS : WAYS.slice(0, 1)
  const proxies = await Promise.all(ways.map((way) => startProxy(way, paths)))
  const [ours] = proxies
  if (ours === undefined) throw new Error('nothing was started')

  // Nothing is measured that has not run warm.
  const measured = []
  await warmUp(proxies)
  if (parts.includes('carry')) measured.push(await carry(proxies))
  if (parts.includes('added')) measured.push(await addedTime(good, ours))
  if (parts.includes('hanging')) measured.push(await besideHanging(ours, other))
  for (const each of [...proxies, good, other]) each.end()
  report('facade', measured.flatMap(({ rows }) => rows), Object.assign({}, ...measured.map(({ limits }) => limits)) as Record<string, boolean>)
}

interface Measured {
  rows: Record<string, string | number>[]
  limits: Record<string, boolean>
}

async function warmUp(proxies: readonly Listening[]) {
  for (const { port } of proxies) {
    const callers = await openCallers(FLOOD.callers, port, GOOD)
    await flood(callers, FLOOD.warmUpMs)
    closeAll(callers)
  }
}

/** What one core carries: by its own count of the time that it worked, which nothing else on the machine changes, and by the clock. */
async function carry(proxies: readonly Listening[]): Promise<Measured> {
  const callers = await Promise.all(proxies.map(({ port }) => openCallers(FLOOD.callers, port, GOOD)))
  const rounds = proxies.map((): { perCpuSecond: number; perSecond: number }[] => [])
  for (let turn = 0; turn < FLOOD.rounds; turn++) {
    for (const [index, proxy] of proxies.entries()) {
      const [startMs, startUs] = [performance.now(), await proxy.cpuUs()]
      const count = await flood(callers[index] ?? [], FLOOD.roundMs)
      rounds[index]?.push({ perCpuSecond: (count * 1e6) / ((await proxy.cpuUs()) - startUs), perSecond: (count * 1_000) / (performance.now() - startMs) })
    }
  }
  closeAll(callers.flat())
  const figures = WAYS.map((way, index) => ({
    way,
    perCpuSecond: median((rounds[index] ?? []).map(({ perCpuSecond }) => perCpuSecond)),
    perSecond: median((rounds[index] ?? []).map(({ perSecond }) => perSecond))
  }))
  const ours = figures.find(({ way }) => way === 'ours')?.perCpuSecond ?? NaN
  return {
    rows: figures.map(({ way, perCpuSecond, perSecond }) => ({ what: `${way}: requests`, 'per second of one core': Math.round(perCpuSecond), 'per second': Math.round(perSecond) })),
    limits: Object.fromEntries(figures.slice(1).map(({ way, perCpuSecond }) => [`requests of one core: ${round(ours / perCpuSecond, 2)} of ${way}’s, >= 1`, ours >= perCpuSecond]))
  }
}

async function addedTime(good: Listening, ours: Listening): Promise<Measured> {
  const [direct, hop] = [await openCallers(16, good.port, GOOD), await openCallers(16, ours.port, GOOD)]
  const rate = { perSecond: RATE.perSecond, forMs: RATE.roundMs }
  const rounds: { direct: number[]; hop: number[] }[] = []
  for (let turn = 0; turn <= RATE.rounds; turn++) {
    const times = { direct: await steady(direct, rate), hop: await steady(hop, rate) }
    if (turn > 0) rounds.push(times)
  }
  closeAll([...direct, ...hop])
  const over = (figure: (times: { direct: number[]; hop: number[] }) => number) => round(median(rounds.map(figure)))
  const added = { medianMs: over((times) => median(times.hop) - median(times.direct)), p95Ms: over((times) => quantile(times.hop, 0.95) - quantile(times.direct, 0.95)) }
  return {
    rows: [
      { what: `direct, at ${RATE.perSecond} a second`, medianMs: over((times) => median(times.direct)), p95Ms: over((times) => quantile(times.direct, 0.95)) },
      { what: 'by the entry', medianMs: over((times) => median(times.hop)), p95Ms: over((times) => quantile(times.hop, 0.95)) },
      { what: 'added by the entry', ...added }
    ],
    limits: { [`added median <= ${LIMITS.addedMedianMs} ms`]: added.medianMs <= LIMITS.addedMedianMs, [`added p95 <= ${LIMITS.addedP95Ms} ms`]: added.p95Ms <= LIMITS.addedP95Ms }
  }
}

/** The same callers at another server, while it answers and while it hangs: then some hang there, some wait for a place, and the rest is turned away. */
async function besideHanging(ours: Listening, other: Listening): Promise<Measured> {
  const callers = await openCallers(16, ours.port, GOOD)
  const p99s: { without: number; beside: number }[] = []
  for (let turn = 0; turn <= HANG.rounds; turn++) {
    const figures = { without: await p99(false), beside: await p99(true) }
    if (turn > 0) p99s.push(figures)
  }
  closeAll(callers)
  const [without, beside] = [median(p99s.map((each) => each.without)), median(p99s.map((each) => each.beside))]
  return {
    rows: [{ what: `p99, ${HANG.callers} callers at another server`, p99Ms: round(without) }, { what: 'p99, and that one hangs', p99Ms: round(beside) }],
    limits: { [`with a server that hangs, the others’ p99 is ${round(beside / without, 2)} of without, <= ${LIMITS.hangingRatio}`]: beside / without <= LIMITS.hangingRatio }
  }

  async function p99(isHanging: boolean): Promise<number> {
    other.hang(isHanging)
    const others = await openCallers(HANG.callers, ours.port, OTHER)
    let areThere = true
    for (const [index, caller] of others.entries()) void insist(caller, (index * HANG.againMs) / HANG.callers, () => areThere).catch(() => {})
    await later(HANG.settleMs)
    const times = await steady(callers, { perSecond: RATE.perSecond, forMs: HANG.roundMs })
    areThere = false
    closeAll(others)
    await later(HANG.againMs)
    return quantile(times, 0.99)
  }
}

/** Each at a time of its own: what is measured is the server that hangs, not a crowd. */
async function insist(caller: Caller, afterMs: number, areThere: () => boolean) {
  await later(afterMs)
  while (areThere()) {
    await caller.ask()
    await later(HANG.againMs)
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function closeAll(callers: readonly Caller[]) {
  for (const caller of callers) caller.close()
}
