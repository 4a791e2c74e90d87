import { ApplicationCommandOptionType, InteractionContextType, MessageFlags } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { respond } from '../bot/discord/respond.ts'
import type { Reply } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { pageOf, search } from './dictionary/browse.ts'
import { add, remove, suggestEntries } from './dictionary/edit.ts'
import { exportFile, importFile } from './dictionary/exchange.ts'
import { addOptions, exportOptions, importOptions, removeOptions, searchOptions, trialOptions } from './dictionary/options.ts'
import { scopeOption } from './dictionary/scope.ts'
import { trial } from './dictionary/trial.ts'

const subcommand = (...what: Parameters<typeof told>) => ({ ...told(...what), type: ApplicationCommandOptionType.Subcommand as const })

/** `/dictionary`: how words are spoken, for a member, a server or everybody. */
export const dictionary: Command = {
  data: {
    ...told(['dictionary', '辞書', '사전'], ['How words are spoken', '単語の読み方', '낱말을 어떻게 읽을지']),
    contexts: [InteractionContextType.Guild],
    options: [
      { ...subcommand(['add', '追加', '추가'], ['Say how a word is spoken', '単語の読み方を登録します', '낱말을 어떻게 읽을지 정합니다']), options: addOptions },
      { ...subcommand(['remove', '削除', '삭제'], ['Remove an entry', '登録を削除します', '등록한 낱말을 지웁니다']), options: removeOptions },
      { ...subcommand(['list', '一覧', '목록'], ['All entries, page by page', '登録の一覧を表示します', '등록한 낱말을 모두 보여 줍니다']), options: [scopeOption] },
      { ...subcommand(['search', '検索', '검색'], ['Find entries', '登録を探します', '등록한 낱말을 찾습니다']), options: searchOptions },
      { ...subcommand(['import', 'インポート', '가져오기'], ['Read entries from a file (CSV, JSON, VOICEVOX)', 'ファイルから登録します（CSV・JSON・VOICEVOX）', '파일에서 가져옵니다 (CSV, JSON, VOICEVOX)']), options: importOptions },
      { ...subcommand(['export', 'エクスポート', '내보내기'], ['All entries as a file', '登録をファイルにします', '등록한 낱말을 파일로 만듭니다']), options: exportOptions },
      { ...subcommand(['test', 'テスト', '시험'], ['See what would be spoken', 'どう読まれるかを表示します', '어떻게 읽히는지 보여 줍니다']), options: trialOptions }
    ]
  },

  async execute(interaction, app, t) {
    const action = interaction.options.getSubcommand()
    if (action === 'import') await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    await respond(interaction, await replyTo(action, interaction, app, t), app.clock)
  },

  async component(interaction, app, t) {
    const [, action, name, page] = interaction.customId.split(':')
    if (!interaction.isButton() || action !== 'list') return
    await interaction.update({ components: [], ...pageOf(name, Number(page) || 0, interaction.member, app, t), allowedMentions: { parse: [] } })
  },

  autocomplete: suggestEntries
}

async function replyTo(action: string, interaction: ChatInputCommandInteraction<'cached'>, app: App, t: Translate): Promise<Reply> {
  switch (action) {
    case 'add':
      return { content: add(interaction, app, t) }
    case 'remove':
      return { content: remove(interaction, app, t) }
    case 'search':
      return { content: search(interaction, app, t) }
    case 'import':
      return { content: await importFile(interaction, app, t) }
    case 'export':
      return exportFile(interaction, app, t)
    case 'test':
      return { content: trial(interaction, app, t) }
    default:
      return pageOf(interaction.options.getString('scope'), 0, interaction.member, app, t)
  }
}
