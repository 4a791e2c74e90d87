import type { Client, Guild, VoiceState } from 'discord.js'
import type { App } from '../discord/app.ts'
import { missingIn, openSessionIn } from '../discord/guild.ts'
import type { Session } from '../voice/session.ts'
import type { Homes } from './homes.ts'
import type { Notices } from './notices.ts'
import { isPerson, peopleIn } from './people.ts'

/** Who drops out and comes back within this time finds the bot where it was. */
const GRACE_MS = 10_000

/** How often the bot looks which of its channels have long been silent. */
const IDLE_LOOK_MS = 15_000

/** After a start the bot enters one channel a second: Discord takes 120 payloads a minute from a bot, heartbeats and all. */
const RETURN_EVERY_MS = 1_000

export interface Attendance {
  /** Somebody came, went or was moved, the bot too. */
  voiceState(before: VoiceState, after: VoiceState): void
  /** After a start, or an outage: to the channel of this server where it read, if people are there; one server after the other. */
  returnTo(guild: Guild): void
  close(): void
}

/**
 * When the bot comes to a voice channel and when it leaves. It comes when the first person enters the channel of a reading, and to no other where
 * people listen; so who sends it away with `/leave` is not overruled before everybody has left. It leaves ten seconds after the last person, and
 * after `idleMinutes` without a word, whatever brought it.
 */
export function createAttendance(client: Client, app: App, { homes, notices }: { homes: Homes; notices: Notices }): Attendance {
  const { clock, sessions, settings, readings } = app
  const graces = new Map<string, () => void>()
  const returning: Guild[] = []
  let cancelReturn: (() => void) | undefined
  let cancelIdle = clock.after(IDLE_LOOK_MS, lookForIdle)

  /** The channels that something is read to in this server, each once. */
  const placesOf = (guild: Guild) => [...new Set(readings.of(guild.id).map(({ voiceChannelId }) => voiceChannelId))]
  const textChannelOf = (guild: Guild, voiceChannelId: string) => readings.of(guild.id).find((reading) => reading.voiceChannelId === voiceChannelId)?.textChannelId
  const hasListeners = (guild: Guild, session: Session) => peopleIn(guild, session.channelId()) > 0

  /** Enters a channel that something is read to; says in the text channel why it can't. */
  function enter(guild: Guild, voiceChannelId: string): void {
    const textChannelId = textChannelOf(guild, voiceChannelId)
    const channel = guild.channels.cache.get(voiceChannelId)
    if (textChannelId === undefined || channel?.isVoiceBased() !== true || !app.canReadMessages()) return
    const missing = missingIn(channel)
    if (missing !== undefined) {
      notices.tell(guild, textChannelId, (t) => t(`refused.${missing}`, { channel: `<#${voiceChannelId}>` }))
      return
    }
    sessions.get(guild.id)?.stop()
    openSessionIn(guild, voiceChannelId, sessions, textChannelId)
  }

  function comeToFirst(guild: Guild, voiceChannelId: string): void {
    const session = sessions.get(guild.id)
    if (peopleIn(guild, voiceChannelId) !== 1 || !settings.get(guild.id).autoJoin) return
    if (session === undefined || (session.channelId() !== voiceChannelId && !hasListeners(guild, session))) enter(guild, voiceChannelId)
  }

  function lookForEmpty(guild: Guild): void {
    const session = sessions.get(guild.id)
    if (session === undefined || hasListeners(guild, session) || !settings.get(guild.id).autoLeave) {
      graces.get(guild.id)?.()
      graces.delete(guild.id)
    } else if (!graces.has(guild.id)) {
      graces.set(guild.id, clock.after(GRACE_MS, () => {
        graces.delete(guild.id)
        const now = sessions.get(guild.id)
        if (now === undefined || hasListeners(guild, now)) return
        leave(now)
        const elsewhere = settings.get(guild.id).autoJoin ? placesOf(guild).find((place) => peopleIn(guild, place) > 0) : undefined
        if (elsewhere !== undefined) enter(guild, elsewhere)
      }))
    }
  }

  function leave(session: Session): void {
    session.stop()
    session.leave()
  }

  function lookForIdle(): void {
    cancelIdle = clock.after(IDLE_LOOK_MS, lookForIdle)
    for (const session of sessions.all()) {
      const { idleMinutes } = settings.get(session.guildId)
      if (idleMinutes === 0 || session.silentMs() < idleMinutes * 60_000) continue
      const guild = client.guilds.cache.get(session.guildId)
      const textChannelId = guild && textChannelOf(guild, homes.of(session))
      if (guild !== undefined && textChannelId !== undefined) notices.tell(guild, textChannelId, (t) => t('read.idle', { channel: `<#${session.channelId()}>` }))
      leave(session)
    }
  }

  function returnToNext(): void {
    cancelReturn = undefined
    for (let guild = returning.shift(); guild !== undefined; guild = returning.shift()) {
      if (!goBack(guild)) continue
      cancelReturn = clock.after(RETURN_EVERY_MS, returnToNext)
      return
    }
  }

  /** False when there is no reason to be there. */
  function goBack(guild: Guild): boolean {
    if (sessions.get(guild.id) !== undefined) return false
    const last = app.stays.of(guild.id)
    const { autoJoin } = settings.get(guild.id)
    const places = placesOf(guild).filter((place) => peopleIn(guild, place) > 0 && (autoJoin || place === last))
    const place = places.find((each) => each === last) ?? places[0]
    if (place !== undefined) enter(guild, place)
    return place !== undefined
  }

  return {
    voiceState(before, after) {
      const { guild, channelId } = after
      const hasMoved = before.channelId !== channelId
      if (after.id === guild.client.user.id) {
        const session = sessions.get(guild.id)
        if (session !== undefined) homes.of(session)
      } else if (hasMoved && channelId !== null && isPerson(after)) comeToFirst(guild, channelId)
      lookForEmpty(guild)
      if (hasMoved && after.id === guild.client.user.id) app.stays.set(guild.id, channelId)
    },
    returnTo(guild) {
      returning.push(guild)
      if (cancelReturn === undefined) returnToNext()
    },
    close() {
      cancelIdle()
      cancelReturn?.()
      returning.splice(0)
      for (const cancel of graces.values()) cancel()
      graces.clear()
    }
  }
}
