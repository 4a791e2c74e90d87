import { InteractionContextType, MessageFlags } from 'discord.js'
import type { Counter } from 'prom-client'
import { ago } from '../bot/discord/ago.ts'
import type { App } from '../bot/discord/app.ts'
import { markOf } from '../bot/discord/color.ts'
import { told } from '../bot/discord/command.ts'
import type { Command } from '../bot/discord/command.ts'
import { plain, respond } from '../bot/discord/respond.ts'
import type { Translate } from '../bot/i18n/index.ts'
import { canSpeak } from '../bot/nodes/node.ts'
import type { PoolNode } from '../bot/nodes/node.ts'
import { shownState } from '../bot/nodes/shown-state.ts'

/** `/status`: is it slow or dead, which node is mine, how long is the queue. For everybody; without addresses. */
export const status: Command = {
  data: {
    ...told(['status', '状態', '상태'], ['How the voices are doing, and which node is yours', '声の調子と、あなたのノードを表示します', '목소리들의 상태와 내 노드를 보여 줍니다']),
    contexts: [InteractionContextType.Guild]
  },
  async execute(interaction, app, t) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    const nodes = app.pool.nodes()
    const session = app.sessions.get(interaction.guildId)
    const ready = nodes.filter(canSpeak).length
    const own = app.assignments.get(app.deviceIdOf(interaction.guildId, interaction.user.id))
    const mine = nodes.find(({ serverId }) => serverId === own)
    const troubles = [...nodesTrouble(nodes, t), ...registryTrouble(app, t)]
    const lines = [
      `**${t('status.title')}**`,
      ...(troubles.length > 0 ? troubles : [t('status.well')]),
      t('status.nodes', { ready, all: nodes.length }),
      ...(await nodeLines(app, t)),
      mine ? t('status.yours', { mark: markOf(mine.color), name: plain(mine.label || mine.serverId) }) : t('status.yoursNone'),
      t('status.queue', { count: session?.queued() ?? 0, seconds: String(Math.round((session?.queuedMs() ?? 0) / 1000)) }),
      ...(await countLines(app, t))
    ]
    await respond(interaction, { content: lines.join('\n').slice(0, 2000) }, app.clock)
  }
}

function nodesTrouble(nodes: readonly PoolNode[], t: Translate): string[] {
  if (!nodes.some(canSpeak)) return [t('status.none')]
  return nodes.some(({ health }) => health.state === 'suspect') && !nodes.some(({ health }) => health.state === 'ready') ? [t('status.unsteady')] : []
}

const NODES_SHOWN = 10

/** Each node with its state, what is under way there, and how long it takes. */
async function nodeLines({ pool, metrics }: App, t: Translate): Promise<string[]> {
  const { values } = await metrics.nodeSeconds.get()
  const quantile = (serverId: string, share: number) => {
    const found = values.find(({ labels }) => (labels as Record<string, unknown>)['node'] === serverId && (labels as Record<string, unknown>)['quantile'] === share)
    return found === undefined || !Number.isFinite(found.value) ? '–' : found.value.toFixed(1)
  }
  return pool.nodes().slice(0, NODES_SHOWN).map((node) => {
    const { serverId, label, color, inFlight } = node
    const state = t(`state.${shownState(node)}`)
    return t('status.node', { mark: markOf(color), name: plain(label || serverId), state, inFlight, median: quantile(serverId, 0.5), slow: quantile(serverId, 0.95) })
  })
}

function registryTrouble({ sync, clock }: App, t: Translate): string[] {
  const { failures, lastOkAtMs } = sync.state()
  if (failures === 0) return []
  return [lastOkAtMs === undefined ? t('status.registryNever') : t('status.registry', { ago: ago(clock.now() - lastOkAtMs, t) })]
}

/** What was said and what went wrong since the start, faults by their code. */
async function countLines({ metrics }: App, t: Translate): Promise<string[]> {
  const utterances = await byLabel(metrics.utterances, 'outcome')
  const sum = (...outcomes: string[]) => String(outcomes.reduce((total, outcome) => total + (utterances.get(outcome) ?? 0), 0))
  const total = async (counter: Counter) => String((await byLabel(counter, '')).get('') ?? 0)
  const cache = await byLabel(metrics.cache, 'result')
  const counts = t('status.counts', {
    heard: sum('heard', 'uploaded'),
    failed: sum('failed'),
    moved: await total(metrics.failovers),
    hedges: await total(metrics.hedges),
    cached: String((cache.get('hit') ?? 0) + (cache.get('shared') ?? 0))
  })
  const faults = new Map<string, number>()
  for (const metric of [metrics.nodeRequests, metrics.registryCalls]) {
    for (const [code, count] of await byLabel(metric, 'result')) if (code !== 'ok') faults.set(code, (faults.get(code) ?? 0) + count)
  }
  const list = Array.from(faults, ([code, count]) => `\`${code}\` ${count}`).join(', ')
  return list === '' ? [counts] : [counts, t('status.faults', { list })]
}

async function byLabel(counter: Counter, label: string): Promise<Map<string, number>> {
  const totals = new Map<string, number>()
  for (const { labels, value } of (await counter.get()).values) {
    const key = String((labels as Record<string, string | number>)[label] ?? '')
    totals.set(key, (totals.get(key) ?? 0) + value)
  }
  return totals
}
