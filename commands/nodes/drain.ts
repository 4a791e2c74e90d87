import type { ChatInputCommandInteraction } from 'discord.js'
import { sleep } from '../../bot/core/clock.ts'
import type { App } from '../../bot/discord/app.ts'
import { plain, respond } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { Drain, DrainEnd, DrainStart } from '../../bot/nodes/drain.ts'
import { codeOf } from './row.ts'

const PROGRESS_MS = 2_000
const VOICES_SHOWN = 8

/** `/nodes drain`: begins to empty a node and says how far that is, until it has ended. It goes on without the reply. */
export async function drain(interaction: ChatInputCommandInteraction<'cached'>, app: App, t: Translate, serverId: string, force: boolean): Promise<void> {
  const lost = voicesOnlyAt(serverId, app)
  const started = app.drains.start(serverId, { force })
  if (!started.ok) {
    await respond(interaction, { content: refusalOf(started.reason, serverId, t) }, app.clock)
    return
  }
  const { drain: underWay } = started
  const note = lost.length === 0 ? '' : `\n${t('nodes.drain.voices', { list: lost.join(', ') })}`
  let shown = ''
  const show = async (content: string) => {
    if (content === shown) return
    shown = content
    await respond(interaction, { content: content + note }, app.clock).catch((error: unknown) => app.log.warn({ err: error, node: serverId }, 'progress did not reach Discord'))
  }
  const now = follow(underWay, t)
  let isOver = false
  while (!isOver) {
    await show(now())
    isOver = await Promise.race([underWay.ended.then(() => true), sleep(app.clock, PROGRESS_MS).then(() => false)])
  }
  await show(now())
}

export function refusalOf(reason: Extract<DrainStart, { ok: false }>['reason'], serverId: string, t: Translate): string {
  const id = codeOf(serverId)
  return reason === 'unknown' ? t('nodes.unknown', { id }) : t(`nodes.drain.${reason === 'last' ? 'last' : 'alreadyDisabled'}`, { id })
}

/** How far an emptying is, or how it ended, whenever it is asked. */
export function follow({ serverId, moved, left, ended }: Drain, t: Translate): () => string {
  const id = codeOf(serverId)
  let end: DrainEnd | undefined
  void ended.then((how) => (end = how))
  return () => (end === undefined ? t('nodes.drain.progress', { id, count: left(), moved: String(moved) }) : t(`nodes.drain.${end}`, { id, moved: String(moved) }))
}

/** Voices that no other node has: whoever chose one is told that it is unknown, as long as this node is out. */
function voicesOnlyAt(serverId: string, { pool }: App): string[] {
  const nodes = pool.nodes()
  const others = nodes.filter((node) => node.serverId !== serverId && node.enabled)
  // One that has not told its voices may have any.
  if (others.some(({ voices }) => voices === undefined)) return []
  const elsewhere = new Set(others.flatMap(({ voices = [] }) => voices.map(({ id }) => id)))
  const lost = (nodes.find((node) => node.serverId === serverId)?.voices ?? []).filter(({ id }) => !elsewhere.has(id)).map(({ name }) => plain(name))
  return lost.length <= VOICES_SHOWN ? lost : [...lost.slice(0, VOICES_SHOWN), `+${String(lost.length - VOICES_SHOWN)}`]
}
