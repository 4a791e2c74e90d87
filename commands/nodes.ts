import { ApplicationCommandOptionType, InteractionContextType, MessageFlags, PermissionFlagsBits } from 'discord.js'
import { VoxError } from '../bot/core/errors.ts'
import type { App } from '../bot/discord/app.ts'
import { ago } from '../bot/discord/ago.ts'
import { markOf } from '../bot/discord/color.ts'
import type { Command } from '../bot/discord/command.ts'
import { plain, respond } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import type { PoolNode } from '../bot/nodes/node.ts'

/** Discord takes 2,000 characters a message. */
const LIST_MAX_CHARS = 1900

const serverId = {
  type: ApplicationCommandOptionType.String as const,
  name: 'node',
  description: 'Its id',
  description_localizations: { ja: 'ノードのID', ko: '노드 ID' },
  required: true,
  autocomplete: true,
  max_length: 64
}

/** `/nodes`: what the operator does on the day: look, take a node out, bring it back. Admins of the bot only, wherever they are. */
export const nodes: Command = {
  data: {
    name: 'nodes',
    description: 'The nodes that speak (admins only)',
    description_localizations: { ja: '読み上げノードの管理（管理者のみ）', ko: '말하는 노드 관리 (관리자 전용)' },
    contexts: [InteractionContextType.Guild],
    // Hidden from everybody else by default; whoever a server shows it to is still refused by the check below.
    default_member_permissions: PermissionFlagsBits.Administrator.toString(),
    options: [
      subcommand('list', 'All nodes with state and load', 'すべてのノードの状態と負荷', '모든 노드의 상태와 부하'),
      { ...subcommand('enable', 'Let members use a node again', 'ノードを使えるようにします', '노드를 다시 쓰게 합니다'), options: [serverId] },
      { ...subcommand('disable', 'Take a node out', 'ノードを外します', '노드를 뺍니다'), options: [serverId] }
    ]
  },

  async execute(interaction, app, t) {
    if (!app.isAdmin(interaction.user.id)) {
      await respond(interaction, { content: t('refused.notAdmin') }, app.clock)
      return
    }
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const action = interaction.options.getSubcommand()
    const content = action === 'list' ? listOf(app, t) : await setEnabled(app, t, interaction.options.getString('node', true), action === 'enable')
    await respond(interaction, { content }, app.clock)
  },

  async autocomplete(interaction, app) {
    const typed = interaction.options.getFocused().toLowerCase()
    const found = app.isAdmin(interaction.user.id)
      ? app.pool.nodes().filter(({ serverId, label }) => `${serverId} ${label}`.toLowerCase().includes(typed))
      : []
    await interaction.respond(found.slice(0, 25).map(({ serverId, label }) => ({ name: `${label} ${serverId}`.trim().slice(0, 100), value: serverId })))
  }
}

function subcommand(name: string, description: string, ja: string, ko: string) {
  return { type: ApplicationCommandOptionType.Subcommand as const, name, description, description_localizations: { ja, ko } }
}

function listOf(app: App, t: Translate): string {
  const all = app.pool.nodes()
  if (all.length === 0) return t('nodes.none')
  const rows: string[] = []
  let chars = 0
  for (const node of all) {
    const row = rowOf(node, app, t)
    chars += row.length + 1
    if (chars > LIST_MAX_CHARS) return [...rows, t('nodes.more', { count: all.length - rows.length })].join('\n')
    rows.push(row)
  }
  return rows.join('\n')
}

function rowOf(node: PoolNode, { clock }: App, t: Translate): string {
  const { serverId, label, color, enabled, capacity, activeCount, ageMs, health, lastFault } = node
  const row = t('nodes.row', {
    mark: markOf(color),
    name: plain(label || serverId),
    id: serverId.replaceAll('`', ''),
    state: enabled ? t(`state.${health.state}`) : t('state.disabled'),
    load: t('nodes.load', { active: activeCount === undefined ? '?' : String(activeCount), capacity }),
    seen: ago(ageMs, t)
  })
  return lastFault === null ? row : row + t('nodes.fault', { code: lastFault.code, ago: ago(clock.now() - lastFault.atMs, t) })
}

async function setEnabled({ registry, sync }: App, t: Translate, serverId: string, enabled: boolean): Promise<string> {
  const id = serverId.replaceAll('`', '')
  try {
    await registry.setEnabled(serverId, enabled)
  } catch (error) {
    if (error instanceof VoxError && error.context['code'] === 'unknown_server') return t('nodes.unknown', { id })
    throw error
  }
  await sync.now()
  return t(enabled ? 'nodes.enabled' : 'nodes.disabled', { id })
}
