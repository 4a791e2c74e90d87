import type { ServerResponse } from 'node:http'

/** A caller that takes nothing of its answer for this long has gone: what is open for it is closed. */
export const STALL_LIMIT_MS = 60_000

/** Breaks an answer off. HTTP/1.0 has no other sign of an end than the connection's: there a cut must be seen as one. */
export function cut(outgoing: ServerResponse): void {
  if (outgoing.req.httpVersion === '1.0') outgoing.req.socket.resetAndDestroy()
  outgoing.destroy()
}
