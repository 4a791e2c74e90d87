import { ApplicationCommandOptionType, InteractionContextType, MessageFlags, PermissionFlagsBits } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../bot/discord/app.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { cut, respond } from '../bot/discord/respond.ts'
import type { Reply } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import type { PoolNode } from '../bot/nodes/node.ts'
import { drain } from './nodes/drain.ts'
import { listOf } from './nodes/list.ts'
import { press, showPanel } from './nodes/press.ts'
import { setEnabled } from './nodes/registry-word.ts'
import { rename } from './nodes/rename.ts'
import { codeOf } from './nodes/row.ts'
import { showOf } from './nodes/show.ts'
import { test } from './nodes/test.ts'

const subcommand = (...what: Parameters<typeof told>) => ({ ...told(...what), type: ApplicationCommandOptionType.Subcommand as const })

const nodeOption = {
  ...told(['node', 'ノード', '노드'], ['Its id', 'ノードのID', '노드 ID']),
  type: ApplicationCommandOptionType.String as const,
  required: true,
  autocomplete: true,
  max_length: 64
}

/** `/nodes`: what the operator does on the day: look, take a node out, bring it back. Admins of the bot only, wherever they are. */
export const nodes: Command = {
  data: {
    ...told(['nodes', 'ノード', '노드'], ['The nodes that speak (admins only)', '読み上げノードの管理（管理者のみ）', '말하는 노드 관리 (관리자 전용)']),
    contexts: [InteractionContextType.Guild],
    // Hidden from everybody else by default; whoever a server shows it to is still refused by the check below.
    default_member_permissions: PermissionFlagsBits.Administrator.toString(),
    options: [
      subcommand(['list', '一覧', '목록'], ['All nodes with state and load', 'すべてのノードの状態と負荷', '모든 노드의 상태와 부하']),
      { ...subcommand(['show', '詳細', '보기'], ['Everything about one node', '1つのノードの詳細', '노드 하나의 자세한 정보']), options: [nodeOption] },
      { ...subcommand(['enable', '有効', '켜기'], ['Let members use a node again', 'ノードを使えるようにします', '노드를 다시 쓰게 합니다']), options: [nodeOption] },
      { ...subcommand(['disable', '無効', '끄기'], ['Take a node out at once', 'ノードをすぐに外します', '노드를 바로 뺍니다']), options: [nodeOption] },
      {
        ...subcommand(
          ['drain', '退避', '비우기'],
          ['Move a node’s members away without a gap, then take it out', '使っている人を途切れさせずに移してから、ノードを外します', '쓰던 사람을 끊김 없이 옮긴 뒤 노드를 뺍니다']
        ),
        options: [
          nodeOption,
          {
            ...told(['force', '強制', '강제'], ['Even if no other node can speak', 'ほかに話せるノードがなくても行います', '말할 수 있는 다른 노드가 없어도 합니다']),
            type: ApplicationCommandOptionType.Boolean
          }
        ]
      },
      {
        ...subcommand(['test', 'テスト', '시험'], ['Speak through one node, and find the request at both ends', 'ノードで話してみて、両側の記録を照らし合わせます', '노드로 말해 보고 양쪽 기록을 맞춰 봅니다']),
        options: [nodeOption]
      },
      {
        ...subcommand(['rename', '改名', '이름변경'], ['Give a node another name', 'ノードの名前を変えます', '노드 이름을 바꿉니다']),
        options: [
          nodeOption,
          {
            ...told(['label', '名前', '이름'], ['The new name; without one its own again', '新しい名前（指定しなければノード自身の名前に戻します）', '새 이름 (없으면 노드 자신의 이름으로 되돌려요)']),
            type: ApplicationCommandOptionType.String,
            max_length: 80
          }
        ]
      },
      subcommand(['panel', 'パネル', '패널'], ['A live view with buttons', 'ボタン付きで自動更新される表示', '버튼이 있고 저절로 갱신되는 화면'])
    ]
  },

  async execute(interaction, app, t) {
    if (!app.isAdmin(interaction.user.id)) {
      await respond(interaction, { content: t('refused.notAdmin') }, app.clock)
      return
    }
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const action = interaction.options.getSubcommand()
    if (action === 'panel') await showPanel(interaction, app, t)
    else if (action === 'drain') await drain(interaction, app, t, interaction.options.getString('node', true), interaction.options.getBoolean('force') ?? false)
    else await respond(interaction, await replyTo(action, interaction, app, t), app.clock)
  },

  async component(interaction, app, t) {
    if (app.isAdmin(interaction.user.id)) await press(interaction, app, t)
    else await respond(interaction, { content: t('refused.notAdmin') }, app.clock)
  },

  async autocomplete(interaction, app) {
    const typed = interaction.options.getFocused().toLowerCase()
    const found = app.isAdmin(interaction.user.id)
      ? app.pool.nodes().filter(({ serverId, label }) => `${serverId} ${label}`.toLowerCase().includes(typed))
      : []
    await interaction.respond(found.slice(0, 25).map(({ serverId, label }) => ({ name: cut(`${label} ${serverId}`.trim(), 100), value: serverId })))
  }
}

async function replyTo(action: string, interaction: ChatInputCommandInteraction<'cached'>, app: App, t: Translate): Promise<Reply> {
  if (action === 'list') return { content: await listOf(app, t) }
  const serverId = interaction.options.getString('node', true)
  if (action === 'rename') return { content: await rename(app, t, serverId, interaction.options.getString('label') ?? '') }
  if (action === 'enable' || action === 'disable') return { content: await setEnabled(app, t, serverId, action === 'enable') }
  const node: PoolNode | undefined = app.pool.nodes().find((each) => each.serverId === serverId)
  if (node === undefined) return { content: t('nodes.unknown', { id: codeOf(serverId) }) }
  return action === 'test' ? test(node, app, t) : { content: await showOf(node, app, t) }
}
