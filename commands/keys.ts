import { ApplicationCommandOptionType, InteractionContextType, MessageFlags, PermissionFlagsBits } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { cut, plain, respond, rowsWithin } from '../bot/discord/respond.ts'
import { KEYS_MAX } from '../bot/entry/keys/api-keys.ts'
import type { Translate } from '../bot/i18n/index.ts'
import type { ApiKey } from '../bot/members/api-key.ts'

const subcommand = (...what: Parameters<typeof told>) => ({ ...told(...what), type: ApplicationCommandOptionType.Subcommand as const })

const number = { type: ApplicationCommandOptionType.Integer as const, min_value: 1 }
const PER_MINUTE_MAX = 100_000
const CONCURRENCY_MAX = 32

/** `/keys`: who may speak through the entry. Admins of the bot only; what it answers is seen by them alone. */
export const keys: Command = {
  data: {
    ...told(['keys', 'キー', '키'], ['API keys for programs that speak (admins only)', '読み上げを使うプログラムのAPIキー（管理者のみ）', '말하기를 쓰는 프로그램의 API 키 (관리자 전용)']),
    contexts: [InteractionContextType.Guild],
    // Hidden from everybody else by default; whoever a server shows it to is still refused by the check below.
    default_member_permissions: PermissionFlagsBits.Administrator.toString(),
    options: [
      {
        ...subcommand(['make', '作成', '만들기'], ['Make a key; it is shown once', 'キーを作ります（表示は一度だけ）', '키를 만듭니다 (한 번만 보여요)']),
        options: [
          {
            ...told(['name', '名前', '이름'], ['Whom it is for', '何に使うキーか', '무엇에 쓰는 키인지']),
            type: ApplicationCommandOptionType.String,
            required: true,
            max_length: 64
          },
          { ...number, ...told(['per_minute', '毎分', '분당'], ['Requests a minute (60)', '1分あたりの件数（60）', '1분에 몇 건까지 (60)']), max_value: PER_MINUTE_MAX },
          { ...number, ...told(['concurrency', '同時', '동시'], ['Requests at once (4)', '同時に受け付ける件数（4）', '동시에 몇 건까지 (4)']), max_value: CONCURRENCY_MAX }
        ]
      },
      subcommand(['list', '一覧', '목록'], ['All keys, without their secrets', 'キーの一覧（中身は表示しません）', '키 목록 (내용은 보이지 않아요)']),
      {
        ...subcommand(['revoke', '取消', '취소'], ['Take a key back at once', 'キーをすぐに使えなくします', '키를 바로 못 쓰게 합니다']),
        options: [
          {
            ...told(['key', 'キー', '키'], ['Its id', 'キーのID', '키 ID']),
            type: ApplicationCommandOptionType.String,
            required: true,
            autocomplete: true,
            max_length: 64
          }
        ]
      }
    ]
  },

  async execute(interaction, app, t) {
    if (!app.isAdmin(interaction.user.id)) {
      await respond(interaction, { content: t('refused.notAdmin') }, app.clock)
      return
    }
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    await respond(interaction, { content: contentOf(interaction, app, t) }, app.clock)
  },

  async autocomplete(interaction, app) {
    const typed = interaction.options.getFocused().toLowerCase()
    const found = app.isAdmin(interaction.user.id) ? app.apiKeys.list().filter(({ id, name }) => `${id} ${name}`.toLowerCase().includes(typed)) : []
    await interaction.respond(found.slice(0, 25).map(({ id, name }) => ({ name: cut(`${name} ${id}`, 100), value: id })))
  }
}

function contentOf({ options }: ChatInputCommandInteraction<'cached'>, app: App, t: Translate): string {
  const action = options.getSubcommand()
  if (action === 'make') return make(options.getString('name', true), { perMinute: options.getInteger('per_minute'), concurrency: options.getInteger('concurrency') }, app, t)
  return action === 'revoke' ? revoke(options.getString('key', true), app, t) : list(app, t)
}

function make(name: string, { perMinute, concurrency }: { perMinute: number | null; concurrency: number | null }, { apiKeys }: App, t: Translate): string {
  const made = apiKeys.make(name.trim(), { ...(perMinute !== null && { perMinute }), ...(concurrency !== null && { concurrency }) })
  if (made === undefined) return t('keys.tooMany', { max: KEYS_MAX })
  return [t('keys.made', shown(made.key)), t('keys.secret', { value: made.secret }), t('keys.care')].join('\n')
}

function list({ apiKeys }: App, t: Translate): string {
  const all = apiKeys.list()
  if (all.length === 0) return t('keys.none')
  const rows = all.map((key) => {
    const from = sinceOf(key.createdAtMs)
    const used = key.usedAtMs === null ? t('keys.row.unused', { from }) : t('keys.row.made', { from, seen: sinceOf(key.usedAtMs) })
    return `${t('keys.row', shown(key))}\n${used}`
  })
  return rowsWithin(rows, (count) => t('keys.more', { count }))
}

/** By its id, or by its name where only one has it. */
function revoke(asked: string, { apiKeys }: App, t: Translate): string {
  const all = apiKeys.list()
  const named = all.filter(({ name }) => name === asked)
  const key = all.find(({ id }) => id === asked) ?? (named.length === 1 ? named[0] : undefined)
  if (key === undefined || !apiKeys.revoke(key.id)) return t('keys.unknown', { id: asked.replaceAll('`', '') })
  return t('keys.revoked', shown(key))
}

function shown({ id, name, perMinute, concurrency }: ApiKey) {
  return { id, name: plain(name) || '–', count: perMinute, max: concurrency }
}

/** How long ago that was, as each client says it. */
function sinceOf(atMs: number): string {
  return `<t:${String(Math.floor(atMs / 1000))}:R>`
}
