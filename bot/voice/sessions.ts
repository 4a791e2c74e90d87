import type { GuildView } from './guild-view.ts'
import type { OverReason } from './over.ts'
import { openSession } from './session.ts'
import type { Session, SessionOptions } from './session.ts'
import { createWishes } from './wishes.ts'

/** A session that ended by something else than our own leaving. */
export interface Over {
  guildId: string
  channelId: string
  reason: OverReason
  /** The text channel where people are told. */
  tellIn: string | undefined
}

export interface Sessions {
  get(guildId: string): Session | undefined
  /**
   * The guild's session in this channel: the one that is there, or a new one. A session in another channel of the guild is left first.
   * @param where `tellIn` is the text channel for the one message when the session ends by itself; the newest one given counts
   */
  open(where: { view: GuildView; channelId: string; tellIn?: string }): Session
  all(): readonly Session[]
  /** Lets every session finish what plays, at most this long, and leaves. */
  closeAll(limitMs: number): Promise<void>
}

/** @param deps `onOver` is told once of each session that ends by itself */
export function createSessions(deps: Pick<SessionOptions, 'clock' | 'pacer' | 'log' | 'metrics'> & { onOver: (over: Over) => void }): Sessions {
  const sessions = new Map<string, Session>()
  const tellIn = new WeakMap<Session, string>()
  const wishes = createWishes(deps.clock)

  /** One that has been put out of its channel can do nothing for what is said now. */
  function useful(session: Session | undefined, channelId: string): Session | undefined {
    if (session === undefined) return undefined
    const state = session.connection()
    const isOut = state.status === 'displaced' && state.out
    if (!isOut && session.channelId() === channelId) return session
    session.leave(isOut ? 'displaced' : undefined)
    return undefined
  }

  return {
    get: (guildId) => sessions.get(guildId),
    open({ view, channelId, tellIn: newest }) {
      const { guildId } = view
      const onClosed = (reason: OverReason | undefined) => {
        if (sessions.get(guildId) === session) sessions.delete(guildId)
        deps.metrics.sessions.set(sessions.size)
        if (reason === undefined) return
        deps.metrics.sessionsOver.inc({ reason })
        deps.onOver({ guildId, channelId: session.channelId(), reason, tellIn: tellIn.get(session) })
      }
      const there = useful(sessions.get(guildId), channelId)
      const session: Session = there ?? openSession({ ...deps, wishes, view, channelId, onClosed })
      sessions.set(guildId, session)
      deps.metrics.sessions.set(sessions.size)
      if (newest !== undefined) tellIn.set(session, newest)
      return session
    },
    all: () => [...sessions.values()],
    async closeAll(limitMs) {
      await Promise.all([...sessions.values()].map((session) => session.finish(limitMs)))
      for (const session of sessions.values()) session.leave()
    }
  }
}
