import { ApplicationCommandOptionType, AttachmentBuilder, InteractionContextType, MessageFlags } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import { chooseDelivery } from '../bot/delivery/choose.ts'
import type { Missing, Wanted } from '../bot/delivery/choose.ts'
import { makeFile } from '../bot/delivery/upload.ts'
import type { App } from '../bot/discord/app.ts'
import type { Command } from '../bot/discord/command.ts'
import { tell } from '../bot/discord/dispatch.ts'
import { namesOf, openSessionIn, placeOf } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { TEXT_MAX } from '../bot/speech/reading.ts'
import { speak } from '../bot/speech/speak.ts'
import type { Utterance } from '../bot/speech/speak.ts'

type Slash = ChatInputCommandInteraction<'cached'>

/** `/say`: the whole story of a message. Refusals first, all of them known without waiting; then it is heard, or uploaded. */
export const say: Command = {
  data: {
    name: 'say',
    description: 'Say something in your voice channel, or as an audio file',
    description_localizations: { ja: 'ボイスチャンネルで読み上げます（または音声ファイルにします）', ko: '음성 채널에서 말하거나 오디오 파일로 만듭니다' },
    contexts: [InteractionContextType.Guild],
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'text',
        description: 'What to say',
        description_localizations: { ja: '読み上げる文章', ko: '말할 내용' },
        required: true,
        // Longer texts are refused with a friendly word, which Discord's own limit would not allow.
        max_length: 6000
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'voice',
        description: 'Whose voice; by itself the one that fits the text',
        description_localizations: { ja: '声（指定しなければ文章に合わせます）', ko: '목소리 (고르지 않으면 글에 맞춥니다)' },
        autocomplete: true,
        max_length: 128
      },
      {
        type: ApplicationCommandOptionType.String,
        name: 'deliver',
        description: 'Where it is heard; by itself your voice channel, else a file',
        description_localizations: { ja: '届け方（指定しなければボイスチャンネル、いなければファイル）', ko: '전달 방법 (고르지 않으면 음성 채널, 없으면 파일)' },
        choices: [
          { name: 'auto', value: 'auto', name_localizations: { ja: '自動', ko: '자동' } },
          { name: 'voice', value: 'voice', name_localizations: { ja: 'ボイスチャンネル', ko: '음성 채널' } },
          { name: 'file', value: 'file', name_localizations: { ja: 'ファイル', ko: '파일' } }
        ]
      }
    ]
  },

  async execute(interaction, app, t) {
    const spoken = speak(app.relay, {
      text: interaction.options.getString('text', true),
      voice: interaction.options.getString('voice') ?? undefined,
      names: namesOf(interaction.guild),
      deviceId: app.deviceIdOf(interaction.guildId, interaction.user.id)
    })
    if (!spoken.ok) {
      await respond(interaction, { content: spoken.reason === 'empty' ? t('refused.empty') : t('refused.tooLong', { max: TEXT_MAX }) }, app.clock)
      return
    }
    const place = placeOf(interaction.member, app.sessions)
    const delivery = chooseDelivery((interaction.options.getString('deliver') ?? 'auto') as Wanted, place)
    switch (delivery.to) {
      case 'nowhere':
        await respond(interaction, { content: refusal(delivery.reason, channelOf(place.busyChannelId ?? place.memberChannelId), t) }, app.clock)
        return
      case 'voice':
        await intoVoice(interaction, app, t, spoken.utterance, delivery.channelId)
        return
      case 'file':
        await asFile(interaction, app, t, spoken.utterance)
    }
  },

  async autocomplete(interaction, { pool }) {
    const typed = interaction.options.getFocused().toLowerCase()
    const voices = new Map(pool.nodes().flatMap(({ voices = [] }) => voices.map((voice) => [voice.id, voice] as const)))
    const found = [...voices.values()].filter(({ id, name, language }) => `${id} ${name} ${language}`.toLowerCase().includes(typed))
    await interaction.respond(found.slice(0, 25).map(({ id, name, language }) => ({ name: `${name} · ${language}`.slice(0, 100), value: id.slice(0, 100) })))
  }
}

/** The place in the queue is taken before anything is awaited: what came first is heard first. */
async function intoVoice(interaction: Slash, app: App, t: Translate, utterance: Utterance, channelId: string): Promise<void> {
  const taken = openSessionIn(interaction.guild, channelId, app.sessions).enqueue(utterance, interaction.user.id)
  const channel = channelOf(channelId)
  if (!taken.ok) {
    await respond(interaction, { content: t(`refused.${taken.reason}`) }, app.clock)
    return
  }
  try {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
  } catch (error) {
    // Its author reads that nothing happened: then nothing must.
    taken.cancel()
    throw error
  }
  // Progress is worth an attempt, no more: the speech goes on without it.
  const progress = async (content: string) => {
    await respond(interaction, { content }, app.clock).catch((error: unknown) => app.log.warn({ err: error, utterance: utterance.id }, 'progress did not reach Discord'))
  }
  await progress(t('say.speaking', { channel, ahead: taken.ahead }))
  const ending = await taken.ended
  app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: ending.outcome }, 'said')
  app.metrics.utterances.inc({ outcome: ending.outcome })
  switch (ending.outcome) {
    case 'heard':
      await progress(t('say.heard', { channel, seconds: inSeconds(ending.durationMs) }))
      return
    case 'skipped':
      await progress(t('say.skipped'))
      return
    case 'failed': {
      const why = tell(ending.error, 'say', app, t)
      const content = ending.spokenMs === 0 ? why : t('say.partly', { seconds: inSeconds(ending.spokenMs), why })
      await respond(interaction, { content, mustReach: true }, app.clock)
    }
  }
}

async function asFile(interaction: Slash, app: App, t: Translate, utterance: Utterance): Promise<void> {
  const begun = app.files.begin(utterance, interaction.user.id)
  if (!begun.ok) {
    await respond(interaction, { content: t(`refused.${begun.reason}`) }, app.clock)
    return
  }
  try {
    utterance.audio.warm()
    await interaction.deferReply()
    const { name, bytes, durationMs } = await makeFile(utterance, interaction.attachmentSizeLimit)
    const files = [new AttachmentBuilder(bytes, { name })]
    await respond(interaction, { content: t('say.file', { seconds: inSeconds(durationMs) }), files }, app.clock)
    app.metrics.utterances.inc({ outcome: 'uploaded' })
    app.log.info({ utterance: utterance.id, guild: interaction.guildId, outcome: 'uploaded' }, 'said')
  } catch (error) {
    app.metrics.utterances.inc({ outcome: 'failed' })
    throw error
  } finally {
    begun.end()
  }
}

function refusal(reason: 'notInVoice' | 'elsewhere' | Missing, channel: string, t: Translate): string {
  return reason === 'notInVoice' ? t('refused.notInVoice') : t(`refused.${reason}`, { channel })
}

function channelOf(channelId: string | null): string {
  return channelId === null ? '' : `<#${channelId}>`
}

function inSeconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(1)
}
