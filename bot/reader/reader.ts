import type { Message } from 'discord.js'
import { asVoxError } from '../core/errors.ts'
import type { App } from '../discord/app.ts'
import { tell } from '../discord/dispatch.ts'
import { namesOf } from '../discord/guild.ts'
import { postedOf } from '../discord/posted.ts'
import { plain } from '../discord/respond.ts'
import { translator } from '../i18n/index.ts'
import { preferringRelay } from '../speech/preferring.ts'
import { readName, readPosted } from '../speech/reading/read.ts'
import { speak } from '../speech/speak.ts'
import type { Ending } from '../voice/queue.ts'
import type { Place } from '../voice/session.ts'
import { createBuckets } from './buckets.ts'
import { guarded } from './guarded.ts'
import type { Homes } from './homes.ts'
import type { Lateness } from './lateness.ts'
import { createNaming } from './naming.ts'
import { languageIn } from './notices.ts'
import type { Notices } from './notices.ts'
import { peopleIn } from './people.ts'
import { speedFactor } from './speed.ts'
import { mutedBy, whyUnread } from './unread.ts'
import type { Result } from './unread.ts'
import { nameOf, speakerOf, writerOf } from './writer.ts'

export interface Reader {
  /** Reads a message aloud, or counts why it does not. Messages of a server are heard in the order in which this is called. */
  read(message: Message<true>): void
  /** It was deleted: it is not said, or not said any further. */
  forget(messageId: string): void
  /** The same for all that was written in a channel or thread. */
  forgetChannel(channelId: string): void
}

/** What one member may write at once, and then how often, before some of it is left out. */
const FLOOD = { burst: 10, refillMs: 2_000 }

/** A message whose turn comes later than this is about something that people no longer talk about. */
const MAX_AGE_MS = 90_000

/**
 * Messages of the channels that are read, from the post to the queue, without waiting for anything. One that is edited is said as it was first
 * posted: people hear what was written when it was written.
 */
export function createReader(app: App, { homes, notices, lateness }: { homes: Homes; notices: Notices; lateness: Lateness }): Reader {
  const { clock, metrics } = app
  const flood = createBuckets({ clock, ...FLOOD })
  const naming = createNaming(clock)
  const waiting = new Map<string, { place: Place; channelId: string }>()
  const deleted = new Set<string>()
  // A voice that is not there just now is no reason not to be read.
  const relay = preferringRelay(app, () => undefined)
  const count = (result: Result) => metrics.readMessages.inc({ result })

  /** The whole story of a message. Returns why it is not read; nothing when it waits for its turn. */
  function take(message: Message<true>): Result | undefined {
    const { guild, author, channelId } = message
    const reading = app.readings.at(channelId)
    if (reading === undefined) return 'notRead'
    const settings = app.settings.get(guild.id)
    const session = app.sessions.get(guild.id)
    const unread = whyUnread(writerOf(message, session?.channelId() ?? reading.voiceChannelId, app.mutes), settings)
    if (unread !== undefined) return unread
    if (!app.canReadMessages()) return 'noIntent'
    if (session === undefined || !homes.serves(session, reading.voiceChannelId)) return 'notHere'
    if (peopleIn(guild, session.channelId()) === 0) return 'nobody'
    const lateMs = lateness.of(message)
    if (lateMs > MAX_AGE_MS) {
      notices.tell(guild, channelId, (t) => t('read.old', { seconds: String(MAX_AGE_MS / 1000) }))
      return 'old'
    }

    const { taken, firstRefusal } = flood.take(`${guild.id} ${author.id}`)
    if (firstRefusal) notices.tell(guild, channelId, (t) => t('read.flood', { name: message.webhookId === null ? `<@${author.id}>` : plain(author.username) }))
    if (!taken) return 'flood'

    const replace = app.dictionaries.replacerFor(guild.id, author.id)
    const read = readPosted(postedOf(message), { names: namesOf(guild), rules: settings, replace, nowMs: clock.now() })
    if (!read.ok) return read.reason
    const speakerId = speakerOf(message)
    const isNamed = settings.saysName && naming.isDue(guild.id, speakerId)
    const name = isNamed ? readName(nameOf(message), { replace }) : ''

    const utterance = speak(relay, {
      text: name === '' ? read.text : `${name}. ${read.text}`,
      language: read.language,
      sound: app.preferences.soundOf(guild.id, author.id),
      deviceId: app.deviceIdOf(guild.id, author.id),
      speedFactor: settings.speedsUp ? speedFactor(session.queuedMs()) : 1
    })
    // Who was muted since, is not heard any more.
    const isUnwanted = () => app.mutes.of(guild.id, author.id) !== undefined
    const place = session.enqueue(utterance, { authorId: author.id, maxAgeMs: MAX_AGE_MS - lateMs, isUnwanted })
    if (!place.ok) {
      if (place.reason === 'queueFull') notices.tell(guild, channelId, (t) => t('read.queueFull'))
      return place.reason
    }
    if (isNamed) naming.named(guild.id, speakerId)
    waiting.set(message.id, { place, channelId })
    void place.ended.then(guarded(app, 'ending', (ending) => settle(message, ending, isNamed)))
    return undefined
  }

  function settle({ id, guild, channelId, author }: Message<true>, ending: Ending, isNamed: boolean): void {
    waiting.delete(id)
    const wasDeleted = deleted.delete(id)
    metrics.utterances.inc({ outcome: ending.outcome })
    if (isNamed && ending.outcome !== 'heard') naming.forget(guild.id)
    switch (ending.outcome) {
      case 'heard':
        count('heard')
        return
      case 'skipped': {
        const muter = app.mutes.of(guild.id, author.id)
        count(wasDeleted ? 'deleted' : muter === undefined ? 'skipped' : mutedBy(muter))
        return
      }
      case 'dropped':
        count(ending.reason)
        notices.tell(guild, channelId, (t) => t('read.old', { seconds: String(MAX_AGE_MS / 1000) }))
        return
      case 'failed': {
        count(ending.error.code === 'RESTARTING' ? 'restarting' : 'failed')
        const why = tell(ending.error, 'read', app, translator(languageIn(guild, app)))
        // The end of a session is told once, by the session.
        if (ending.error.code !== 'VOICE_CONNECTION') notices.tell(guild, channelId, (t) => t('read.failed', { why }))
      }
    }
  }

  function forget(messageId: string): void {
    const one = waiting.get(messageId)
    if (one === undefined) return
    deleted.add(messageId)
    one.place.cancel()
  }

  return {
    read(message) {
      try {
        const result = take(message)
        if (result !== undefined) count(result)
      } catch (error) {
        count('failed')
        tell(asVoxError(error), 'read', app, translator(languageIn(message.guild, app)))
      }
    },
    forget,
    forgetChannel(channelId) {
      for (const [messageId, one] of [...waiting]) if (one.channelId === channelId) forget(messageId)
    }
  }
}
