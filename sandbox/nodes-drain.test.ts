import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { splitText } from '../bot/speech/segments.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { startToneNode } from './tone-node.ts'
import type { Interaction } from './world.ts'

const bytes = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))
/** Long enough that whatever comes next is fetched while it plays. */
const textOf = (number: number) => [1, 2, 3].map((sentence) => `Utterance ${number}, sentence ${sentence}.`).join(' ')
const MEMBERS = ['Mina', 'Haru', 'Jisoo', 'Alex']

let stage: Stage
let nodes: FaultNode[]

beforeEach(async () => {
  stage = await openStage()
  nodes = []
  await join('n1')
})

afterEach(async () => {
  await stage.close()
  for (const node of nodes) await node.close()
})

async function join(serverId: string): Promise<FaultNode> {
  const node = await startFaultNode({ serverId, latencyMs: 40, concurrency: 2 })
  nodes.push(node)
  await stage.register(node, { concurrency: 2 })
  return node
}

const drain = (node: string, more: Record<string, string | boolean> = {}) => stage.sandbox.act.slash(stage.person('Mina'), stage.channel('general'), 'nodes', { node, ...more }, { subcommand: 'drain' })
/** In whatever language its author reads; all of them together take longer than one reply may. */
const untilHeard = (said: Interaction) => stage.sandbox.act.until(() => /^✅/.test(replyTo(said)?.content ?? ''), 50_000)
const replyTo = ({ messageIds }: Interaction) => stage.sandbox.world.messages.get(messageIds[0] ?? '')
/** Resolves once the file is there, whatever the reply says until then. */
function file(name: string, text: string): Promise<void> {
  const said = stage.slash(name, 'general', 'say', { text, deliver: 'file' })
  return stage.sandbox.act.until(() => replyTo(said)?.attachments.length === 1)
}
const own = (name: string) => stage.bot.app.assignments.get(stage.bot.app.deviceIdOf(stage.guildId, stage.person(name)))
const first = () => {
  const [node] = nodes
  if (node === undefined) throw new Error('no node')
  return node
}

describe('/nodes drain', () => {
  it('moves members who speak all the time: every packet is heard once and in order, nothing begins at the node, and it stays out', async () => {
    for (const name of MEMBERS) await file(name, `It is ${name}.`)
    expect(MEMBERS.map(own)).toEqual(['n1', 'n1', 'n1', 'n1'])
    await join('n2')
    await join('n3')

    const lounge = stage.channel('Lounge')
    for (const name of MEMBERS) stage.sandbox.act.joinVoice(stage.person(name), lounge)
    const listener = stage.sandbox.voice.listen(stage.guildId, lounge)
    const said: string[] = []
    const heardAll: Promise<unknown>[] = []
    const sayNext = (name: string) => {
      said.push(textOf(said.length))
      heardAll.push(untilHeard(stage.slash(name, 'general', 'say', { text: said.at(-1) ?? '', deliver: 'voice' })))
    }
    MEMBERS.slice(0, 2).forEach(sayNext)
    await listener.heard(20)

    // Files keep the node busy too, while it is emptied; not for so long that another node is asked as well (400 ms), which ends the slower request.
    first().latencyMs = 250
    const files = ['Jisoo', 'Alex'].map((name) => file(name, `A file for ${name}. And a second sentence for ${name}, to be sure.`))
    await expect.poll(() => first().inFlight()).toBeGreaterThan(0)
    const draining = drain('n1')
    await stage.replyLike(draining, /being emptied: [1-9]\d* requests left, 4 members moved/)
    sayNext('Jisoo')
    await stage.replyLike(draining, /empty and disabled\. 4 members/)
    const before = first().received.length
    sayNext('Alex')
    await Promise.all([...files, ...MEMBERS.map((name) => file(name, `Afterwards, ${name}.`))])
    await Promise.all(heardAll)

    expect(first().received.length).toBe(before)
    expect(first().received.filter(({ aborted }) => aborted)).toEqual([])
    expect(MEMBERS.map(own).sort()).toEqual(['n2', 'n2', 'n3', 'n3'])

    expect(bytes(listener.speech.map(({ opus }) => opus))).toEqual(bytes(said.flatMap(splitText).flatMap(packetsFor)))
    // No gap: in an utterance each packet follows the one before it, without a silence between.
    const perUtterance = splitText(textOf(0)).flatMap(packetsFor).length
    const gaps = listener.speech.filter((packet, index) => {
      const previous = listener.speech[index - 1]
      return index % perUtterance !== 0 && previous !== undefined && ((packet.sequence - previous.sequence) & 0xffff) !== 1
    })
    expect(gaps).toEqual([])

    await stage.restart()
    await expect.poll(() => stage.bot.app.pool.nodes().map(({ serverId, enabled }) => [serverId, enabled])).toEqual([['n1', false], ['n2', true], ['n3', true]])
  })

  it('refuses the last node that can speak, and says so; forced, it is done', async () => {
    expect((await stage.replyLike(drain('n1'), /only node/)).content).toMatch(/force/)
    expect(stage.bot.app.pool.usable('n1')?.serverId).toBe('n1')
    await stage.replyLike(drain('n1', { force: true }), /empty and disabled/)
    expect(stage.bot.app.pool.usable('n1')).toBeUndefined()
    await stage.replyLike(drain('n1'), /disabled already/)
    await stage.replyLike(drain('nobody'), /There is no node `nobody`/)
  })

  it('ends with enable, and the node is used at once', async () => {
    await join('n2')
    await file('Haru', 'Who has it?')
    const node = nodes.find(({ serverId }) => serverId === own('Haru')) ?? first()
    node.latencyMs = 700
    const spoken = file('Haru', 'A slow one.')
    await expect.poll(() => node.inFlight()).toBe(1)
    const draining = drain(node.serverId)
    await stage.replyLike(draining, /being emptied/)
    await stage.replyLike(stage.slash('Mina', 'general', 'nodes', { node: node.serverId }, { subcommand: 'enable' }), /is enabled/)
    await stage.replyLike(draining, /is used again/)
    expect(stage.bot.app.pool.usable(node.serverId)?.enabled).toBe(true)
    await spoken
  })

  it('says which voices go with the node', async () => {
    const tone = await startToneNode({ serverId: 'tone' })
    try {
      await stage.register({ serverId: 'tone', url: tone.url })
      await expect.poll(() => stage.bot.app.pool.nodes().map(({ voices }) => voices?.length)).toEqual([1, 1])
      expect((await stage.replyLike(drain('tone'), /empty and disabled/)).content).toMatch(/no other node has: Tone$/)
    } finally {
      await tone.close()
    }
  })
})
