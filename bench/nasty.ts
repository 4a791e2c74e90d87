import { parseArgs } from 'node:util'
import { live } from './nasty/live.ts'
import type { Outcome } from './nasty/live.ts'
import { quantile, report, round } from './report.ts'

const SERVERS = 32
const UNDER_WAY_MAX = SERVERS * 15

/** A queue's limit of age, and one utterance more. */
const DRAIN_LIMIT_MS = 100_000
const QUEUE_MAX = 51

/**
 * `--messages N` (10,000) of what people post to hurt, through `/read` of the whole bot: in 32 servers of different settings, over real sockets, once
 * for each of `--seeds` (1,2). Nothing may crash, wait for too long, or be skipped without its reason.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { messages: { type: 'string', default: '10000' }, seeds: { type: 'string', default: '1,2' } } })
  const crashes: unknown[] = []
  const onCrash = (error: unknown) => void crashes.push(error)
  process.on('uncaughtException', onCrash).on('unhandledRejection', onCrash)
  const rows: Record<string, string | number>[] = []
  const kept: Record<string, boolean> = {}
  for (const seed of values.seeds.split(',').map(Number)) {
    const startMs = performance.now()
    const outcome = await live({ seed, messages: Number(values.messages), servers: SERVERS, underWayMax: UNDER_WAY_MAX })
    rows.push(...rowsOf(outcome).map((row) => ({ seed, ...row })), { seed, what: 'seconds', count: round((performance.now() - startMs) / 1000, 1) })
    for (const [limit, isKept] of Object.entries(limitsOf(outcome))) kept[limit] = (kept[limit] ?? true) && isKept
  }
  for (const crash of crashes) console.error(crash)
  report('nasty', rows, { 'no crash': crashes.length === 0, ...kept })
}

function rowsOf({ posted, results, notices, handledMs, drainedMs, queuedMax, faults }: Outcome): { what: string; count: number }[] {
  return [
    { what: 'posted', count: posted },
    ...Object.entries(results).map(([result, count]) => ({ what: `  ${result}`, count })),
    { what: 'notices of the bot', count: notices },
    { what: 'ms for a message, median', count: round(quantile(handledMs, 0.5), 2) },
    { what: 'ms for a message, p99', count: round(quantile(handledMs, 0.99), 2) },
    { what: 'ms for a message, longest', count: round(handledMs.reduce((longest, ms) => Math.max(longest, ms), 0), 1) },
    { what: 'longest queue', count: queuedMax },
    { what: 'ms until all had ended', count: round(drainedMs, 0) },
    ...Object.entries(faults).map(([code, count]) => ({ what: `fault ${code}`, count }))
  ]
}

function limitsOf({ posted, results, expected, notices, drainedMs, queuedMax, faults }: Outcome): Record<string, boolean> {
  const { own = 0, ...others } = results
  const counted = Object.values(others).reduce((sum, count) => sum + count, 0)
  return {
    'every message counted once, with its reason': counted === posted && own === notices,
    'and with the right one, where it is known beforehand': Object.entries(expected).every(([result, count]) => results[result] === count),
    'no bug': (faults['BUG'] ?? 0) === 0,
    [`all had ended ${DRAIN_LIMIT_MS / 1000} s after the last`]: drainedMs <= DRAIN_LIMIT_MS,
    [`never more than ${QUEUE_MAX} in a queue`]: queuedMax <= QUEUE_MAX
  }
}
