import type { Link } from './link.ts'
import type { OverReason } from './over.ts'

/** Where a session's connection stands; times are of the monotonic clock. Every state but `ready` and `over` ends by itself at its limit. */
export type ConnectionState =
  /**
   * A fresh connection is being made. Left for `ready`; for `rejoining` when it closes, or hangs (signalling, connecting, UDP discovery) until the
   * limit; for `displaced` or `serverless` as from `ready`.
   */
  | { status: 'joining'; attempt: number; untilMs: number }
  /** Packets can be sent. Left when the socket closes, the gateway says that the bot is elsewhere or nowhere, or nothing goes out. */
  | { status: 'ready'; sinceMs: number }
  /** It was ready, and the library takes the socket up again (1006, 4015), or connects to a server that a move or Discord has named. Then `ready`, or `rejoining`. */
  | { status: 'resuming'; untilMs: number }
  /** Discord took the voice server away (endpoint null). Left for `resuming` when it names another one, for `rejoining` when it does not. */
  | { status: 'serverless'; untilMs: number }
  /**
   * Put out by somebody (4014), or, when it is `out`, nowhere as the gateway says. A new place means that it was moved, and leads to `resuming`; none
   * leads to `over`, or to `rejoining` when the gateway itself was in trouble.
   */
  | { status: 'displaced'; out: boolean; untilMs: number }
  /** Waits before the next try, and for the gateway when that is down. The queue and the rest of what plays wait with it. Then `joining`, or `over`. */
  | { status: 'rejoining'; attempt: number; untilMs: number }
  /** For good; without a reason by our own leaving. */
  | { status: 'over'; reason: OverReason | undefined }

/** What may have changed without a word: the gateway's session is a new one, was resumed, or something in the guild is different. */
export type Change = 'renewed' | 'resumed' | 'guild'

/** Why a connection is made anew; a label of the metrics. */
export type Trouble = 'closed' | 'hung' | 'gateway' | 'elsewhere' | 'noServer' | 'stalled' | 'broken'

export interface Connection {
  state(): ConnectionState
  /** The channel where it means to be: a move changes it, an outage does not. */
  channelId(): string
  /** The library's connection of the moment. */
  link(): Link | undefined
  /** Throws the library's connection away and makes it anew. */
  rebuild(why: Trouble): void
  /** Compares where it means to be with what the gateway says. */
  compare(change: Change): void
  /** Ends it, now: without a reason it is our own leaving, and with `displaced` for what put it out. */
  end(reason?: OverReason | 'displaced'): void
}

/** The library has no limit of its own; Discord answers within two seconds when it answers at all. */
export const JOIN_LIMIT_MS = 10_000
export const SERVER_WITHIN_MS = 20_000

/** After a move the new place is told within this time. */
export const MOVED_WITHIN_MS = 5_000
/** After being put out, what led to it (a deleted channel, a permission) is told within this time. */
export const TOLD_WITHIN_MS = 1_000

/** That the bot has left is told within this time, and if not it joins all the same. */
export const LEFT_WITHIN_MS = 2_000

/** How long a session waits for a gateway that is down, and how often it looks. */
export const OUTAGE_LIMIT_MS = 120_000
export const OUTAGE_LOOK_MS = 1_000

/** A new session of the gateway puts the bot out of its channels: within this time nobody has kicked it. */
export const RENEWED_WITHIN_MS = 10_000
