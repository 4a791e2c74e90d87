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
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

describe('a bot that is told to end', () => {
  it('finishes what plays, tells who waits, and leaves the channel', async () => {
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    const text = 'This one is being said, and it will be said to its end.'
    const playing = stage.slash('Mina', 'general', 'say', { text })
    const waiting = stage.slash('Mina', 'general', 'say', { text: 'This one waits.' })
    await listener.heard(5)
    await stage.restart()
    expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(packetsFor(text)))
    expect((await stage.replyLike(playing, /Said in/)).content).toMatch(/Said in/)
    expect((await stage.replyLike(waiting, /restarting/)).content).toMatch(/Say it again/)
    await stage.sandbox.act.until(() => !stage.sandbox.world.guilds.get(stage.guildId)?.voiceStates.has(stage.sandbox.world.application.id))
  })

  it('finishes the file that is being made', async () => {
    node.latencyMs = 300
    const said = stage.slash('Alex', 'general', 'say', { text: 'A file that takes a moment.', deliver: 'file' })
    await expect.poll(() => node.received.length).toBe(1)
    await stage.restart()
    expect((await stage.replyLike(said, /🎧/)).attachments.length).toBe(1)
  })
})
