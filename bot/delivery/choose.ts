export const DELIVERIES = ['auto', 'voice', 'file'] as const
export type Wanted = (typeof DELIVERIES)[number]

/** What keeps the bot from being heard in a channel; `muted` is by a moderator, or on a stage as one of the audience. */
export type Missing = 'connect' | 'speak' | 'full' | 'muted'

/** Where a member could be heard right now. */
export interface Place {
  /** The voice channel that the member is in, or null. */
  memberChannelId: string | null
  /** What the bot lacks there, or nothing. */
  missing?: Missing
  /** The channel where the bot speaks for others in this guild right now, or null. */
  busyChannelId: string | null
}

export type Delivery = { to: 'voice'; channelId: string } | { to: 'file' } | { to: 'nowhere'; reason: 'notInVoice' | Missing | 'elsewhere' }

/** `auto`: the member's voice channel when the bot can speak there, else a file. Who asks for `voice` is told what is in the way. */
export function chooseDelivery(wanted: Wanted, { memberChannelId, missing, busyChannelId }: Place): Delivery {
  if (wanted === 'file') return { to: 'file' }
  const reason =
    memberChannelId === null ? 'notInVoice' : (missing ?? (busyChannelId !== null && busyChannelId !== memberChannelId ? 'elsewhere' : undefined))
  if (reason === undefined && memberChannelId !== null) return { to: 'voice', channelId: memberChannelId }
  return wanted === 'auto' ? { to: 'file' } : { to: 'nowhere', reason: reason ?? 'notInVoice' }
}
