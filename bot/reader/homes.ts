import type { Session } from '../voice/session.ts'

export interface Homes {
  /** The channel where the session was first seen. */
  of(session: Session): string
  /** Whether what is read to this voice channel is heard in this session. */
  serves(session: Session, voiceChannelId: string): boolean
}

/**
 * Where sessions belong. A moderator may drag the bot to another channel: what is read to the one that it came for is read where it is now, for the
 * people moved with it or wanted it there. Nothing that is kept changes: when it leaves and comes again, it comes to the channel that was chosen.
 */
export function createHomes(): Homes {
  const homes = new WeakMap<Session, string>()
  const of = (session: Session): string => {
    const home = homes.get(session) ?? session.channelId()
    homes.set(session, home)
    return home
  }
  return { of, serves: (session, voiceChannelId) => of(session) === voiceChannelId || session.channelId() === voiceChannelId }
}
