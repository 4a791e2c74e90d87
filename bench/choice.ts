import { quantile, report, round } from './report.ts'
import { POLICIES, createPolicy } from './simulation/policy.ts'
import type { PolicyName } from './simulation/policy.ts'
import { grainOf } from './simulation/scenario.ts'
import type { Scenario } from './simulation/scenario.ts'
import { simulate } from './simulation/simulate.ts'

const SEED = 7
const MINUTE_MS = 60_000

/** The more there is of both, the shorter: deaths and choices enough for a figure come sooner. */
const SIZES: readonly Omit<Scenario, 'bots' | 'seed'>[] = [
  { nodes: 10, members: 1_000, settledShare: 0.5, lastsMs: 30 * MINUTE_MS },
  { nodes: 100, members: 1_000, settledShare: 0.5, lastsMs: 10 * MINUTE_MS },
  { nodes: 100, members: 10_000, settledShare: 0.5, lastsMs: 10 * MINUTE_MS },
  { nodes: 1_000, members: 10_000, settledShare: 0.8, lastsMs: MINUTE_MS },
  { nodes: 1_000, members: 100_000, settledShare: 0.95, lastsMs: MINUTE_MS }
]

/** Chance makes a hundredth or two of difference between two seeds. */
const NOISE = 1.02

/**
 * The worst load over the mean that ours may come to. A bot alone is off by one member at most when it chooses, and members leave from where
 * they are; ten bots that know nothing of each other's last 20 s are off by what the others choose in that time, and no more than a half.
 * One member more is a large part of a small node.
 */
const WORST_OVER_MEAN: Readonly<Record<number, number>> = { 1: 1.15, 10: 1.5 }

interface Row extends Record<string, string | number> {
  nodes: number
  members: number
  bots: number
  policy: PolicyName
  worstOverMean: number
  waitP99Ms: number
  excessDeaths: number
  strayMoves: number
}

/** Ours against two simpler ways to choose, in virtual time: `--seed N` for another course of things. */
export async function run(args: string[]): Promise<void> {
  const seed = args[0] === '--seed' ? Number(args[1]) : SEED
  if (!Number.isSafeInteger(seed)) throw new Error('--seed wants a whole number')
  const scenarios = SIZES.flatMap((size) => [1, 10].map((bots) => ({ ...size, bots, seed })))
  const rows = scenarios.flatMap((scenario) => POLICIES.map((policy) => live(scenario, policy)))
  const ours = rows.filter(({ policy }) => policy === 'ours')
  const beats = (other: PolicyName, what: 'worstOverMean' | 'waitP99Ms', bots: number) =>
    rows.every((row) => row.policy !== other || row.bots !== bots || (ours.find((own) => isSameScenario(own, row))?.[what] ?? Infinity) <= row[what] * NOISE)

  const limits: Record<string, boolean> = {}
  for (const bots of [1, 10]) {
    for (const other of POLICIES.filter((name) => name !== 'ours')) {
      limits[`${bots} bots: worst load never above "${other}"`] = beats(other, 'worstOverMean', bots)
      limits[`${bots} bots: p99 wait never above "${other}"`] = beats(other, 'waitP99Ms', bots)
    }
    limits[`${bots} bots: worst load <= ${WORST_OVER_MEAN[bots]} x mean, and one member of the smallest node`] = ours.every(
      (row) => row.bots !== bots || row.worstOverMean <= (WORST_OVER_MEAN[bots] ?? 0) + grainOf(row)
    )
  }
  limits['a death moves at most the members of that node'] = rows.every(({ excessDeaths }) => excessDeaths === 0)
  limits['nobody else is moved'] = rows.every(({ strayMoves }) => strayMoves === 0)
  report('choice', rows, limits)
}

function live(scenario: Scenario, policy: PolicyName): Row {
  const { nodes, members, bots } = scenario
  const { waitsMs, worstOverMean, worstMoment, deaths, heldPerDeath, movesPerDeath, excessDeaths, strayMoves } = simulate(scenario, (random) => createPolicy(policy, random))
  return {
    nodes, members, bots, policy, worstOverMean: round(worstOverMean, 2), worstMoment: round(worstMoment, 2), waitP99Ms: round(quantile(waitsMs, 0.99), 0), requests: waitsMs.length,
    deaths, heldPerDeath: round(heldPerDeath, 1), movesPerDeath: round(movesPerDeath, 1), excessDeaths, strayMoves
  }
}

function isSameScenario(a: Row, b: Row): boolean {
  return a.nodes === b.nodes && a.members === b.members && a.bots === b.bots
}
