import type { OverReason } from './over.ts'

/**
 * What a closed voice socket means. `displaced`: somebody moved or disconnected the bot, or the gateway's session was lost. `again`: worth another
 * try; `fresh` says that Discord has forgotten the session, so that the channel is left first.
 */
export type Closing = { kind: 'final'; reason: OverReason } | { kind: 'displaced' } | { kind: 'again'; fresh: boolean }

const FINAL: Readonly<Record<number, OverReason>> = { 4017: 'encryption', 4021: 'rateLimited', 4022: 'callEnded' }

/** Authentication failed, session no longer valid, session timeout, server not found: what the gateway told is of no use any more. */
const FRESH = new Set([4004, 4006, 4009, 4011])

/** @param code of Discord's voice gateway, or of the WebSocket itself (below 4000) */
export function closingOf(code: number): Closing {
  const reason = FINAL[code]
  if (reason !== undefined) return { kind: 'final', reason }
  return code === 4014 ? { kind: 'displaced' } : { kind: 'again', fresh: FRESH.has(code) }
}
