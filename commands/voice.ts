import { ApplicationCommandOptionType, InteractionContextType } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { respond } from '../bot/discord/respond.ts'
import { suggestVoices } from '../bot/discord/voices.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { listOf } from './voice/list.ts'
import { preview, soundOfButton } from './voice/preview.ts'
import { mayChange, scopeOf, scopeOption } from './voice/scope.ts'
import type { ScopeName } from './voice/scope.ts'
import { givenSound, soundOptions } from './voice/sound-options.ts'
import { summaryOf } from './voice/summary.ts'

type Slash = ChatInputCommandInteraction<'cached'>

const PREVIEW_TEXT_MAX = 200

const subcommand = (...what: Parameters<typeof told>) => ({ ...told(...what), type: ApplicationCommandOptionType.Subcommand as const })

/** `/voice`: how a member sounds, everywhere or in one server, and the server's default. */
export const voice: Command = {
  data: {
    ...told(['voice', '声', '목소리'], ['Choose how you sound', '声の設定', '내 목소리를 고릅니다']),
    contexts: [InteractionContextType.Guild],
    options: [
      {
        ...subcommand(['set', '設定', '설정'], ['Choose your voice, its speed, pitch and volume', '声・速さ・高さ・音量を決めます', '목소리, 속도, 높이, 음량을 정합니다']),
        options: [...soundOptions, scopeOption]
      },
      subcommand(['show', '表示', '보기'], ['How you sound here, and why', 'ここでの声と、その理由を表示します', '여기에서 내 목소리와 그 까닭을 보여 줍니다']),
      subcommand(['list', '一覧', '목록'], ['All voices by language', '声の一覧を言語ごとに表示します', '모든 목소리를 언어별로 보여 줍니다']),
      {
        ...subcommand(['preview', '試聴', '미리듣기'], ['Hear a voice; only you can hear it', '声を試聴します（あなただけに聞こえます）', '목소리를 들어 봅니다 (나만 들을 수 있어요)']),
        options: [
          ...soundOptions,
          {
            ...told(['text', '文章', '내용'], ['What it says; by itself a greeting', '読み上げる文章（指定しなければあいさつ）', '말할 내용 (고르지 않으면 인사말)']),
            type: ApplicationCommandOptionType.String,
            max_length: PREVIEW_TEXT_MAX
          }
        ]
      },
      {
        ...subcommand(['reset', 'リセット', '초기화'], ['Forget what was chosen', '決めたものを消します', '정한 것을 지웁니다']),
        options: [scopeOption]
      }
    ]
  },

  async execute(interaction, app, t) {
    switch (interaction.options.getSubcommand()) {
      case 'set':
        await set(interaction, app, t)
        return
      case 'show':
        await respond(interaction, { content: summaryOf(interaction.member, app, t) }, app.clock)
        return
      case 'list':
        await respond(interaction, listOf(app.pool, interaction.locale, t, 0), app.clock)
        return
      case 'preview':
        await preview(interaction, app, t)
        return
      case 'reset':
        await reset(interaction, app, t)
    }
  },

  async component(interaction, app, t) {
    if (!interaction.isButton()) return
    const [, action, ...rest] = interaction.customId.split(':')
    if (action === 'list') {
      await interaction.update({ ...listOf(app.pool, interaction.locale, t, Number(rest[0]) || 0), allowedMentions: { parse: [] } })
    }
    const sound = action === 'use' ? soundOfButton(rest) : undefined
    if (sound === undefined) return
    const scope = scopeOf('everywhere', interaction.member)
    app.preferences.set(scope, { ...app.preferences.get(scope), ...sound })
    await respond(interaction, { content: `${t('voice.saved.everywhere')}\n${summaryOf(interaction.member, app, t)}` }, app.clock)
  },

  autocomplete: suggestVoices
}

async function set(interaction: Slash, app: App, t: Translate): Promise<void> {
  const name = (interaction.options.getString('scope') ?? 'everywhere') as ScopeName
  const given = givenSound(interaction, app.pool, t)
  const content = () => {
    if (!given.ok) return given.content
    if (Object.keys(given.sound).length === 0) return t('voice.nothing')
    if (!mayChange(name, interaction.member, app)) return t('refused.notManager')
    const scope = scopeOf(name, interaction.member)
    app.preferences.set(scope, { ...app.preferences.get(scope), ...given.sound })
    return `${t(`voice.saved.${name}`)}\n${summaryOf(interaction.member, app, t)}`
  }
  await respond(interaction, { content: content() }, app.clock)
}

/** Without a scope all that is the member's own goes; a server's default only where it is named. */
async function reset(interaction: Slash, app: App, t: Translate): Promise<void> {
  const name = interaction.options.getString('scope') as ScopeName | null
  const content = () => {
    if (name !== null && !mayChange(name, interaction.member, app)) return t('refused.notManager')
    for (const each of name === null ? (['here', 'everywhere'] as const) : [name]) app.preferences.set(scopeOf(each, interaction.member), {})
    return `${t(`voice.reset.${name ?? 'all'}`)}\n${summaryOf(interaction.member, app, t)}`
  }
  await respond(interaction, { content: content() }, app.clock)
}
