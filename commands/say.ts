import { ApplicationCommandOptionType, InteractionContextType } from 'discord.js'
import type { Wanted } from '../bot/delivery/choose.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { namesOf } from '../bot/discord/guild.ts'
import { respond } from '../bot/discord/respond.ts'
import { utteranceOf } from '../bot/discord/utterance.ts'
import { suggestVoices } from '../bot/discord/voices.ts'
import { deliver } from './say/deliver.ts'
import { givenSound, soundOptions } from './voice/sound-options.ts'

/** Longer texts are refused with a friendly word, which Discord's own limit would not allow. */
const TEXT_OPTION_MAX = 6000

/** `/say`: reads what was written, chooses how it sounds, and delivers it. */
export const say: Command = {
  data: {
    ...told(
      ['say', '話す', '말하기'],
      ['Say something in your voice channel, or as an audio file', 'ボイスチャンネルで読み上げます（または音声ファイルにします）', '음성 채널에서 말하거나 오디오 파일로 만듭니다']
    ),
    contexts: [InteractionContextType.Guild],
    options: [
      {
        ...told(['text', '文章', '내용'], ['What to say', '読み上げる文章', '말할 내용']),
        type: ApplicationCommandOptionType.String,
        required: true,
        max_length: TEXT_OPTION_MAX
      },
      ...soundOptions,
      {
        ...told(
          ['deliver', '届け方', '전달'],
          ['Where it is heard; by itself your voice channel, else a recording', '届け方（指定しなければボイスチャンネル、いなければ録音）', '전달 방법 (고르지 않으면 음성 채널, 없으면 녹음)']
        ),
        type: ApplicationCommandOptionType.String,
        choices: [
          { name: 'auto', value: 'auto', name_localizations: { ja: '自動', ko: '자동' } },
          { name: 'voice', value: 'voice', name_localizations: { ja: 'ボイスチャンネル', ko: '음성 채널' } },
          { name: 'file', value: 'file', name_localizations: { ja: 'ファイル', ko: '파일' } },
          { name: 'voice message', value: 'voice-message', name_localizations: { ja: 'ボイスメッセージ', ko: '음성 메시지' } }
        ]
      }
    ]
  },

  async execute(interaction, app, t) {
    const { options, guild, user } = interaction
    const given = givenSound(interaction, app.pool, t)
    if (!given.ok) {
      await respond(interaction, { content: given.content }, app.clock)
      return
    }
    const { resolved } = options
    const uttered = utteranceOf(app, {
      guild,
      posted: { content: options.getString('text', true) },
      names: namesOf(guild, (id) => resolved?.members?.get(id)?.displayName ?? resolved?.users?.get(id)?.displayName),
      voiceOf: user.id,
      askedBy: user.id,
      sound: given.sound,
      overlong: 'refuse'
    })
    await deliver(interaction, app, t, uttered, { wanted: (options.getString('deliver') ?? 'auto') as Wanted })
  },

  autocomplete: suggestVoices
}
