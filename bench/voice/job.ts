import type { Speech } from './speech.ts'
import type { Spacing } from './spacing.ts'

export const WAYS = ['ours', 'discord-player', 'discordjs-voice'] as const
export type WayName = (typeof WAYS)[number]

/** What a measured bot is told. */
export interface Job {
  way: WayName
  speech: Speech
  /** A whole Discord; or a voice server alone, which has been told of these. */
  at: { apiUrl: string; token: string } | { endpoint: string; places: { guildId: string; channelId: string; userId: string; sessionId: string; token: string }[] }
  /** Nothing is measured in the first moments. */
  settleMs: number
  measureMs: number
}

/** What was measured of it. */
export interface Measured {
  streams: number
  /** Packets from the very first on. */
  sent: number
  spacing: Spacing
  /** `p99Ms` of a bare timer in the same process, just before. */
  bareP99Ms: number
  /** CPU of the bot and of all that it started, in percent of one core, for a stream that never pauses: the time for what was sent, by its length. */
  cpuPercent: number
  /** How much of the time something was sent; the rest are pauses between two utterances. */
  speechShare: number
  /** Memory that came with the streams, per stream. */
  memoryBytes: number
}
