import { openSession } from './session.ts'
import type { Session, SessionOptions } from './session.ts'

export interface Sessions {
  get(guildId: string): Session | undefined
  /** The guild's session in this channel: the one that is there, or a new one. A session in another channel of the guild is left first. */
  open(where: Pick<SessionOptions, 'guildId' | 'channelId' | 'adapterCreator' | 'hasPeople'>): Session
  all(): readonly Session[]
  /** Lets every session finish what plays, at most this long, and leaves. */
  closeAll(limitMs: number): Promise<void>
}

export function createSessions(deps: Pick<SessionOptions, 'clock' | 'log' | 'metrics'>): Sessions {
  const sessions = new Map<string, Session>()
  return {
    get: (guildId) => sessions.get(guildId),
    open(where) {
      const { guildId, channelId } = where
      const there = sessions.get(guildId)
      if (there?.channelId() === channelId) return there
      there?.leave()
      const onClosed = () => {
        if (sessions.get(guildId) === session) sessions.delete(guildId)
        deps.metrics.sessions.set(sessions.size)
      }
      const session: Session = openSession({ ...deps, ...where, onClosed })
      sessions.set(guildId, session)
      deps.metrics.sessions.set(sessions.size)
      return session
    },
    all: () => [...sessions.values()],
    async closeAll(limitMs) {
      await Promise.all([...sessions.values()].map((session) => session.finish(limitMs)))
      for (const session of sessions.values()) session.leave()
    }
  }
}
