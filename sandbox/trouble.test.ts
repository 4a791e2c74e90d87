import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  stage = await openStage()
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

const say = (text: string) => stage.slash('Mina', 'general', 'say', { text })
const listen = () => stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))

async function speaksAgain(): Promise<void> {
  const listener = listen()
  await stage.replyLike(say('And again.'), /Said in/)
  expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(packetsFor('And again.')))
}

describe('who may do what', () => {
  it('an administrator of the server is no admin of the bot', async () => {
    const guild = stage.sandbox.world.guilds.get(stage.guildId)
    const everyone = guild?.roles.get(stage.guildId)
    if (everyone) stage.sandbox.act.setPermissions(stage.guildId, everyone.id, everyone.permissions | 8n)
    const reply = await stage.reply('Alex', 'general', 'nodes', { node: 'n1' }, { subcommand: 'disable' })
    expect(reply.content).toMatch(/Only the admins of this bot/)
    await stage.bot.app.sync.now()
    expect(stage.bot.app.pool.nodes()[0]?.enabled).toBe(true)
  })

  it('a label can’t mention anybody, or become markup', async () => {
    await stage.registry('register', { serverId: 'n2', apiUrl: node.url, label: `@everyone <@${stage.person('Haru')}> **x**` })
    await stage.bot.app.sync.now()
    const reply = await stage.replyLike(stage.slash('Mina', 'general', 'nodes', {}, { subcommand: 'list' }), /n2/)
    expect([reply.mentionedUserIds, reply.mentionsEveryone]).toEqual([[], false])
    expect(reply.content).toContain('\\@everyone \\<\\@')
  })
})

describe('an unexpected error in one command', () => {
  it('is told with a number, and the others run on', async () => {
    stage.bot.app.registry.setEnabled = () => Promise.reject(new TypeError('planted'))
    const reply = await stage.replyLike(stage.slash('Mina', 'general', 'nodes', { node: 'n1' }, { subcommand: 'disable' }), /wrong on my side/)
    expect(reply.content).toMatch(/`[0-9a-f]{6}`/)
    await speaksAgain()
  })
})
