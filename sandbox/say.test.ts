import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'

const bytes = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

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

function inLounge(...names: string[]) {
  for (const name of names) stage.sandbox.act.joinVoice(stage.person(name), stage.channel('Lounge'))
  return stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
}

describe('/say in a voice channel', () => {
  it('is heard there, packet for packet as the node made it, and its author is told', async () => {
    const listener = inLounge('Mina')
    const said = stage.slash('Mina', 'general', 'say', { text: 'Hello there, everybody.' })
    const reply = await stage.replyLike(said, /Said in/)
    const heard = await listener.heard(packetsFor('Hello there, everybody.').length)
    expect(bytes(heard.map(({ opus }) => opus))).toEqual(bytes(packetsFor('Hello there, everybody.')))
    expect(said.callback).toMatchObject({ type: 5, ephemeral: true })
    expect([reply.onlyForUserId, reply.mentionedUserIds, reply.mentionsEveryone]).toEqual([stage.person('Mina'), [], false])
  })

  it('is heard whole and in order when it is long', async () => {
    const text = 'This is the first sentence of several. Here is the second one, which goes on for a while. And here, at the end, the third.'
    const listener = inLounge('Haru')
    await stage.replyLike(stage.slash('Haru', 'general', 'say', { text }), /読み上げました/)
    const expected = node.segments()
    expect(expected.join('')).toBe(text)
    expect(expected.length).toBeGreaterThan(1)
    expect(bytes(listener.speech.map(({ opus }) => opus))).toEqual(bytes(expected.flatMap(packetsFor)))
  })

  it('keeps the order of five quick messages of three members', async () => {
    const listener = inLounge('Mina', 'Haru', 'Jisoo')
    const texts = ['First of all.', 'Second thing.', 'Third.', 'Fourth one here.', 'And the fifth.']
    const said = texts.map((text, index) => stage.slash(['Mina', 'Haru', 'Jisoo'][index % 3] ?? '', 'general', 'say', { text }))
    await Promise.all(said.map((each) => stage.replyLike(each, /✅/)))
    expect(bytes(listener.speech.map(({ opus }) => opus))).toEqual(bytes(texts.flatMap(packetsFor)))
  })

  it('is not lost while the encryption group is still being set up', async () => {
    stage.sandbox.voice.faults.delayDaveMs = 700
    const listener = inLounge('Mina')
    await stage.replyLike(stage.slash('Mina', 'general', 'say', { text: 'Nothing of this is lost.' }), /Said in/)
    expect(bytes(listener.speech.map(({ opus }) => opus))).toEqual(bytes(packetsFor('Nothing of this is lost.')))
  })

  it('mentions nobody, whatever the text', async () => {
    inLounge('Mina', 'Haru')
    await stage.replyLike(stage.slash('Mina', 'general', 'say', { text: `hi <@${stage.person('Haru')}> @everyone` }), /Said in/)
    expect(node.received[0]?.input).toContain('Haru')
    expect([...stage.sandbox.world.messages.values()].flatMap(({ mentionedUserIds, mentionsEveryone }) => [...mentionedUserIds, mentionsEveryone])).toEqual([false])
  })
})

describe('/say outside voice', () => {
  it('is uploaded as a valid Ogg Opus file of the right length, for all to hear', async () => {
    const reply = await stage.reply('Alex', 'general', 'say', { text: 'Hello from a file.', deliver: 'file' })
    const [file] = reply.attachments
    const parsed = parseOggOpus(file?.bytes ?? new Uint8Array())
    if (!parsed.ok) throw new Error(parsed.reason)
    expect(bytes(parsed.stream.packets)).toEqual(bytes(packetsFor('Hello from a file.')))
    expect(file?.contentType).toMatch(/^audio\/ogg/)
    expect([reply.onlyForUserId, reply.content]).toEqual([null, '🎧 0.7 s'])
  })

  it('says so when the file is larger than the server takes', async () => {
    const guild = stage.sandbox.world.guilds.get(stage.guildId)
    if (guild) guild.uploadLimitBytes = 100
    expect((await stage.reply('Alex', 'general', 'say', { text: 'Hello.', deliver: 'file' })).content).toMatch(/larger than this server takes/)
  })
})

describe('a text that can’t be said', () => {
  it.each([
    ['***', /nothing in that text/],
    ['~~ ~~', /nothing in that text/],
    ['… ?!', /nothing in that text/],
    ['word '.repeat(401), /at most 2000 characters/]
  ])('%j gets a friendly word, for its author alone', async (text, word) => {
    const reply = await stage.reply('Mina', 'general', 'say', { text })
    expect(reply.content).toMatch(word)
    expect(reply.onlyForUserId).toBe(stage.person('Mina'))
    expect(node.received).toEqual([])
  })

  it('that a node refuses is not tried elsewhere', async () => {
    node.fault = 'refuseText'
    expect((await stage.reply('Mina', 'general', 'say', { text: 'Hmm.', deliver: 'file' })).content).toMatch(/can’t say that text/)
    expect(node.received.length).toBe(1)
  })
})

describe('the other commands', () => {
  it('join, skip, stop and leave', async () => {
    const listener = inLounge('Mina')
    expect((await stage.replyLike(stage.slash('Mina', 'general', 'join'), /I am in/)).content).toContain(stage.channel('Lounge'))
    expect((await stage.reply('Mina', 'general', 'skip')).content).toMatch(/Nothing is being said/)
    const long = stage.slash('Mina', 'general', 'say', { text: 'A long sentence that goes on and on, so that somebody wants to skip it before it ends.' })
    const next = stage.slash('Mina', 'general', 'say', { text: 'The next one.' })
    await listener.heard(10)
    expect((await stage.reply('Haru', 'general', 'skip')).content).toMatch(/ほかの人/)
    expect((await stage.reply('Mina', 'general', 'skip')).content).toMatch(/Skipped/)
    expect((await stage.replyLike(long, /Stopped/)).content).toMatch(/Stopped/)
    await stage.replyLike(next, /Said in/)
    expect((await stage.reply('Mina', 'general', 'stop')).content).toMatch(/Nothing is being said/)
    expect((await stage.reply('Mina', 'general', 'leave')).content).toMatch(/Left/)
    await stage.sandbox.act.until(() => !stage.sandbox.world.guilds.get(stage.guildId)?.voiceStates.has(stage.sandbox.world.application.id))
  })

  it('/stop empties the queue and tells everybody in it', async () => {
    const listener = inLounge('Mina')
    const said = ['One that is long enough to be stopped.', 'Two.', 'Three.'].map((text) => stage.slash('Mina', 'general', 'say', { text }))
    await listener.heard(5)
    expect((await stage.reply('Mina', 'general', 'stop')).content).toMatch(/2 more taken/)
    await Promise.all(said.map((each) => stage.replyLike(each, /Stopped before/)))
  })

  it('/nodes is refused to all but admins, though they see it', async () => {
    expect(() => stage.slash('Haru', 'general', 'nodes', {}, { subcommand: 'list' })).toThrow(/no command/)
    expect((await stage.replyLike(stage.slash('Mina', 'general', 'nodes', {}, { subcommand: 'list' }), /n1/)).content).toMatch(/0\/10 members/)
  })

  it('/status tells of the pool without an address', async () => {
    const { content } = await stage.replyLike(stage.slash('Alex', 'general', 'status'), /Nodes that can speak/)
    expect(content).toMatch(/\*\*1\*\* of 1/)
    expect(content).not.toMatch(/127\.0\.0\.1|http/)
  })
})
