import type { VoiceState } from 'discord.js'
import type { App } from '../discord/app.ts'
import { translator } from '../i18n/index.ts'
import { preferringRelay } from '../speech/preferring.ts'
import { readName } from '../speech/reading/read.ts'
import { speak } from '../speech/speak.ts'
import { createBuckets } from './buckets.ts'
import { languageIn } from './notices.ts'
import { hasOthers, isPerson } from './people.ts'
import { createTurnstile } from './turnstile.ts'

/** In one server; a crowd that comes at once is not read out name by name. */
const CROWD = { burst: 8, refillMs: 5_000 }

/** Later than this it is no news that somebody came. */
const MAX_AGE_MS = 20_000

export interface Announcer {
  voiceState(before: VoiceState, after: VoiceState): void
  close(): void
}

/**
 * Says who comes to the bot's voice channel and who leaves it, to those who are there: people, not bots, and nobody who is muted for reading. Where
 * the server wants it, and in the server's language and voice.
 */
export function createAnnouncer(app: App): Announcer {
  const { clock, sessions } = app
  const crowds = createBuckets({ clock, ...CROWD })
  const relay = preferringRelay(app, () => undefined)
  const turnstile = createTurnstile(clock, announce)

  function announce({ state: { guild, id, member }, channelId }: { state: VoiceState; channelId: string }, isIn: boolean): void {
    const session = sessions.get(guild.id)
    // The bot may be elsewhere by the time when it is told.
    if (session?.channelId() !== channelId) return
    const name = member === null ? '' : readName(member.displayName, { replace: app.dictionaries.replacerFor(guild.id, id) })
    if (name === '' || !hasOthers(guild, channelId, id) || !crowds.take(guild.id).taken) return
    const botId = guild.client.user.id
    const language = languageIn(guild, app)
    const t = translator(language)
    const utterance = speak(relay, {
      text: isIn ? t('read.came', { name }) : t('read.left', { name }),
      language,
      sound: app.preferences.get({ guildId: guild.id }),
      deviceId: app.deviceIdOf(guild.id, botId)
    })
    session.enqueue(utterance, { authorId: botId, maxAgeMs: MAX_AGE_MS })
  }

  return {
    voiceState(before, after) {
      const { guild, id } = after
      const here = sessions.get(guild.id)?.channelId()
      const isIn = after.channelId === here
      if (here === undefined || before.channelId === after.channelId || (before.channelId !== here && !isIn)) return
      if (!isPerson(after) || !app.settings.get(guild.id).announces || app.mutes.of(guild.id, id) !== undefined) return
      turnstile.pass(`${guild.id} ${id}`, isIn, { state: after, channelId: here })
    },
    close: () => turnstile.close()
  }
}
