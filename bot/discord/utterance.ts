import type { Guild } from 'discord.js'
import type { Sound } from '../members/preferences.ts'
import { preferringRelay } from '../speech/preferring.ts'
import type { Names } from '../speech/reading/names.ts'
import type { Posted } from '../speech/reading/posted.ts'
import { TEXT_MAX, readPosted } from '../speech/reading/read.ts'
import { speak } from '../speech/speak.ts'
import type { Utterance } from '../speech/speak.ts'
import type { App } from './app.ts'

export interface ToUtter {
  guild: Guild
  posted: Posted
  names: Names
  /** Whose voice and whose dictionary. */
  voiceOf: string
  /** Who asked for it: it is their node that speaks. */
  askedBy: string
  /** What was asked for now, before anybody's preferences. A voice that is asked for is that voice or none. */
  sound?: Sound
  /** What is longer than may be said at once is cut, or refused. */
  overlong: 'cut' | 'refuse'
}

/** `missing`: the preferred voice in whose place another one speaks. */
export type Uttered = { ok: true; utterance: Utterance; missing: () => string | undefined } | { ok: false; reason: 'empty' | 'tooLong' }

/** A text or a message that somebody wants to be said whole, in a member's own sound: by server, by member, by what is asked for now. */
export function utteranceOf(app: App, { guild, posted, names, voiceOf, askedBy, sound = {}, overlong }: ToUtter): Uttered {
  const read = readPosted(posted, {
    names,
    // Who asks for it wants to hear it: neither a prefix nor the length of what is read by itself counts.
    rules: { ...app.settings.get(guild.id), maxLength: TEXT_MAX, skipPrefix: '' },
    replace: app.dictionaries.replacerFor(guild.id, voiceOf),
    nowMs: app.clock.now(),
    overlong
  })
  if (!read.ok) return { ok: false, reason: read.reason === 'tooLong' ? 'tooLong' : 'empty' }
  let missing: string | undefined
  const relay = sound.voice === undefined ? preferringRelay(app, (voice) => (missing = voice)) : app.relay
  const utterance = speak(relay, {
    text: read.text,
    language: read.language,
    sound: { ...app.preferences.soundOf(guild.id, voiceOf), ...sound },
    deviceId: app.deviceIdOf(guild.id, askedBy)
  })
  return { ok: true, utterance, missing: () => missing }
}
