import type { App } from '../../bot/discord/app.ts'
import { rowsWithin } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { figuresOf } from '../../bot/nodes/figures.ts'
import { rowOf } from './row.ts'

/** `/nodes list`: every node with its state and figures, as many as one message holds. */
export async function listOf(app: App, t: Translate): Promise<string> {
  const all = app.pool.nodes()
  if (all.length === 0) return t('nodes.none')
  const figures = await figuresOf(app.metrics)
  const rows = all.map((node) => rowOf(node, app, { figures: figures(node.serverId), t, withAges: true }))
  return rowsWithin(rows, (left) => t('nodes.more', { count: left }))
}
