import { ApplicationCommandOptionType, ApplicationCommandType, InteractionContextType, PermissionFlagsBits } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command, Entry } from '../bot/discord/command.ts'
import { mentionOf } from '../bot/discord/mention.ts'
import { respond, rowsWithin } from '../bot/discord/respond.ts'
import { languageOf } from '../bot/i18n/index.ts'
import type { LanguageCode, Translate } from '../bot/i18n/index.ts'

/** `/help`: what the bot does, and the commands that the member may use, to click on. */
export function helpFor(entries: () => readonly Entry[]): Command {
  return {
    data: {
      ...told(['help', 'ヘルプ', '도움말'], ['What I do, and all commands', 'できることとコマンドの一覧', '할 수 있는 일과 모든 명령어']),
      contexts: [InteractionContextType.Guild]
    },
    async execute(interaction, app, t) {
      await respond(interaction, { content: helpOf(interaction, entries(), app, t) }, app.clock)
    }
  }
}

function helpOf({ locale, memberPermissions }: ChatInputCommandInteraction<'cached'>, entries: readonly Entry[], { commandIds }: App, t: Translate): string {
  const language = languageOf(locale)
  // Discord takes `0` for administrators alone.
  const mayUse = (needed: string) => memberPermissions.has(BigInt(needed) || PermissionFlagsBits.Administrator)
  const visible = entries.filter(({ data: { default_member_permissions: needed } }) => needed === undefined || needed === null || mayUse(needed))
  const rows = visible.flatMap((entry) => ('execute' in entry ? [rowOf(entry.data, commandIds, language)] : []))
  const menus = visible.flatMap(({ data }) => (data.type === ApplicationCommandType.Message ? [`**${localised(data.name, data.name_localizations, language)}**`] : []))
  return [
    t('help.intro', { say: mentionOf(commandIds, 'say') }),
    rowsWithin(rows, (left) => t('help.more', { count: left }), LIST_MAX_CHARS),
    ...(menus.length > 0 ? [t('help.menu', { list: menus.join(', ') })] : [])
  ].join('\n')
}

/** Discord takes 2,000 characters a message; the lines around the list need some. */
const LIST_MAX_CHARS = 1600

/** A command with subcommands can be clicked by its first one alone; the others stand behind it. */
function rowOf(data: Command['data'], ids: ReadonlyMap<string, string>, language: LanguageCode): string {
  const below = data.options?.filter(({ type }) => type === ApplicationCommandOptionType.Subcommand || type === ApplicationCommandOptionType.SubcommandGroup) ?? []
  const [first, ...others] = below
  const isClickable = first === undefined || first.type === ApplicationCommandOptionType.Subcommand
  const mention = isClickable ? mentionOf(ids, data.name, ...(first === undefined ? [] : [first.name])) : `\`/${data.name}\``
  const names = others.map(({ name, name_localizations }) => localised(name, name_localizations, language))
  return `${[mention, ...names].join(' · ')}: ${localised(data.description, data.description_localizations, language)}`
}

function localised(text: string, others: Partial<Record<string, string | null>> | null | undefined, language: LanguageCode): string {
  return others?.[language] ?? text
}
