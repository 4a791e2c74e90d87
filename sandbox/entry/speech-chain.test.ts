import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../../bot/audio/ogg.ts'
import { splitText } from '../../bot/speech/segments.ts'
import { Health } from '../../bot/wire/node.ts'
import { packetsFor, startFaultNode } from '../fault-node.ts'
import type { FaultNode } from '../fault-node.ts'
import { openStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { hex } from '../test-reading.ts'
import { openSpeech } from './speech-stage.ts'
import type { SpeechStage } from './speech-stage.ts'

/** Voxpool `front`, whose only node is Voxpool `back`, whose only node is the fault node. */
let front: Stage
let back: SpeechStage
let secret: string

beforeEach(async () => {
  back = await openSpeech()
  secret = back.bot.app.apiKeys.make('front', { perMinute: 1_000, concurrency: 16 })?.secret ?? ''
  front = await openStage({ env: { NODE_KEY: secret } })
})

afterEach(async () => {
  await front.close()
  await back.close()
})

const join = () => front.register({ serverId: 'voxpool', url: back.url('').replace(/\/$/, '') })
const only = () => front.bot.app.pool.nodes()[0]

describe('a Voxpool as a node of another', () => {
  it('is heard packet for packet as the last node made it', async () => {
    await join()
    front.sandbox.act.joinVoice(front.person('Mina'), front.channel('Lounge'))
    const listener = front.sandbox.voice.listen(front.guildId, front.channel('Lounge'))
    const text = 'This goes through two pools before anybody hears it.'
    await front.replyLike(front.slash('Mina', 'general', 'say', { text }), /Said in/)
    expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(packetsFor(text)))
    expect(back.node.received.map(({ input }) => input)).toEqual([text])
  })

  it('tells its voices, and what was asked of it', async () => {
    await expect.poll(() => back.bot.app.pool.nodes()[0]?.voices?.length).toBe(1)
    await join()
    await expect.poll(() => only()?.voices?.map(({ id }) => id)).toEqual(['marked'])
    expect(only()?.about?.engine).toBe('voxpool')
    const { content } = await front.reply('Mina', 'general', 'nodes', { node: 'voxpool' }, { subcommand: 'test' })
    expect(content).toMatch(/both ends know the request/)
    expect(content).toMatch(/There: received <t:\d+:T>, answered 200 after \d+ ms/)
  })

  it('is asked no more with a wrong key, and says so', async () => {
    await join()
    back.bot.app.apiKeys.revoke(back.bot.app.apiKeys.list()[0]?.id ?? '')
    const { content } = await front.reply('Mina', 'general', 'nodes', { node: 'voxpool' }, { subcommand: 'test' })
    expect(content).toMatch(/refuses the key/)
  })
})

describe('a node that dies', () => {
  /** Segment for segment through the door in front; each is a sentence of its own length. */
  const sentences = ['The first sentence of three goes through two doors before it is heard by anybody at all, and then it ends here.', 'The second one follows, long enough to be asked for alone, at whichever node is still alive in the pool by then.', 'The third is what nobody would ever hear if that node had been the only one that there was in the whole world.']
  const text = sentences.join(' ')
  const heard = async (input = text) => {
    const response = await fetch(`http://127.0.0.1:${String(front.bot.httpPort)}/v1/audio/speech`, { method: 'POST', body: JSON.stringify({ input, response_format: 'opus' }) })
    const parsed = parseOggOpus(Buffer.from(await response.arrayBuffer()))
    return [response.status, parsed.ok && hex(parsed.stream.packets)]
  }
  const whole = [200, hex(splitText(text).flatMap(packetsFor))]
  /** The second door cuts what it gets once more: its first piece is short, too. */
  const wholeTwice = [200, hex(splitText(text).flatMap(splitText).flatMap(packetsFor))]
  const extra: FaultNode[] = []
  const another = async (serverId: string) => {
    const node = await startFaultNode({ serverId, concurrency: 4 })
    extra.push(node)
    return node
  }

  afterEach(async () => {
    for (const node of extra.splice(0)) await node.close()
  })

  it('behind the second door is no fault of that door: it goes on at another node there', async () => {
    await join()
    const n2 = await another('n2')
    await back.register(n2, { concurrency: 4 })
    // Whichever is asked first never answers again.
    let dead: FaultNode | undefined
    for (const node of [back.node, n2]) node.faultFor = () => ((dead ??= node) === node ? 'truncate' : 'none')
    expect(await heard()).toEqual(wholeTwice)
    expect([only()?.faults, back.bot.app.pool.nodes().flatMap(({ faults }) => faults).length > 0]).toEqual([[], true])
  })

  it('and was the last behind the second door lets the first go on elsewhere', async () => {
    await join()
    // Whoever asks stays at the node where it was first.
    await heard('Hello.')
    const asked = back.node.received.length
    const own = await another('own')
    await front.register(own, { concurrency: 4 })
    back.node.fault = 'truncate'
    expect(await heard()).toEqual(whole)
    expect(back.node.received.length).toBeGreaterThan(asked)
  })

  it('while a text is refused everywhere is not asked for that text again by the door in front', async () => {
    await join()
    back.node.fault = 'refuseText'
    const response = await fetch(`http://127.0.0.1:${String(front.bot.httpPort)}/v1/audio/speech`, { method: 'POST', body: JSON.stringify({ input: 'Hello.' }) })
    expect([response.status, back.node.received.length, only()?.faults]).toEqual([400, 1, []])
  })
})

describe('GET /health', () => {
  const health = async () => {
    const response = await fetch(back.url('/health'))
    return { status: response.status, said: Health.parse(await response.json()) }
  }

  it('is contract 2’s, for all nodes together', async () => {
    expect(await health()).toEqual({
      status: 200,
      said: { ok: true, serverId: 'voxpool', engine: 'voxpool', ready: true, capacity: 10, concurrency: 4, inFlight: 0, queued: 0, version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string }
    })
    const turn = Promise.withResolvers<'none'>()
    back.node.faultFor = () => turn.promise
    const said = back.slash('Alex', 'general', 'say', { text: 'Under way.', deliver: 'file' })
    await expect.poll(async () => (await health()).said.inFlight).toBe(1)
    turn.resolve('none')
    await back.replyLike(said, /🎧/)
  })

  it('is an answer of the living also while no node can speak, and says so', async () => {
    await back.registry('setEnabled', { serverId: 'n1', enabled: false })
    await back.bot.app.sync.now()
    expect(await health()).toMatchObject({ status: 200, said: { ok: false, ready: false } })
  })
})
