import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Message } from './world.ts'

let stage: Stage
let nodes: FaultNode[]

beforeEach(async () => {
  stage = await openStage()
  nodes = [await startFaultNode({ serverId: 'n1' }), await startFaultNode({ serverId: 'a:b`c' })]
  for (const node of nodes) await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

interface Row {
  components: { custom_id: string; label?: string; options?: { label: string; value: string; default?: boolean }[] }[]
}

const parts = (message: Message) => (message.components as Row[]).flatMap(({ components }) => components)
const labels = (message: Message) => parts(message).flatMap(({ label }) => label ?? [])
const now = (message: Message) => stage.sandbox.world.messages.get(message.id) ?? message
const until = (message: Message, wanted: RegExp) => stage.sandbox.act.until(() => wanted.test(now(message).content))

async function open(): Promise<Message> {
  return stage.sandbox.act.replyOf(stage.slash('Mina', 'general', 'nodes', {}, { subcommand: 'panel' }).id)
}

async function pick(message: Message, name: string): Promise<void> {
  const menu = parts(now(message)).find(({ options }) => options !== undefined)
  const value = menu?.options?.find(({ label }) => label.endsWith(name))?.value ?? ''
  await stage.sandbox.act.replyOf(stage.sandbox.act.select(stage.person('Mina'), message.id, menu?.custom_id ?? '', [value]).id)
  await stage.sandbox.act.until(() => parts(now(message)).some(({ options }) => options?.some((option) => option.default === true && option.value === value)))
}

function press(message: Message, label: string) {
  const button = parts(now(message)).find((each) => each.label === label)
  return stage.sandbox.act.button(stage.person('Mina'), message.id, button?.custom_id ?? '')
}

describe('/nodes panel', () => {
  it('refreshes itself when something has changed, seen by its admin alone', async () => {
    const panel = await open()
    expect(panel.content).toMatch(/`n1` · ready\n-# 0\/10 members · fault\n.*`a:bc` · ready/)
    expect(panel.content).toMatch(/Refreshes by itself until <t:\d+:t>/)
    expect([panel.onlyForUserId, labels(panel)]).toEqual([stage.person('Mina'), ['Refresh', 'Open as admin']])
    await stage.registry('setEnabled', { serverId: 'n1', enabled: false })
    await until(panel, /`n1` · disabled/)
  })

  it('switches the node that is picked, and empties and tests it', async () => {
    const panel = await open()
    await pick(panel, 'a:b`c')
    expect(labels(now(panel))).toEqual(['Refresh', 'Disable', 'Drain', 'Test', 'Open as admin'])
    press(panel, 'Drain')
    await until(panel, /`a:bc` · disabled(.|\n)*is empty and disabled/)
    expect(stage.bot.app.pool.nodes().map(({ enabled }) => enabled)).toEqual([true, false])
    const tested = await stage.sandbox.act.replyOf(press(panel, 'Test').id)
    expect([tested.id === panel.id, tested.attachments.length]).toEqual([false, 1])
    expect(tested.content).toMatch(/both ends know the request/)
    press(panel, 'Enable')
    await until(panel, /🟢 `a:bc` is enabled/)
    press(panel, 'Disable')
    await until(panel, /⚪ `a:bc` is disabled/)
    await pick(panel, 'n1')
    press(panel, 'Drain')
    await until(panel, /only node that can speak/)
  })

  it('works after a restart, and says that a node is gone', async () => {
    const panel = await open()
    await pick(panel, 'n1')
    await stage.restart()
    expect(now(panel).content).toMatch(/No longer refreshed by itself/)
    press(panel, 'Disable')
    await until(panel, /⚪ `n1` is disabled(.|\n)*Refreshes by itself/)
    await stage.registry('setEnabled', { serverId: 'n1', enabled: true })
    await stage.registry('unregister', { serverId: 'n1' })
    await stage.bot.app.sync.now()
    press(panel, 'Refresh')
    await until(panel, /not in the pool any more/)
    expect(labels(now(panel))).toEqual(['Refresh', 'Open as admin'])
  })

  it('does nothing for who is no admin any more', async () => {
    const panel = await open()
    await pick(panel, 'n1')
    stage.bot.app.isAdmin = () => false
    const refused = await stage.sandbox.act.replyOf(press(panel, 'Disable').id)
    expect(refused.content).toMatch(/admin/)
    expect(stage.bot.app.pool.nodes()[0]?.enabled).toBe(true)
  })
})
