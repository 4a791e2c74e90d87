import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { enteringState, joinRefusal, setVoiceState } from '../voice-states.ts'
import type { VoiceState, World } from '../world.ts'
import type { Switches } from '../switches.ts'
import type { Session } from './session.ts'

/** What the bot's comings and goings need of the voice server. */
export interface VoiceDoor {
  readonly endpoint: string
  admit(session: { guildId: string; channelId: string; userId: string; sessionId: string; token: string }): void
  dismiss(guildId: string, userId: string, closeCode?: number): void
}

const Id = z.string().regex(/^\d{1,20}$/)
export const VoiceStateBody = z.looseObject({
  guild_id: Id,
  channel_id: Id.nullish(),
  self_mute: z.boolean().default(false),
  self_deaf: z.boolean().default(false)
})

/** The bot's own voice: what op 4 asks for, and what people do to it. */
export interface BotVoice {
  /** Op 4. Where it may not go, nothing happens and nothing is answered: so does Discord. */
  update(session: Session, body: z.infer<typeof VoiceStateBody>): void
  /** Somebody moves the bot, or disconnects it (`null`): its voice socket closes with 4014. */
  put(guildId: string, channelId: string | null): void
  /** The voice server moves its sessions (or died): a new VOICE_SERVER_UPDATE where the bot is. */
  renew(guildId: string): void
  /** The voice server has gone away, and there is no other yet: endpoint null. */
  lose(guildId: string): void
  /** Of a session that is over: the bot leaves its channels. */
  leaveAll(sessionId: string): void
}

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

export function createBotVoice(world: World, voice: VoiceDoor, sessions: () => Iterable<Session>, switches: Pick<Switches, 'namesVoiceServer'>): BotVoice {
  const userId = world.application.id
  /** Which gateway session brought the bot into a guild's channel. */
  const owners = new Map<string, string>()

  /** Lets the bot in, tells where it is, then where to connect; in this order, as the client waits for both. */
  function enter(guildId: string, state: VoiceState): void {
    const token = hex(16)
    voice.admit({ guildId, channelId: state.channelId, userId, sessionId: state.sessionId, token })
    setVoiceState(world, guildId, userId, state)
    if (switches.namesVoiceServer) tellServer(guildId, token, voice.endpoint)
  }

  function tellServer(guildId: string, token: string, endpoint: string | null): void {
    for (const session of sessions()) session.dispatch('VOICE_SERVER_UPDATE', { token, guild_id: guildId, endpoint })
  }

  function leave(guildId: string): void {
    owners.delete(guildId)
    setVoiceState(world, guildId, userId, null)
    voice.dismiss(guildId, userId)
  }

  return {
    update(session, { guild_id: guildId, channel_id: channelId, self_mute: selfMute, self_deaf: selfDeaf }) {
      const current = world.guilds.get(guildId)?.voiceStates.get(userId)
      if (channelId === null || channelId === undefined) {
        if (current) leave(guildId)
        return
      }
      if (joinRefusal(world, guildId, channelId, userId)) return
      owners.set(guildId, session.id)
      const isThere = current?.channelId === channelId
      if (isThere && (current.selfMute !== selfMute || current.selfDeaf !== selfDeaf)) {
        setVoiceState(world, guildId, userId, { ...current, selfMute, selfDeaf })
        return
      }
      // The same place once more is a rejoin: the client lost its voice connection and wants a new session.
      const sessionId = current && !isThere ? current.sessionId : hex(16)
      const entering = enteringState(world, guildId, { userId, channelId, sessionId, selfMute, selfDeaf })
      enter(guildId, isThere ? { ...current, sessionId } : entering)
    },
    put(guildId, channelId) {
      const current = world.guilds.get(guildId)?.voiceStates.get(userId)
      if (!current) return
      if (channelId === null) { leave(guildId); return; }
      voice.dismiss(guildId, userId)
      enter(guildId, enteringState(world, guildId, { ...current, channelId }))
    },
    renew(guildId) {
      const current = world.guilds.get(guildId)?.voiceStates.get(userId)
      if (current) enter(guildId, current)
    },
    lose: (guildId) => tellServer(guildId, hex(16), null),
    leaveAll(sessionId) {
      for (const [guildId, owner] of owners) if (owner === sessionId) leave(guildId)
    }
  }
}
