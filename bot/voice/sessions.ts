import type { DiscordGatewayAdapterCreator } from '@discordjs/voice'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Metrics } from '../core/metrics.ts'
import { openSession } from './session.ts'
import type { Session } from './session.ts'

export interface Sessions {
  get(guildId: string): Session | undefined
  /** The guild's session in this channel: the one that is there, or a new one. A session in another channel of the guild is left first. */
  open(guildId: string, channelId: string, adapterCreator: DiscordGatewayAdapterCreator): Session
  all(): readonly Session[]
  closeAll(): void
}

export function createSessions(deps: { clock: Clock; log: Log; metrics: Metrics }): Sessions {
  const sessions = new Map<string, Session>()
  return {
    get: (guildId) => sessions.get(guildId),
    open(guildId, channelId, adapterCreator) {
      const there = sessions.get(guildId)
      if (there?.channelId() === channelId) return there
      there?.leave()
      const onClosed = () => {
        if (sessions.get(guildId) === session) sessions.delete(guildId)
        deps.metrics.sessions.set(sessions.size)
      }
      const session: Session = openSession({ ...deps, guildId, channelId, adapterCreator, onClosed })
      sessions.set(guildId, session)
      deps.metrics.sessions.set(sessions.size)
      return session
    },
    all: () => [...sessions.values()],
    closeAll() {
      for (const session of sessions.values()) session.leave()
    }
  }
}
