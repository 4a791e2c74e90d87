import type { GroupChange } from './dave.ts'

/** What the voice server tells about itself, and how a test makes it misbehave. */

/** Switches for tests; they may be changed at any time. */
export interface Faults {
  /** The encrypted group is set up this long after the session is ready; until then nobody hears the bot. */
  delayDaveMs: number
  /** IP discovery is never answered. */
  udpSilent: boolean
  /** Sockets open, but nothing is ever said on them. */
  mute: boolean
  /** The choice of the protocol is never answered. */
  withholdDescription: boolean
  /** Every identify is closed with this code. */
  refuseIdentify: number | null
  /** Who makes the group's commits, while both could. */
  committer: 'client' | 'person'
}

export interface Counters {
  /** RTP packets of ready sessions. */
  packets: number
  /** Packets whose transport encryption was wrong. */
  decryptFailures: number
  /** Packets that no person in the channel could hear: an empty channel, no group yet, or a sender who is muted. */
  unheardPackets: number
  /** Datagrams that belong to no session. */
  strayPackets: number
  /** Sockets closed for what they sent. */
  badFrames: number
}

export interface SessionEvent {
  guildId: string
  channelId: string
  userId: string
  what: 'identified' | 'ready' | 'resumed' | 'lost' | 'ended'
  /** The close code, for `lost` and `ended`. */
  code?: number
}

export interface VoiceEvents {
  session: [SessionEvent]
  speaking: [{ guildId: string; channelId: string; userId: string; isSpeaking: boolean }]
  /** The established group of a channel changed, by this member's commit; epoch 0: there is no group any more. */
  group: [{ guildId: string; channelId: string } & GroupChange]
}
