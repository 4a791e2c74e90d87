import { MessageFlags } from 'discord.js'
import type { ChatInputCommandInteraction } from 'discord.js'
import type { App } from '../../bot/discord/app.ts'
import type { Component } from '../../bot/discord/command.ts'
import { faultOf, tell } from '../../bot/discord/dispatch.ts'
import { LIVE_MS } from '../../bot/discord/panels.ts'
import { respond } from '../../bot/discord/respond.ts'
import type { Translate } from '../../bot/i18n/index.ts'
import type { PoolNode } from '../../bot/nodes/node.ts'
import { nodeOf } from '../../bot/nodes/tag.ts'
import { adminLink } from './admin-link.ts'
import { controlOf } from './control.ts'
import type { Does } from './control.ts'
import { follow, refusalOf } from './drain.ts'
import { panelOf } from './panel.ts'
import type { Panel } from './panel.ts'
import { setEnabled } from './registry-word.ts'
import { test } from './test.ts'

type Opener = ChatInputCommandInteraction<'cached'> | Component

const NOBODY = { parse: [] }

/** Shows the panel in an answer that was deferred, and keeps it up to date from now on. */
export async function showPanel(interaction: Opener, app: App, t: Translate, { tag = '', note = () => undefined }: { tag?: string; note?: () => string | undefined } = {}): Promise<void> {
  const untilMs = app.clock.now() + LIVE_MS
  const edit = (panel: Panel) => interaction.editReply({ ...panel, allowedMentions: NOBODY })
  const render = () => panelOf(app, t, { tag, note: note(), untilMs })
  const panel = await render()
  const { id } = await edit(panel)
  app.panels.keep(id, panel, {
    edit,
    render,
    ended: () => panelOf(app, t, { tag, untilMs: undefined })
  })
}

/** A control of a panel, however old. A test and a link to the status page are answered beside the panel; all else in it. */
export async function press(interaction: Component, app: App, t: Translate): Promise<void> {
  const control = controlOf(interaction.customId)
  if (control === undefined || !interaction.isMessageComponent()) return
  if (control.does === 'open') {
    await respond(interaction, adminLink(interaction.user.id, app, t), app.clock)
    return
  }
  const tag = interaction.isStringSelectMenu() ? (interaction.values[0] ?? '') : control.tag
  const node = nodeOf(tag, app.pool.nodes())
  if (control.does === 'test' && node !== undefined) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    await respond(interaction, await test(node, app, t), app.clock)
    return
  }
  app.panels.leave(interaction.message.id)
  await interaction.deferUpdate()
  const isMissing = node === undefined && tag !== ''
  const note = isMissing ? () => t('nodes.panel.gone') : node && (await act(control.does, node, app, t))
  await showPanel(interaction, app, t, { tag, ...(note && { note }) })
}

/** Does it, and says how that stands. What goes wrong is said in the panel, which would be lost otherwise. */
async function act(does: Does, node: PoolNode, app: App, t: Translate): Promise<(() => string) | undefined> {
  const { serverId } = node
  try {
    switch (does) {
      case 'enable':
      case 'disable': {
        const done = await setEnabled(app, t, serverId, does === 'enable')
        return () => done
      }
      case 'drain': {
        const started = app.drains.start(serverId)
        return started.ok ? follow(started.drain, t) : () => refusalOf(started.reason, serverId, t)
      }
      case 'refresh':
      case 'pick':
      case 'test':
      case 'open':
        return undefined
    }
  } catch (error) {
    const fault = tell(faultOf(error), 'nodes', app, t)
    return () => fault
  }
}
