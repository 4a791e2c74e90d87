import { flood, openCallers, steady } from './facade/load.ts'
import type { Caller } from './facade/load.ts'
import { leaveFirstCore, startProxy, startUpstream } from './facade/processes.ts'
import type { Cores, Listening } from './facade/processes.ts'
import { median, quantile, report, round } from './report.ts'

const WAYS = ['ours', 'fastify', 'hono'] as const
const WAYS_ALONE = ['ours'] as const
const LIMITS = { addedMedianMs: 0.5, addedP95Ms: 1.5, hangingRatio: 1.2 }
const RATE = { perSecond: 200, rounds: 24, roundMs: 1_000 }
const FLOOD = { callers: 32, warmUpMs: 6_000, rounds: 12, roundMs: 1_500 }
/** More callers than the server that hangs has places, and places to wait. */
const HANG = { callers: 64, perSecond: 400, rounds: 24, roundMs: 1_500, settleMs: 1_200, againMs: 1_000, restMs: 400, calmShare: 0.25 }
const PARTS = ['added', 'carry', 'hanging'] as const
const [GOOD, OTHER] = ['/good', '/other']

/**
 * `npm run bench -- facade`, or `-- facade added` for a part of it. The entry as the bot has it, in front of a server that costs next to nothing: what the
 * hop adds, what one core carries, and what a server that hangs costs the others. What is compared takes turns in the same run, some seconds each at
 * most, and the median of the turns counts: what else the machine does meets all of them alike.
 */
export async function run(args: string[]): Promise<void> {
  const unknown = args.find((arg) => !(PARTS as readonly string[]).includes(arg))
  if (unknown !== undefined) throw new Error(`${unknown} is no part of this bench: ${PARTS.join(', ')}`)
  const parts = PARTS.filter((part) => args.length === 0 || args.includes(part))
  const measured: Measured[] = []
  // As it is used: processes run where there is room.
  if (parts.includes('added')) await among(['pipe', 'ours'] as const, 'shared', async ([pipe, ours], good) => void measured.push(await addedTime(good, pipe, ours)))
  if (parts.includes('carry') || parts.includes('hanging')) {
    leaveFirstCore()
    await among(parts.includes('carry') ? WAYS : WAYS_ALONE, 'split', async (proxies, _, other) => {
      if (parts.includes('carry')) measured.push(await carry(proxies))
      if (parts.includes('hanging')) measured.push(await besideHanging(proxies[0], other))
    })
  }
  report('facade', measured.flatMap(({ rows }) => rows), Object.assign({}, ...measured.map(({ limits }) => limits)) as Record<string, boolean>)
}

/** Starts these ways in front of two servers, warm: nothing is measured that is not. */
async function among<Ways extends readonly string[]>(
  ways: Ways, cores: Cores, measure: (proxies: { [Index in keyof Ways]: Listening }, good: Listening, other: Listening) => Promise<void>
): Promise<void> {
  const [good, other] = [await startUpstream(cores), await startUpstream(cores)]
  const paths = [{ path: GOOD, port: good.port }, { path: OTHER, port: other.port }]
  const proxies = (await Promise.all(ways.map((way) => startProxy(way, paths, cores)))) as { [Index in keyof Ways]: Listening }
  for (const { port } of proxies) {
    const callers = await openCallers(FLOOD.callers, port, GOOD)
    await flood(callers, FLOOD.warmUpMs)
    closeAll(callers)
  }
  await measure(proxies, good, other)
  for (const each of [...proxies, good, other]) each.end()
}

interface Measured {
  rows: Record<string, string | number>[]
  limits: Record<string, boolean>
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

/** Beside the entry a hop that only passes bytes on: what it adds, any hop adds on this machine. */
async function addedTime(good: Listening, pipe: Listening, ours: Listening): Promise<Measured> {
  const ways = { direct: await openCallers(16, good.port, GOOD), pipe: await openCallers(16, pipe.port, GOOD), ours: await openCallers(16, ours.port, GOOD) }
  const rounds: Record<keyof typeof ways, number[]>[] = []
  for (let turn = 0; turn <= RATE.rounds; turn++) {
    const ask = (way: keyof typeof ways) => steady(ways[way], { perSecond: RATE.perSecond, forMs: RATE.roundMs })
    const times = { direct: await ask('direct'), pipe: await ask('pipe'), ours: await ask('ours') }
    if (turn > 0) rounds.push(times)
  }
  closeAll(Object.values(ways).flat())
  const over = (figure: (times: Record<keyof typeof ways, number[]>) => number) => round(median(rounds.map(figure)))
  const addedBy = (way: 'pipe' | 'ours') => ({
    medianMs: over((times) => median(times[way]) - median(times.direct)),
    p95Ms: over((times) => quantile(times[way], 0.95) - quantile(times.direct, 0.95))
  })
  const added = addedBy('ours')
  return {
    rows: [
      { what: `direct, at ${RATE.perSecond} a second`, medianMs: over(({ direct }) => median(direct)), p95Ms: over(({ direct }) => quantile(direct, 0.95)) },
      { what: 'added by a pipe of bytes', ...addedBy('pipe') },
      { what: 'added by the entry', ...added }
    ],
    limits: { [`added median <= ${LIMITS.addedMedianMs} ms`]: added.medianMs <= LIMITS.addedMedianMs, [`added p95 <= ${LIMITS.addedP95Ms} ms`]: added.p95Ms <= LIMITS.addedP95Ms }
  }
}

/**
 * The same callers at another server, while it answers and while it hangs: then some hang there, some wait for a place, and the rest is turned away.
 * The machine's own hiccups are about one in a hundred, so they decide a turn's p99 where they come, in bursts: the turns are short, and what a quarter of
 * them keeps to is compared. Whatever one server's hanging costs the others, it costs them in every turn.
 */
async function besideHanging(ours: Listening, other: Listening): Promise<Measured> {
  const callers = await openCallers(16, ours.port, GOOD)
  const p99s: Record<'without' | 'beside', number[]> = { without: [], beside: [] }
  for (let turn = 0; turn <= HANG.rounds; turn++) {
    // Neither is always the first.
    for (const isHanging of turn % 2 === 1 ? [true, false] : [false, true]) {
      const taken = await timesWhile(isHanging)
      if (turn > 0) p99s[isHanging ? 'beside' : 'without'].push(quantile(taken, 0.99))
    }
  }
  closeAll(callers)
  const [without, beside] = [quantile(p99s.without, HANG.calmShare), quantile(p99s.beside, HANG.calmShare)]
  return {
    rows: [{ what: `p99, ${HANG.callers} callers at another server`, p99Ms: round(without) }, { what: 'p99, and that one hangs', p99Ms: round(beside) }],
    limits: { [`with a server that hangs, the others’ p99 is ${round(beside / without, 2)} of without, <= ${LIMITS.hangingRatio}`]: beside / without <= LIMITS.hangingRatio }
  }

  async function timesWhile(isHanging: boolean): Promise<number[]> {
    other.hang(isHanging)
    const others = await openCallers(HANG.callers, ours.port, OTHER)
    let areThere = true
    for (const [index, caller] of others.entries()) void insist(caller, (index * HANG.againMs) / HANG.callers, () => areThere).catch(() => {})
    await later(HANG.settleMs)
    const taken = await steady(callers, { perSecond: HANG.perSecond, forMs: HANG.roundMs })
    areThere = false
    closeAll(others)
    await later(HANG.restMs)
    return taken
  }
}

/** At times that nothing sets: a beat of its own would meet that of the others at every request of a run, or at none. */
async function insist(caller: Caller, afterMs: number, areThere: () => boolean) {
  await later(afterMs)
  while (areThere()) {
    await caller.ask()
    await later(HANG.againMs * (0.5 + Math.random()))
  }
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function closeAll(callers: readonly Caller[]) {
  for (const caller of callers) caller.close()
}
