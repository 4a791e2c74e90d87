import { ExponentialBackoff, decorrelatedJitterGenerator } from 'cockatiel'
import type { FaultCode } from '../core/errors.ts'

/**
 * What the bot itself knows of a node, from asking it: requests first, probes where there are none. Only node faults change it: a
 * member's mistake, a busy node or a cancelled request do not. All times are monotonic milliseconds.
 *
 * - `joining`: on the roster (or back with a new address) and not yet heard from. Left by the first good answer, a probe's
 *   too (`ready`), a request's fault (`suspect`, `resting`), or a minute of probes without an answer (`resting`). A name that does not
 *   resolve yet keeps it here that long: the tunnel's name is new, not dead.
 * - `ready`: its last request was good. `risenMs` says when it came back from a rest: until it has been well for a while it is given less.
 * - `suspect`: it answered badly, late, or not to a probe, fewer than three times in a row. Still used; one good request makes it `ready`.
 * - `resting`: it refused, broke off, fell silent, or answered badly three times. Not asked before `untilMs`, and then only after
 *   `GET /health` has answered; then one request at a time, until a good one makes it `ready`. A new fault lengthens the rest.
 * - `gone`: no longer on the roster, disabled, or without an address. Nothing is sent there. Left when the roster brings it back (`joining`).
 */
export type NodeHealth =
  | { state: 'joining'; sinceMs: number }
  | { state: 'ready'; risenMs?: number }
  | { state: 'suspect'; faults: number; risenMs?: number }
  | { state: 'resting'; untilMs: number; rest: Rest; answered: boolean }
  | { state: 'gone' }

type Rest = ReturnType<ExponentialBackoff<unknown>['next']>

/** Rests begin at about 2 s and grow, with jitter, to a minute: bots that lost the same node do not come back to it together. */
const rests = new ExponentialBackoff({ initialDelay: 2_000, maxDelay: 60_000, generator: decorrelatedJitterGenerator })

const BAD_ANSWERS_TO_REST = 3

/** A tunnel's name can take half a minute to be known. */
const JOIN_LIMIT_MS = 60_000

/** A node that came back is given a tenth of its share at first, and all of it after this long: a flood would send it back to rest. */
const SLOW_START_MS = 30_000

/** Faults of a request after which the next would most likely fail too: one is enough. */
const DEAD: readonly FaultCode[] = ['NODE_UNREACHABLE', 'NODE_RESET', 'NODE_SILENT', 'NODE_UNAUTHORIZED', 'NODE_FORBIDDEN_HOST', 'NODE_UNRESOLVED']

export function afterSuccess(health: NodeHealth, nowMs: number): NodeHealth {
  if (health.state === 'gone') return health
  const risenMs = health.state === 'resting' ? nowMs : 'risenMs' in health ? health.risenMs : undefined
  return { state: 'ready', ...(risenMs !== undefined && nowMs - risenMs < SLOW_START_MS && { risenMs }) }
}

/** @param lastUsable the only node that could still be asked: it is never sent to rest */
export function afterFault(health: NodeHealth, code: FaultCode, nowMs: number, lastUsable: boolean): NodeHealth {
  if (health.state === 'joining' && code === 'NODE_UNRESOLVED') return health
  if (!lastUsable && (health.state === 'resting' || DEAD.includes(code))) return restAfter(health, nowMs)
  return afterBadAnswer(health, nowMs, lastUsable)
}

/** It answered badly, so late that another was faster, or a probe not at all: no proof that it is dead, and three such are enough. */
export function afterBadAnswer(health: NodeHealth, nowMs: number, lastUsable: boolean): NodeHealth {
  if (health.state === 'gone') return health
  const faults = health.state === 'suspect' ? health.faults + 1 : 1
  if (!lastUsable && (health.state === 'resting' || faults >= BAD_ANSWERS_TO_REST)) return restAfter(health, nowMs)
  return { state: 'suspect', faults, ...('risenMs' in health && { risenMs: health.risenMs }) }
}

function restAfter(health: NodeHealth, nowMs: number): NodeHealth {
  if (health.state === 'gone') return health
  const rest = health.state === 'resting' ? health.rest.next(undefined) : rests.next()
  const untilMs = nowMs + rest.duration
  // A longer rest is never replaced by a shorter one.
  return { state: 'resting', untilMs: health.state === 'resting' ? Math.max(untilMs, health.untilMs) : untilMs, rest, answered: false }
}

/**
 * A probe's answer makes a joining node ready and admits one trial request to a resting one, never more. No answer lengthens a rest, and
 * counts as a bad answer of a node that is in use; a joining one has a minute.
 */
export function afterProbe(health: NodeHealth, answered: boolean, nowMs: number, lastUsable: boolean): NodeHealth {
  switch (health.state) {
    case 'joining':
      if (answered) return { state: 'ready' }
      return nowMs - health.sinceMs < JOIN_LIMIT_MS ? health : restAfter(health, nowMs)
    case 'resting':
      return answered ? { ...health, answered: true } : restAfter(health, nowMs)
    case 'ready':
    case 'suspect':
      return answered ? health : afterBadAnswer(health, nowMs, lastUsable)
    case 'gone':
      return health
  }
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

/** Whether it has spoken or answered lately: only then can another node be spared. */
export function isProven(health: NodeHealth): boolean {
  return health.state === 'ready' || health.state === 'suspect' || (health.state === 'resting' && health.answered)
}

/** It would rest, were there another to ask: it is asked because there is none, not because it can. */
export function isLastResort(health: NodeHealth): boolean {
  return health.state === 'suspect' && health.faults >= BAD_ANSWERS_TO_REST
}

/** 0.1 to 1: the share of its capacity that a node may be given now. */
export function slowStart(health: NodeHealth, nowMs: number): number {
  if (health.state === 'resting') return 0.1
  const risenMs = 'risenMs' in health ? health.risenMs : undefined
  return risenMs === undefined ? 1 : Math.min(1, 0.1 + (0.9 * (nowMs - risenMs)) / SLOW_START_MS)
}
