export const DELIVERIES = ['auto', 'voice', 'file'] as const
export type Wanted = (typeof DELIVERIES)[number]

/** Where a member could be heard right now. */
export interface Place {
  /** The voice channel that the member is in, or null. */
  memberChannelId: string | null
  /** What the bot lacks there, or nothing. */
  missing?: 'connect' | 'speak' | 'full'
  /** The channel where the bot speaks for others in this guild right now, or null. */
  busyChannelId: string | null
}

export type Delivery = { to: 'voice'; channelId: string } | { to: 'file' } | { to: 'nowhere'; reason: 'notInVoice' | 'connect' | 'speak' | 'full' | 'elsewhere' }

/** `auto`: the member's voice channel when the bot can speak there, else a file. Who asks for `voice` is told what is in the way. */
export function chooseDelivery(wanted: Wanted, { memberChannelId, missing, busyChannelId }: Place): Delivery {
  if (wanted === 'file') return { to: 'file' }
  const reason =
    memberChannelId === null ? 'notInVoice' : (missing ?? (busyChannelId !== null && busyChannelId !== memberChannelId ? 'elsewhere' : undefined))
  if (reason === undefined && memberChannelId !== null) return { to: 'voice', channelId: memberChannelId }
  return wanted === 'auto' ? { to: 'file' } : { to: 'nowhere', reason: reason ?? 'notInVoice' }
}
