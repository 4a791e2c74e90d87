import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const bytes = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

let stage: Stage
let nodes: FaultNode[]

beforeEach(async () => {
  stage = await openStage()
  nodes = [await startFaultNode({ serverId: 'n1' }), await startFaultNode({ serverId: 'n2' })]
  for (const node of nodes) await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

const say = (text: string) => stage.reply('Mina', 'general', 'say', { text, deliver: 'file' })
const own = () => stage.bot.app.assignments.get(stage.bot.app.deviceIdOf(stage.guildId, stage.person('Mina')))
const nodeOf = (serverId: string | undefined) => nodes.find((node) => node.serverId === serverId)

describe('a member', () => {
  it('stays on one node while it lives, a restart of the bot included', async () => {
    await say('One.')
    const first = own()
    for (const text of ['Two.', 'Three.', 'Four.']) await say(text)
    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes().length).toBe(2)
    await say('Five.')
    expect(own()).toBe(first)
    expect(nodeOf(first)?.received.map(({ input }) => input)).toEqual(['One.', 'Two.', 'Three.', 'Four.', 'Five.'])
  })

  it('is moved when the node is disabled with /nodes, and is not given it again', async () => {
    await say('One.')
    const first = own() ?? ''
    const reply = stage.slash('Mina', 'general', 'nodes', { node: first }, { subcommand: 'disable' })
    await stage.replyLike(reply, /disabled/)
    await say('Two.')
    expect(own()).not.toBe(first)
    expect(nodeOf(first)?.received.length).toBe(1)
    await stage.replyLike(stage.slash('Mina', 'general', 'nodes', { node: first }, { subcommand: 'enable' }), /enabled/)
    await say('Three.')
    expect(own()).not.toBe(first)
  })

  it('follows its node to a new address under the same id', async () => {
    await say('One.')
    const node = nodeOf(own())
    if (!node) throw new Error('no node')
    await node.kill()
    await node.revive()
    await stage.register(node)
    await say('Two.')
    expect(node.received.map(({ input }) => input)).toEqual(['One.', 'Two.'])
  })

  it('hears the whole text once when its node dies in the middle of it', async () => {
    await say('One.')
    const dying = nodeOf(own())
    if (!dying) throw new Error('no node')
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    dying.latencyMs = 200
    const text = 'This is the first sentence of several. Here is the second one, which goes on for a little while. And here is the third and last.'
    const said = stage.slash('Mina', 'general', 'say', { text })
    await expect.poll(() => dying.received.length).toBeGreaterThan(1)
    await dying.kill()
    await stage.replyLike(said, /Said in/)
    const pieces = ['This is the first sentence of several. ', text.slice('This is the first sentence of several. '.length)]
    expect(bytes(listener.speech.map(({ opus }) => opus))).toEqual(bytes(pieces.flatMap(packetsFor)))
    expect(own()).not.toBe(dying.serverId)
  })
})

describe('when the pool is in trouble', () => {
  it('tells the member that no voice is there, and /status too', async () => {
    for (const { serverId } of nodes) await stage.registry('unregister', { serverId })
    await stage.bot.app.sync.now()
    expect((await say('Anybody?')).content).toMatch(/No voice is there/)
    expect((await stage.replyLike(stage.slash('Mina', 'general', 'status'), /Nodes/)).content).toMatch(/No node can speak/)
  })

  it('counts bad answers, and shows them in /status', async () => {
    for (const node of nodes) node.fault = 'html'
    expect((await say('Hello.')).content).toMatch(/did not answer/)
    expect((await stage.replyLike(stage.slash('Mina', 'general', 'status'), /Nodes/)).content).toMatch(/`NODE_BAD_REPLY` 2/)
  })
})
