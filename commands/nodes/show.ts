import { ago } from '../../bot/discord/ago.ts'
import type { App } from '../../bot/discord/app.ts'
import { cut, plain } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import { figuresOf } from '../../bot/nodes/figures.ts'
import type { Figures } from '../../bot/nodes/figures.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { slotsOf } from '../../bot/nodes/pick-now.ts'
import { loadOf, seconds, stateOf, titleOf } from './row.ts'

const LANGUAGES_SHOWN = 12

/** `/nodes show`: all that is known of one node, but for its address. */
export async function showOf(node: PoolNode, app: App, t: Translate): Promise<string> {
  const figures = (await figuresOf(app.metrics))(node.serverId)
  const { inFlight, concurrency, draining, stateSinceMs, seenAtMs, registeredAt, faults } = node
  const running = Math.min(inFlight, slotsOf(node))
  const lines = [
    titleOf(node),
    t('nodes.show.state', { state: stateOf(node, t), from: sinceOf(stateSinceMs) }),
    ...(draining ? [t('nodes.show.draining', { count: inFlight })] : []),
    t('nodes.show.members', { load: loadOf(node, t), count: app.assignments.at(node.serverId).length }),
    t('nodes.show.requests', { inFlight: running, count: inFlight - running, max: concurrency }),
    t('nodes.show.latency', { median: seconds(figures.medianS), slow: seconds(figures.slowS) }),
    successOf(figures, t),
    ...voiceLines(node, t),
    ...(seenAtMs === undefined ? [] : [t('nodes.show.heartbeat', { ago: ago(app.clock.now() - seenAtMs, t) })]),
    ...(registeredAt === undefined ? [] : [t('nodes.show.registered', { from: sinceOf(registeredAt) })]),
    faults.length === 0 ? t('nodes.show.noFaults') : t('nodes.show.faults', { list: faults.map(({ code, atMs }) => `\`${code}\` ${sinceOf(atMs)}`).join(', ') })
  ]
  return cut(lines.join('\n'), 2000)
}

/** How long ago that was, as each client says it, for as long as it is shown. */
function sinceOf(atMs: number): string {
  return `<t:${String(Math.floor(atMs / 1000))}:R>`
}

function successOf({ good, bad }: Figures, t: Translate): string {
  if (good + bad === 0) return t('nodes.show.unasked')
  return t('nodes.show.success', { value: ((good / (good + bad)) * 100).toFixed(1), count: good + bad })
}

function voiceLines({ about, voices }: PoolNode, t: Translate): string[] {
  const engine = about === undefined ? t('nodes.show.unknown') : `${plain(about.engine)} ${plain(about.version)}`
  if (voices === undefined) return [t('nodes.show.engine', { name: engine })]
  const languages = [...new Set(voices.map(({ language }) => language))]
  const shown = languages.slice(0, LANGUAGES_SHOWN).map(plain).join(', ') + (languages.length > LANGUAGES_SHOWN ? ', …' : '')
  return [t('nodes.show.engine', { name: engine }), t('nodes.show.voices', { count: voices.length, list: shown })]
}
