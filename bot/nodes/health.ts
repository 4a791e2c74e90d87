import { ExponentialBackoff, decorrelatedJitterGenerator } from 'cockatiel'
import type { FaultCode } from '../core/errors.ts'

/**
 * What the bot itself knows of a node, from asking it. Only node faults change it: a member's mistake, a busy node or a
 * cancelled request do not.
 *
 * - `joining`: on the roster (or back with a new address) and not yet heard from. Left by the first good answer, a probe's
 *   too (`ready`), or a fault (`suspect`, `resting`). A name that does not resolve yet keeps it here: the tunnel's name is new, not dead.
 * - `ready`: its last request was good.
 * - `suspect`: it answered badly, fewer than three times in a row. Still used; one good request makes it `ready`.
 * - `resting`: it refused, broke off, fell silent, or answered badly three times. Not asked before `untilMs`, and then only after
 *   `GET /health` has answered; then one request at a time, until a good one makes it `ready`. A new fault lengthens the rest.
 * - `gone`: no longer on the roster, disabled, or without an address. Nothing is sent there. Left when the roster brings it back (`joining`).
 */
export type NodeHealth =
  | { state: 'joining' }
  | { state: 'ready' }
  | { state: 'suspect'; faults: number }
  | { state: 'resting'; untilMs: number; rest: Rest; answered: boolean }
  | { state: 'gone' }

type Rest = ReturnType<ExponentialBackoff<unknown>['next']>

/** Rests begin at about 2 s and grow, with jitter, to a minute: bots that lost the same node do not come back to it together. */
const rests = new ExponentialBackoff({ initialDelay: 2_000, maxDelay: 60_000, generator: decorrelatedJitterGenerator })

const BAD_ANSWERS_TO_REST = 3

/** Faults after which the next request would most likely fail too: one is enough. */
const DEAD: readonly FaultCode[] = ['NODE_UNREACHABLE', 'NODE_RESET', 'NODE_SILENT', 'NODE_UNAUTHORIZED', 'NODE_FORBIDDEN_HOST', 'NODE_UNRESOLVED']

export function afterSuccess(): NodeHealth {
  return { state: 'ready' }
}

/**
 * @param lastUsable the only node that could still be asked: it is never sent to rest
 * @param nowMs monotonic milliseconds
 */
export function afterFault(health: NodeHealth, code: FaultCode, nowMs: number, lastUsable: boolean): NodeHealth {
  if (health.state === 'gone') return health
  if (health.state === 'joining' && code === 'NODE_UNRESOLVED') return health
  const faults = health.state === 'suspect' ? health.faults + 1 : 1
  if (lastUsable) return { state: 'suspect', faults }
  if (health.state === 'resting' || faults >= BAD_ANSWERS_TO_REST || DEAD.includes(code)) return restAfter(health, nowMs)
  return { state: 'suspect', faults }
}

function restAfter(health: NodeHealth, nowMs: number): NodeHealth {
  const rest = health.state === 'resting' ? health.rest.next(undefined) : rests.next()
  const untilMs = nowMs + rest.duration
  // A longer rest is never replaced by a shorter one.
  return { state: 'resting', untilMs: health.state === 'resting' ? Math.max(untilMs, health.untilMs) : untilMs, rest, answered: false }
}

/** A probe: an answer makes a joining node ready and admits one trial request to a resting one, never more; no answer lengthens the rest. */
export function afterProbe(health: NodeHealth, answered: boolean, nowMs: number): NodeHealth {
  if (health.state === 'joining' && answered) return { state: 'ready' }
  if (health.state !== 'resting') return health
  return answered ? { ...health, answered: true } : restAfter(health, nowMs)
}

/** Whether `GET /health` should be asked now: of a new node, and of a resting one whose time is over. */
export function wantsProbe(health: NodeHealth, nowMs: number): boolean {
  return health.state === 'joining' || (health.state === 'resting' && !health.answered && health.untilMs <= nowMs)
}

/** Whether a request may go there now. `inFlight`: requests under way there, since a resting node takes one at a time. */
export function isUsable(health: NodeHealth, inFlight: number): boolean {
  switch (health.state) {
    case 'joining':
    case 'ready':
    case 'suspect':
      return true
    case 'resting':
      return health.answered && inFlight === 0
    case 'gone':
      return false
  }
}
