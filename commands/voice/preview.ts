import { ActionRowBuilder, ButtonBuilder, ButtonStyle } from 'discord.js'
import type { ChatInputCommandInteraction, MessageActionRowComponentBuilder } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { namesOf } from '../../bot/discord/guild.ts'
import { sendPrivately } from '../../bot/discord/private-recording.ts'
import { respond } from '../../bot/discord/respond.ts'
import { utteranceOf } from '../../bot/discord/utterance.ts'
import { voicesOf } from '../../bot/discord/voices.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { Sound } from '../../bot/members/preferences.ts'
import { ANY_VOICE, SpeechRequest } from '../../bot/wire/node.ts'
import { sampleFor } from './sample.ts'
import { givenSound } from './sound-options.ts'
import { voiceName } from './summary.ts'

/** What a voice sounds like, for the ears of who asks alone: a recording in an ephemeral answer, and a button that keeps what was tried. */
export async function preview(interaction: ChatInputCommandInteraction<'cached'>, app: App, t: Translate): Promise<void> {
  const { guild, user, locale, options } = interaction
  const given = givenSound(interaction, app.pool, t)
  if (!given.ok) {
    await respond(interaction, { content: given.content }, app.clock)
    return
  }
  const voice = given.sound.voice ?? app.preferences.soundOf(guild.id, user.id).voice ?? ANY_VOICE
  const language = voicesOf(app.pool).find(({ id }) => id === voice)?.language
  const uttered = utteranceOf(app, {
    guild,
    posted: { content: options.getString('text') ?? sampleFor(language, locale) },
    names: namesOf(guild),
    voiceOf: user.id,
    askedBy: user.id,
    sound: given.sound,
    overlong: 'refuse'
  })
  if (!uttered.ok) {
    await respond(interaction, { content: t('refused.empty') }, app.clock)
    return
  }
  const caption = (seconds: string) => {
    const missing = uttered.missing()
    const name = voiceName(missing === undefined ? voice : ANY_VOICE, app.pool, t)
    return [t('voice.preview', { name, seconds }), ...(missing === undefined ? [] : [t('voice.away', { name: voiceName(missing, app.pool, t) })])].join('\n')
  }
  await sendPrivately(interaction, app, t, uttered.utterance, { caption, components: keepButton(given.sound, t) })
}

/** Discord's limit. */
const CUSTOM_ID_MAX_CHARS = 100

function keepButton({ voice, speed, pitch, volume }: Sound, t: Translate): ActionRowBuilder<MessageActionRowComponentBuilder>[] {
  const customId = ['voice', 'use', speed, pitch, volume, voice].join(':')
  if (voice === undefined || customId.length > CUSTOM_ID_MAX_CHARS) return []
  const button = new ButtonBuilder({ customId, label: t('voice.use'), style: ButtonStyle.Primary })
  return [new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(button)]
}

/** What such a button keeps, from the parts of its id behind `voice:use`; nothing when it is not one of ours. An id of a voice may have colons. */
export function soundOfButton([speed = '', pitch = '', volume = '', ...voice]: readonly string[]): Sound | undefined {
  const numbers = Object.entries({ speed, pitch, volume }).flatMap(([name, text]) => (text === '' ? [] : [[name, Number(text)] as const]))
  const sound = { ...Object.fromEntries(numbers), voice: voice.join(':') }
  return SpeechRequest.safeParse({ input: '-', ...sound }).success ? sound : undefined
}
