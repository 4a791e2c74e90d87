import { createPresences } from '../../bot/members/presence.ts'
import { countDeaths, mean } from './deaths.ts'
import type { DeathsOutcome } from './deaths.ts'
import { createListing } from './listing.ts'
import { createMemberBook } from './member-book.ts'
import type { Policy } from './policy.ts'
import { exponentialMs, seededRandom } from '../random.ts'
import { createSpeechNodes, settledNodes, speaksEveryMs } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { createSimulatedBot } from './simulated-bot.ts'
import type { SimulatedBot } from './simulated-bot.ts'
import { createTimeline } from './timeline.ts'

export interface Outcome extends DeathsOutcome {
  /** The fullest live node's load over that of all live ones together, looked at once a second: the mean of it. */
  worstOverMean: number
  worstMoment: number
  /** Of each request, until a node began with it; of those that still wait at the end, what they have waited. */
  waitsMs: number[]
}

const STAYS_MS = 15 * 60_000
const DIES_AFTER_MS = 20 * 60_000
const AWAY_MS = 60_000
const SYNC_MS = 15_000
/** What a call to Apps Script takes: the list that comes is that old already. */
const CALL_MS = 5_000
const WARM_UP_MS = 20_000
const LOOK_MS = 1_000

/**
 * Bots with a policy live through a scenario in virtual time. The same seed is the same outcome, and the same members, deaths and returns
 * for every policy.
 */
export function simulate(scenario: Scenario, createPolicy: (random: () => number) => Policy): Outcome {
  const { members, settledShare, lastsMs, seed } = scenario
  const timeline = createTimeline()
  const nowMs = () => timeline.nowMs()
  const world = seededRandom(seed)
  const choices = seededRandom(seed + 1)
  const nodes = createSpeechNodes(scenario, timeline, seededRandom(seed + 2))
  const truth = new Map(nodes.map((node) => [node.serverId, node]))
  const listing = createListing(nodes, nowMs)
  const deaths = countDeaths()
  const present = new Map<string, number>()
  const waitsMs: number[] = []

  const bots = Array.from({ length: scenario.bots }, () => {
    const presences = createPresences({ monotonic: nowMs }, (serverId, by) => void present.set(serverId, (present.get(serverId) ?? 0) + by))
    const book = createMemberBook((from, to) => {
      deaths.given(from, to, bot.isThere)
    })
    const onServed = (waitMs: number) => {
      if (nowMs() > WARM_UP_MS) waitsMs.push(waitMs)
    }
    const bot: SimulatedBot = createSimulatedBot({ timeline, random: choices, policy: createPolicy(choices), listing, truth, presences, book, onServed })
    return { ...bot, presences, book }
  })

  const everyMs = speaksEveryMs(nodes)
  /** One after the other has this place in the crowd; each says something at once when they come, unless they were there. */
  function live(index: number, generation: number, settledAt?: string): void {
    const bot = bots[index % bots.length]
    if (bot === undefined) return
    const deviceId = `m${index}.${generation}`
    const leavesMs = nowMs() + exponentialMs(world, STAYS_MS)
    const speak = (): void => {
      if (nowMs() >= leavesMs) {
        bot.book.leave(deviceId)
        live(index, generation + 1)
        return
      }
      bot.ask(deviceId)
      timeline.after(exponentialMs(world, everyMs), speak)
    }
    if (settledAt === undefined) {
      speak()
      return
    }
    bot.book.set(deviceId, settledAt, 0)
    bot.presences.touch(deviceId, settledAt)
    timeline.after(exponentialMs(world, everyMs), speak)
  }

  const settled = settledNodes(nodes, Math.round(members * settledShare))
  for (let index = 0; index < members; index++) {
    const serverId = settled[index]
    if (serverId !== undefined) live(index, 0, serverId)
    else timeline.after(world() * lastsMs, () => live(index, 0))
  }

  // Twice, so that each one's first list counts the members of all.
  for (const bot of [...bots, ...bots]) bot.sync(0)
  for (const bot of bots) {
    const again = () => {
      bot.sync(CALL_MS)
      timeline.after(SYNC_MS, again)
    }
    timeline.after(world() * SYNC_MS, again)
  }

  for (const node of nodes) {
    const die = () => {
      deaths.died(node.serverId)
      node.die()
      timeline.after(AWAY_MS * (0.5 + world()), () => {
        node.rise()
        timeline.after(exponentialMs(world, DIES_AFTER_MS), die)
      })
    }
    timeline.after(exponentialMs(world, DIES_AFTER_MS), die)
  }

  const looks: number[] = []
  function look() {
    for (const { presences } of bots) presences.corrections()
    const alive = nodes.filter((node) => node.isAlive())
    const count = (serverId: string) => present.get(serverId) ?? 0
    const all = alive.reduce((sum, { serverId }) => sum + count(serverId), 0) / alive.reduce((sum, { capacity }) => sum + capacity, 0)
    looks.push(Math.max(...alive.map(({ serverId, capacity }) => count(serverId) / capacity)) / all)
    timeline.after(LOOK_MS, look)
  }
  timeline.after(WARM_UP_MS, look)

  timeline.runUntil(lastsMs)
  for (const { sinceMs } of nodes.flatMap((node) => node.waiting())) waitsMs.push(lastsMs - sinceMs)
  return { worstOverMean: mean(looks), worstMoment: Math.max(...looks), waitsMs, ...deaths.outcome() }
}
