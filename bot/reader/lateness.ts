import type { Message } from 'discord.js'
import type { Clock } from '../core/clock.ts'

export interface Lateness {
  /** A shard has lost its connection: what it is told first in the next one, it was to be told before. */
  reconnecting(shardId: number): void
  /** It has been told all that it missed, or has begun anew without it. */
  caughtUp(shardId: number): void
  /** How long ago a message was written, in ms, if it was missed in an outage; 0 if not. */
  of(message: Pick<Message<true>, 'guild' | 'createdTimestamp'>): number
}

/** Only of what was missed is it asked when it was written: our clock may differ from Discord's, and then all would look late. */
export function createLateness(clock: Pick<Clock, 'now'>): Lateness {
  const behind = new Set<number>()
  return {
    reconnecting: (shardId) => void behind.add(shardId),
    caughtUp: (shardId) => void behind.delete(shardId),
    of: ({ guild, createdTimestamp }) => (behind.has(guild.shardId) ? Math.max(0, clock.now() - createdTimestamp) : 0)
  }
}
