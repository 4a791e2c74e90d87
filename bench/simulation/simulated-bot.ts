import { silentLog } from '../../bot/core/log.ts'
import type { Presences } from '../../bot/members/presence.ts'
import { afterFault, afterProbe, afterSuccess, isUsable } from '../../bot/nodes/health.ts'
import { observe } from '../../bot/nodes/latency.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import type { Pool } from '../../bot/nodes/pool.ts'
import { createChoose } from '../../bot/speech/choose.ts'
import { ANY_VOICE } from '../../bot/wire/node.ts'
import type { Listing, ListedRow } from './listing.ts'
import type { MemberBook } from './member-book.ts'
import type { Policy } from './policy.ts'
import type { SpeechNode } from './speech-node.ts'
import type { Timeline } from './timeline.ts'

export interface SimulatedBot {
  /** Its members' presence is told, and the list of that moment comes back after the call. */
  sync(callMs: number): void
  /** A member says something. */
  ask(deviceId: string): void
  /** Whether the node lives where the bot, by its list, believes it to. */
  isThere: (serverId: string) => boolean
}

const TEXT = { model: 'voxpool', input: 'A sentence of the length that members usually post.', voice: ANY_VOICE, response_format: 'opus', speed: 1 } as const
const PROBE_MS = 50
/** When no node may be asked at all. */
const AGAIN_MS = 500

/** A bot with its own list, its own knowledge of the nodes and its own members; which node they get is `bot/speech/choose.ts`, by the policy. */
export function createSimulatedBot(deps: {
  timeline: Timeline
  random: () => number
  policy: Policy
  listing: Listing
  truth: ReadonlyMap<string, SpeechNode>
  presences: Presences
  book: MemberBook
  onServed: (waitMs: number) => void
}): SimulatedBot {
  const { timeline, random, policy, listing, truth, presences, book, onServed } = deps
  const nowMs = () => timeline.nowMs()
  const views = new Map<string, PoolNode>()
  let nodes: readonly PoolNode[] = []
  // The part of the pool that choosing needs; sending is the simulation's.
  const pool: Pick<Pool, 'nodes' | 'usable' | 'pick' | 'pickNow'> = {
    nodes: () => nodes,
    usable(serverId) {
      const node = views.get(serverId)
      return node && isUsable(node.health, node.inFlight) ? node : undefined
    },
    pick: (options) => policy.pick(nodes, { nowMs: nowMs(), random, ...options }),
    pickNow: (options) => policy.pickNow(nodes, { nowMs: nowMs(), random, ...options })
  }
  const clock = { now: nowMs, monotonic: nowMs, after: () => () => {} }
  const choose = createChoose({ pool: pool as Pool, assignments: book, presences, clock, log: silentLog })

  /** As `bot/nodes/pool.ts` takes a list: at another address a node is new. */
  function follow(row: ListedRow) {
    const before = views.get(row.serverId)
    if (before?.apiUrl === row.apiUrl) return void Object.assign(before, row)
    const fresh = { health: { state: 'joining', sinceMs: nowMs() }, busyUntilMs: 0, latency: undefined, voices: undefined } as const
    const node: PoolNode = before ? Object.assign(before, row, fresh) : { ...row, ...fresh, tag: row.serverId, seenAtMs: undefined, stateSinceMs: nowMs(), draining: false, inFlight: 0, about: undefined, faults: [] }
    views.set(row.serverId, node)
    timeline.after(PROBE_MS, () => {
      if (node.health.state === 'joining') node.health = afterProbe(node.health, isThere(row.serverId), nowMs(), false)
    })
  }

  function isThere(serverId: string): boolean {
    const server = truth.get(serverId)
    return server?.isAlive() === true && server.address() === views.get(serverId)?.apiUrl
  }

  function fault(node: PoolNode, code: 'NODE_UNREACHABLE' | 'NODE_RESET') {
    const isLast = !nodes.some((other) => other !== node && isUsable(other.health, other.inFlight))
    node.health = afterFault(node.health, code, nowMs(), isLast)
  }

  function send(deviceId: string, sinceMs: number, exclude: ReadonlySet<string>): void {
    const node = choose.next(TEXT, deviceId, { exclude })
    if (node === undefined) {
      timeline.after(AGAIN_MS, () => send(deviceId, sinceMs, new Set()))
      return
    }
    const { serverId, apiUrl } = node
    const server = truth.get(serverId)
    const elsewhere = () => send(deviceId, sinceMs, new Set([...exclude, serverId]))
    if (server === undefined || !isThere(serverId)) {
      fault(node, 'NODE_UNREACHABLE')
      elsewhere()
      return
    }
    node.inFlight += 1
    const sentMs = nowMs()
    server.accept({
      sinceMs,
      onDone(waitMs) {
        node.inFlight -= 1
        if (node.apiUrl === apiUrl) {
          node.health = afterSuccess(node.health, nowMs())
          node.latency = observe(node.latency, nowMs() - sentMs, TEXT.input.length, nowMs())
        }
        onServed(waitMs)
      },
      onLost() {
        node.inFlight -= 1
        if (node.apiUrl === apiUrl) fault(node, 'NODE_RESET')
        elsewhere()
      }
    })
  }

  return {
    sync(callMs) {
      const devices = presences.devices()
      listing.tell(devices)
      const rows = listing.rows()
      timeline.after(callMs, () => {
        presences.reported(devices)
        for (const row of rows) follow(row)
        nodes = Array.from(views.values())
      })
    },
    ask: (deviceId) => send(deviceId, nowMs(), new Set()),
    isThere
  }
}
