import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseOggOpus } from '../bot/audio/ogg.ts'
import type { OpusStream } from '../bot/audio/ogg.ts'
import { systemClock } from '../bot/core/clock.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { FLAG, deleteMessage } from './messages.ts'
import { permission } from './permissions.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { startToneNode } from './tone-node.ts'
import type { Attachment, Interaction, Message } from './world.ts'

const SHORT = 'Hello from a voice message.'
const LONG = 'One sentence of some length. Then another one, a little longer. Now the third of them is here. This would be the fourth sentence. '.repeat(4)

const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))
const isVoiceMessage = ({ flags }: Message) => (flags & FLAG.voiceMessage) !== 0

/** Discord's and the bot's time: 15 min later from the moment on in which a reply was deferred. */
const jump = { onDeferral: false, offsetMs: 0 }
const clock = { ...systemClock, now: () => Date.now() + jump.offsetMs }

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  Object.assign(jump, { onDeferral: false, offsetMs: 0 })
  stage = await openStage({ clock, sandbox: { clock } })
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

function say(text: string, deliver: string): Interaction {
  return stage.slash('Alex', 'general', 'say', { text, deliver })
}

/** All that the bot has written for a command, once there are so many. */
async function messagesOf(interaction: Interaction, count: number, isDone: (messages: Message[]) => boolean = () => true): Promise<Message[]> {
  const there = () => [...stage.sandbox.world.messages.values()].filter(({ interactionId, flags }) => interactionId === interaction.id && !(flags & FLAG.loading))
  await stage.sandbox.act.until(() => there().length === count && isDone(there()))
  return there()
}

const hasFile = (messages: Message[]) => messages.some(({ attachments }) => attachments.length > 0)

function parsed(file: Attachment | undefined): OpusStream {
  const read = parseOggOpus(file?.bytes ?? new Uint8Array())
  if (!read.ok) throw new Error(read.reason)
  return read.stream
}

function limit(bytes: number): void {
  const guild = stage.sandbox.world.guilds.get(stage.guildId)
  if (guild) guild.uploadLimitBytes = bytes
}

function deny(...bits: bigint[]): void {
  const all = bits.reduce((sum, bit) => sum | bit, 0n)
  stage.sandbox.act.setOverwrites(stage.channel('general'), [{ id: stage.guildId, kind: 'role', allow: 0n, deny: all }])
}

function onDeferral(act: () => void): void {
  stage.sandbox.world.events.on('interactionChanged', ({ state }) => {
    if (state === 'deferred') act()
  })
}

describe('a native voice message', () => {
  it.each(['voice-message', 'auto'])('is the reply itself, with its waveform and length, for who is not in voice (%s)', async (deliver) => {
    const [reply] = await messagesOf(say(SHORT, deliver), 1)
    const [file, ...others] = reply?.attachments ?? []
    expect([reply && isVoiceMessage(reply), reply?.content, others]).toEqual([true, '', []])
    expect(hex(parsed(file).packets)).toEqual(hex(packetsFor(SHORT)))
    expect(file?.durationSecs).toBeCloseTo(packetsFor(SHORT).length * 0.02)
    expect(Buffer.from(file?.waveform ?? '', 'base64').length).toBe(Math.round(packetsFor(SHORT).length / 5))
  })

  it('of a long text follows the reply that showed how far it was', async () => {
    const shown: string[] = []
    stage.sandbox.world.events.on('messageEdited', ({ content }) => shown.push(content))
    const [reply, voice] = await messagesOf(say(LONG, 'voice-message'), 2)
    expect(shown[0]).toMatch(/Making the recording: \d of \d/)
    expect([reply?.content, reply?.attachments]).toEqual([expect.stringMatching(/^🎧 [\d.]+ s$/), []])
    expect([voice && isVoiceMessage(voice), voice?.onlyForUserId]).toEqual([true, null])
    expect(hex(parsed(voice?.attachments[0]).packets)).toEqual(hex(node.received.flatMap(({ input }) => packetsFor(input))))
  })

  it('is a file where the bot lacks the permission, and says why to who asked for it', async () => {
    deny(permission.SendVoiceMessages)
    const [asked] = await messagesOf(say(SHORT, 'voice-message'), 1)
    expect(asked?.content).toMatch(/^🎧 1.1 s\nAs a file: I may not send voice messages here/)
    expect(hex(parsed(asked?.attachments[0]).packets)).toEqual(hex(packetsFor(SHORT)))
    const [auto] = await messagesOf(say(SHORT, 'auto'), 1)
    expect(auto?.content).toBe('🎧 1.1 s')
  })

  it.each([
    ['short', SHORT],
    ['long', LONG]
  ])('is a file where Discord refuses it all the same (%s)', async (_, text) => {
    onDeferral(() => deny(permission.SendVoiceMessages))
    const [reply] = await messagesOf(say(text, 'voice-message'), 1, hasFile)
    expect(reply?.content).toMatch(/Discord did not take it as a voice message/)
    expect(reply && isVoiceMessage(reply)).toBe(false)
    expect(hex(parsed(reply?.attachments[0]).packets)).toEqual(hex(node.received.flatMap(({ input }) => packetsFor(input))))
  })
})

describe('a reply that somebody deletes meanwhile', () => {
  it.each(['voice-message', 'file'])('comes anew (%s)', async (deliver) => {
    const { world } = stage.sandbox
    onDeferral(() => setImmediate(() => [...world.messages.values()].forEach((message) => deleteMessage(world, message))))
    const [reply] = await messagesOf(say(SHORT, deliver), 1)
    expect(reply && isVoiceMessage(reply)).toBe(deliver === 'voice-message')
    expect(hex(parsed(reply?.attachments[0]).packets)).toEqual(hex(packetsFor(SHORT)))
  })
})

describe('a recording that is too large', () => {
  it('comes with a lower bitrate, still as a voice message', async () => {
    const tone = await startToneNode({ serverId: 'n1' })
    await stage.register({ serverId: 'n1', url: tone.url })
    const whole = parsed((await messagesOf(say(SHORT, 'file'), 1))[0]?.attachments[0])
    const bytes = whole.packets.reduce((sum, { length }) => sum + length, 0)
    limit(Math.round(bytes * 0.8))
    const [reply] = await messagesOf(say(SHORT, 'voice-message'), 1)
    expect([reply && isVoiceMessage(reply), parsed(reply?.attachments[0]).packets.length]).toEqual([true, whole.packets.length + 1])
    const [file] = await messagesOf(say(SHORT, 'file'), 1)
    expect(file?.content).toMatch(/lower bitrate/)
    await tone.close()
  })

  it('comes in parts, whole and in order', async () => {
    limit(800)
    const [reply] = await messagesOf(say(SHORT, 'voice-message'), 1, hasFile)
    expect(reply?.content).toMatch(/In 2 files/)
    expect(reply?.attachments.map(({ filename }) => filename)).toEqual(['voice-1.ogg', 'voice-2.ogg'])
    expect(hex(reply?.attachments.flatMap((file) => parsed(file).packets) ?? [])).toEqual(hex(packetsFor(SHORT)))
  })

  it('comes in parts too when Discord takes less than it said', async () => {
    onDeferral(() => limit(800))
    const [reply] = await messagesOf(say(SHORT, 'file'), 1, hasFile)
    expect(hex(reply?.attachments.flatMap((file) => parsed(file).packets) ?? [])).toEqual(hex(packetsFor(SHORT)))
    expect(reply?.attachments.length).toBeGreaterThan(1)
  })

  it.each([
    ['by its word', () => limit(100)],
    ['without a word before', () => onDeferral(() => limit(100))]
  ])('is told when not even parts fit: %s', async (_, arrange) => {
    arrange()
    const [file] = await messagesOf(say(SHORT, 'file'), 1)
    expect([file?.content, file?.attachments]).toEqual([expect.stringMatching(/larger than this server takes/), []])
    const [voice] = await messagesOf(say(SHORT, 'voice-message'), 1)
    expect([voice?.content, voice?.onlyForUserId]).toEqual([expect.stringMatching(/larger than this server takes/), stage.person('Alex')])
  })
})

describe('a recording that took longer than the command’s token lives', () => {
  beforeEach(() => onDeferral(() => (jump.offsetMs = 15 * 60_000)))

  const messagesIn = (channelId: string) => [...stage.sandbox.world.messages.values()].filter((message) => message.channelId === channelId && message.attachments.length > 0)

  it.each(['voice-message', 'file'])('is posted in the channel and mentions its author alone (%s)', async (deliver) => {
    say(`${SHORT} Is @everyone there?`, deliver)
    await stage.sandbox.act.until(() => messagesIn(stage.channel('general')).length > 0)
    const [posted] = messagesIn(stage.channel('general'))
    expect([posted?.mentionedUserIds, posted?.mentionsEveryone, posted?.interactionId]).toEqual([[stage.person('Alex')], false, null])
    expect(hex(parsed(posted?.attachments[0]).packets)).toEqual(hex(node.received.flatMap(({ input }) => packetsFor(input))))
  })

  it('comes to its author directly where the bot may not post', async () => {
    deny(permission.AttachFiles)
    say(SHORT, 'file')
    const direct = () => [...stage.sandbox.world.dms.values()].find(({ userId }) => userId === stage.person('Alex'))
    await stage.sandbox.act.until(() => messagesIn(direct()?.id ?? '').length > 0)
    const [posted] = messagesIn(direct()?.id ?? '')
    expect(posted?.content).toMatch(/could not post this in <#\d+>/)
    expect(hex(parsed(posted?.attachments[0]).packets)).toEqual(hex(packetsFor(SHORT)))
  })
})

describe('a recording that fails half-way', () => {
  it.each(['file', 'voice-message'])('says how far it came and why, and sends nothing (%s)', async (deliver) => {
    node.synthesisMs = () => {
      node.fault = 'refuseText'
      return 0
    }
    const [reply] = await messagesOf(say(LONG, deliver), 1, ([first]) => /ended/.test(first?.content ?? ''))
    expect(reply?.content).toMatch(/ended after [1-3] of \d parts, so it was not sent. The voice can’t say that text/)
    expect(reply?.attachments).toEqual([])
  })

  it('of the first words is told to its author alone', async () => {
    node.fault = 'refuseText'
    const [reply] = await messagesOf(say(SHORT, 'voice-message'), 1)
    expect([reply?.content, reply?.onlyForUserId]).toEqual([expect.stringMatching(/^The voice can’t say that text/), stage.person('Alex')])
  })
})
