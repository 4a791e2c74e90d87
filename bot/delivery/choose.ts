export const DELIVERIES = ['auto', 'voice', 'file', 'voice-message'] as const
export type Wanted = (typeof DELIVERIES)[number]

/** As what a recording comes: `auto` is a native voice message where it may be sent, else a file. */
export type RecordingWanted = Exclude<Wanted, 'voice'>

/** What keeps the bot from being heard in a channel; `stage`: it may not even ask to speak there. */
export type Missing = 'connect' | 'speak' | 'full' | 'muted' | 'stage'

/** Where a member could be heard right now. */
export interface Place {
  /** The voice channel that the member is in, or null. */
  memberChannelId: string | null
  /** What the bot lacks there, or nothing. */
  missing?: Missing
  /** The channel where the bot speaks for others in this guild right now, or null. */
  busyChannelId: string | null
}

export type Delivery = { to: 'voice'; channelId: string } | { to: 'recording'; wanted: RecordingWanted } | { to: 'nowhere'; reason: 'notInVoice' | Missing | 'elsewhere' }

/** `auto`: the member's voice channel when the bot can speak there, else a recording. Who asks for `voice` is told what is in the way. */
export function chooseDelivery(wanted: Wanted, { memberChannelId, missing, busyChannelId }: Place): Delivery {
  if (wanted === 'file' || wanted === 'voice-message') return { to: 'recording', wanted }
  const reason =
    memberChannelId === null ? 'notInVoice' : (missing ?? (busyChannelId !== null && busyChannelId !== memberChannelId ? 'elsewhere' : undefined))
  if (reason === undefined && memberChannelId !== null) return { to: 'voice', channelId: memberChannelId }
  return wanted === 'auto' ? { to: 'recording', wanted } : { to: 'nowhere', reason: reason ?? 'notInVoice' }
}
