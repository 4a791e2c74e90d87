import { ago } from '../../bot/discord/ago.ts'
import type { App } from '../../bot/discord/app.ts'
import { markOf } from '../../bot/discord/color.ts'
import { plain } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { Figures } from '../../bot/nodes/figures.ts'
import { STALE_MS } from '../../bot/nodes/node.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { shownState } from '../../bot/nodes/shown-state.ts'

/** An id inside a code span of ours. */
export const codeOf = (serverId: string) => serverId.replaceAll('`', '')

/** How a node is called: its dot, its name and its id. */
export function titleOf({ color, label, serverId }: Pick<PoolNode, 'color' | 'label' | 'serverId'>): string {
  return `${markOf(color)} **${plain(label || serverId)}** \`${codeOf(serverId)}\``
}

export function stateOf(node: PoolNode, t: Translate): string {
  return t(`state.${shownState(node)}`)
}

/** Seconds as people read them: `0.04`, `1.4`, `12`. */
export function seconds(valueS: number | undefined): string {
  return valueS === undefined ? '–' : valueS.toFixed(valueS < 1 ? 2 : valueS < 10 ? 1 : 0)
}

export function loadOf({ activeCount, capacity }: PoolNode, t: Translate): string {
  return t('nodes.load', { active: activeCount === undefined ? '?' : String(activeCount), capacity })
}

export interface RowOptions {
  figures: Figures
  t: Translate
  /** For what is shown once: when it was last seen, and its last fault. What refreshes itself would change all the time by it. */
  withAges: boolean
}

/** A node in two lines that are read on a phone: who and how it is; then small, its figures. */
export function rowOf(node: PoolNode, { clock }: Pick<App, 'clock'>, { figures, t, withAges }: RowOptions): string {
  const { about, inFlight, ageMs, seenAtMs, faults: [fault] } = node
  const details = [
    loadOf(node, t),
    ...(inFlight > 0 ? [t('nodes.underWay', { inFlight })] : []),
    ...(figures.medianS === undefined ? [] : [t('nodes.latency', { median: seconds(figures.medianS), slow: seconds(figures.slowS) })]),
    ...(about === undefined ? [] : [plain(about.engine)]),
    ...(seenAtMs !== undefined && (withAges || ageMs > STALE_MS) ? [t('nodes.seen', { ago: ago(clock.now() - seenAtMs, t) })] : []),
    ...(withAges && fault !== undefined ? [t('nodes.fault', { code: fault.code, ago: ago(clock.now() - fault.atMs, t) })] : [])
  ]
  return `${titleOf(node)} · ${stateOf(node, t)}\n-# ${details.join(' · ')}`
}
