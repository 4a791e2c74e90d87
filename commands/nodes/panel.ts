import { ActionRowBuilder, ButtonBuilder, ButtonStyle, StringSelectMenuBuilder } from 'discord.js'
import type { MessageActionRowComponentBuilder } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import { markOf } from '../../bot/discord/color.ts'
import { cut, rowsWithin } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { figuresOf } from '../../bot/nodes/figures.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { nodeOf } from '../../bot/nodes/tag.ts'
import { idOf } from './control.ts'
import type { Does } from './control.ts'
import { rowOf, stateOf } from './row.ts'

export interface Panel {
  content: string
  components: ActionRowBuilder<MessageActionRowComponentBuilder>[]
}

export interface PanelOptions {
  /** Of the node that is picked; `''` for none. */
  tag: string
  /** A word about what was just done. */
  note?: string | undefined
  /** When it stops to refresh itself; undefined: it has. */
  untilMs: number | undefined
}

/** Discord takes 2,000 characters a message; what stands around the rows needs some. */
const ROWS_MAX_CHARS = 1500
const NODES_IN_MENU_MAX = 25

/** All nodes as they are now, with what can be done to the one that is picked. */
export async function panelOf(app: App, t: Translate, { tag, note, untilMs }: PanelOptions): Promise<Panel> {
  const nodes = app.pool.nodes()
  const picked = nodeOf(tag, nodes)
  const figures = await figuresOf(app.metrics)
  const rows = nodes.map((node) => rowOf(node, app, { figures: figures(node.serverId), t, withAges: false }))
  const content = [
    `### ${t('nodes.panel.title')}`,
    rows.length === 0 ? t('nodes.none') : rowsWithin(rows, (left) => t('nodes.more', { count: left }), ROWS_MAX_CHARS),
    ...(note === undefined ? [] : [note]),
    untilMs === undefined ? t('nodes.panel.ended') : t('nodes.panel.live', { from: `<t:${String(Math.floor(untilMs / 1000))}:t>` })
  ]
  return {
    content: cut(content.join('\n'), 2000),
    components: [...(nodes.length > 0 ? [row(menu(nodes, picked, t))] : []), row(...buttons(picked, t))]
  }
}

function row(...parts: MessageActionRowComponentBuilder[]): ActionRowBuilder<MessageActionRowComponentBuilder> {
  return new ActionRowBuilder<MessageActionRowComponentBuilder>().addComponents(parts)
}

function menu(nodes: readonly PoolNode[], picked: PoolNode | undefined, t: Translate): StringSelectMenuBuilder {
  const first = nodes.slice(0, NODES_IN_MENU_MAX)
  const shown = picked === undefined || first.includes(picked) ? first : [picked, ...first.slice(1)]
  const options = shown.map((node) => ({
    label: cut(`${markOf(node.color)} ${node.label || node.serverId}`, 100),
    description: cut(`${node.serverId} · ${stateOf(node, t)}`, 100),
    value: node.tag,
    default: node === picked
  }))
  return new StringSelectMenuBuilder().setCustomId(idOf({ does: 'pick', tag: '' })).setPlaceholder(t('nodes.panel.pick')).addOptions(options)
}

/** What can be done in the state that the node is in; without a picked node only to look again, here or on the status page. Five are all that a row holds. */
function buttons(picked: PoolNode | undefined, t: Translate): ButtonBuilder[] {
  const tag = picked?.tag ?? ''
  const button = (does: Does, label: string, style = ButtonStyle.Secondary) => new ButtonBuilder().setCustomId(idOf({ does, tag })).setLabel(label).setStyle(style)
  const refresh = button('refresh', t('nodes.panel.refresh'), ButtonStyle.Primary)
  const open = button('open', t('nodes.panel.open'))
  if (picked === undefined) return [refresh, open]
  const isUsed = picked.enabled && !picked.draining
  return [
    refresh,
    ...(isUsed ? [] : [button('enable', t('nodes.panel.enable'), ButtonStyle.Success)]),
    ...(picked.enabled ? [button('disable', t('nodes.panel.disable'), ButtonStyle.Danger)] : []),
    ...(isUsed ? [button('drain', t('nodes.panel.drain'))] : []),
    button('test', t('nodes.panel.test')),
    open
  ]
}
