import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { NodeClient } from './client.ts'
import { afterFault, afterProbe } from './health.ts'
import type { NodeHealth } from './health.ts'
import { STALE_MS } from './node.ts'
import type { PoolNode } from './node.ts'

const TICK_MS = 1_000

/**
 * A node that is in use, or of which there is some doubt, and that has not been heard from for this long is asked whether it is well, before a member
 * finds out. All others are left in peace: they beat, and a tunnel may count its requests.
 */
const QUIET_MS = 5_000

/** In use: a request went there within this time. */
const IN_USE_MS = 5 * 60_000

/** A node that would not list its voices is asked again after this, then after twice as long each time: there are servers without such a list. */
const VOICES_AGAIN_MS = 30_000
const VOICES_AGAIN_MAX_MS = 3_600_000

export interface Probed {
  node: PoolNode
  /** Monotonic; -Infinity when never. */
  askedMs: number
  heardMs: number
  /** What was learned of it from a request or a probe has changed its health. */
  healthChanged: () => void
}

export interface Probes {
  /** Asks a node that was too slow how it is: one that has much to do was only busy, and gets back the health that it had. */
  explainSilence(entry: Probed, before: NodeHealth): void
  /** Looks now, without waiting for the next second: the roster has brought something new. */
  look(): void
  stop(): void
}

/** What a node that is saturated is given to catch up. */
const BUSY_MS = 2_000

/**
 * Light looks at nodes, once a second at most each: a new one until it answers, a resting one whose time is over, and one that is quiet while it is in
 * use, has failed, or no longer beats. Learns a node's voices once it is well.
 */
export function startProbes(deps: {
  client: NodeClient
  clock: Clock
  log: Log
  entries: () => Iterable<Probed>
  /** No other node could be asked now. */
  isLastUsable: (node: PoolNode) => boolean
}): Probes {
  const { client, clock, log, entries, isLastUsable } = deps
  const probing = new Set<string>()
  /** Where it was asked for its voices last, and when it may be again. At another address it is another start. */
  const askedVoices = new WeakMap<PoolNode, { apiUrl: string; againMs: number; pauseMs: number }>()
  let cancelTick = clock.after(TICK_MS, tick)

  function look() {
    for (const entry of entries()) {
      if (wantsProbe(entry, clock.monotonic())) void probe(entry)
      void learnVoices(entry.node)
    }
  }

  function tick() {
    look()
    cancelTick = clock.after(TICK_MS, tick)
  }

  /** @param before what it was before it fell silent, when that is why it is asked */
  async function probe(entry: Probed, before?: NodeHealth): Promise<void> {
    const silent = before !== undefined
    const { node } = entry
    const { apiUrl, health, serverId } = node
    if (apiUrl === null || probing.has(serverId)) return
    probing.add(serverId)
    const { ready, saturated, about } = await client.health(apiUrl).catch(() => ({ ready: false, saturated: false, about: undefined }))
    probing.delete(serverId)
    const nowMs = clock.monotonic()
    entry.heardMs = nowMs
    if (node.apiUrl === apiUrl) node.about = about ?? node.about
    // A request may have told more meanwhile, or the node may have moved: then this answer says nothing.
    if (node.health !== health || node.apiUrl !== apiUrl) return
    if (silent && ready && saturated) {
      // It was slow because it has much to do, for other bots perhaps: busy, not at fault.
      node.health = before
      node.busyUntilMs = nowMs + BUSY_MS
    } else if (!silent) node.health = afterProbe(health, ready, nowMs, isLastUsable(node))
    else if (!ready && health.state !== 'resting') node.health = afterFault(health, 'NODE_SILENT', nowMs, isLastUsable(node))
    entry.healthChanged()
    if (node.health.state !== health.state) log.info({ node: serverId, from: health.state, to: node.health.state }, 'probed')
  }

  async function learnVoices(node: PoolNode): Promise<void> {
    const { apiUrl, serverId } = node
    if (node.voices !== undefined || apiUrl === null || node.health.state !== 'ready') return
    const before = askedVoices.get(node)
    const isKnown = before?.apiUrl === apiUrl
    if (isKnown && clock.monotonic() < before.againMs) return
    const pauseMs = isKnown ? Math.min(before.pauseMs * 2, VOICES_AGAIN_MAX_MS) : VOICES_AGAIN_MS
    askedVoices.set(node, { apiUrl, againMs: clock.monotonic() + pauseMs, pauseMs })
    try {
      const voices = await client.voices(apiUrl)
      if (node.apiUrl === apiUrl) node.voices = voices
    } catch (error) {
      // Servers that only speak list none: then any voice may be asked of them.
      log.debug({ node: serverId, err: error }, 'no list of voices')
    }
  }

  return {
    explainSilence: (entry, before) => void probe(entry, before),
    look,
    stop: () => cancelTick()
  }
}

function wantsProbe({ node: { health, inFlight, ageMs }, askedMs, heardMs }: Probed, nowMs: number): boolean {
  const isQuiet = inFlight === 0 && nowMs - heardMs >= QUIET_MS
  switch (health.state) {
    case 'joining':
      return true
    case 'resting':
      return !health.answered && health.untilMs <= nowMs
    case 'ready':
      return isQuiet && (nowMs - askedMs < IN_USE_MS || ageMs > STALE_MS)
    case 'suspect':
      return isQuiet
    case 'gone':
      return false
  }
}
