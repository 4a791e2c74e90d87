import { getVoiceConnection } from '@discordjs/voice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { LONG, heardBy, openVoiceStage, soundOf } from './voice-stage.ts'
import type { VoiceStage } from './voice-stage.ts'
import { Op } from './voice/opcodes.ts'

const seed = (name: string, ...members: string[]) => ({
  name,
  channels: [{ name: 'general', type: 0 as const }, { name: 'Lounge', type: 2 as const }, { name: 'Stage left', type: 2 as const }],
  members: members.map((each) => ({ name: each }))
})

let stage: VoiceStage
let clock: ManualClock
let other: { guildId: string; generalId: string; loungeId: string }

beforeEach(async () => {
  clock = manualClock()
  stage = await openVoiceStage({ clock, guilds: [seed('Trouble', 'Mina'), seed('Peace', 'Haru')] })
  const guild = [...stage.sandbox.world.guilds.values()].find(({ name }) => name === 'Peace')
  const channelId = (name: string) => [...(guild?.channels.values() ?? [])].find((channel) => channel.name === name)?.id ?? ''
  other = { guildId: guild?.id ?? '', generalId: channelId('general'), loungeId: channelId('Lounge') }
  stage.sandbox.act.joinVoice(stage.person('Haru'), other.loungeId)
})

afterEach(() => stage.close())

/** Sends nonsense where the encryption's own messages go. */
function garble(): void {
  for (const op of [Op.daveProposals, Op.daveAnnounceCommit, Op.daveWelcome, Op.daveExternalSender]) {
    stage.sandbox.voice.tell(stage.guildId, stage.botId, { op, payload: Buffer.from([0, 0, 1, 2, 3]) })
  }
}

/** Longer than a keep-alive, too short for RTP. */
function sendStray(): void {
  for (const bytes of [9, 10, 11, 12]) stage.sandbox.voice.sendDatagram(stage.guildId, stage.botId, Buffer.alloc(bytes))
}

function failToSend(): void {
  const connection = getVoiceConnection(stage.guildId)
  if (connection === undefined) throw new Error('it is not connected')
  connection.playOpusPacket = () => {
    throw new Error('planted')
  }
}

/** What befalls one server, and whether its own speech survives that. */
const TROUBLES: readonly [what: string, happens: () => void, goesOn: boolean][] = [
  ['is thrown out again and again', throwOut, false],
  ['is kicked', () => stage.sandbox.act.kickVoice(stage.botId, stage.guildId), false],
  ['is removed', () => stage.sandbox.act.removeBot(stage.guildId), false],
  ['gets nonsense for its encryption', garble, true],
  ['gets datagrams from a stranger', sendStray, true],
  ['can’t send a packet', failToSend, true]
]

function throwOut(): void {
  const again = () => stage.sandbox.voice.closeWith(stage.guildId, stage.botId, 4006)
  stage.sandbox.voice.events.on('session', ({ guildId, what }) => {
    if (guildId === stage.guildId && what === 'ready') again()
  })
  again()
}

describe('while the bot in one server', () => {
  it.each(TROUBLES)('%s, another server hears every packet, one after the other', async (_, happens, goesOn) => {
    const listener = stage.listen()
    const there = stage.sandbox.voice.listen(other.guildId, other.loungeId)
    const troubled = stage.say(LONG)
    const said = stage.sandbox.act.slash(stage.person('Haru'), other.generalId, 'say', { text: LONG, deliver: 'voice' })
    await Promise.all([listener.heard(10), there.heard(10)])
    happens()
    await stage.replyLike(said, /Said in/)
    await stage.until(() => there.packets.slice(-5).every(({ silence }) => silence))
    expect(heardBy(there)).toEqual(soundOf(LONG))
    const [first = 0] = there.speech.map(({ sequence }) => sequence)
    expect(there.speech.map(({ sequence }) => (sequence - first) & 0xffff)).toEqual(there.speech.map((_packet, index) => index))
    const replied = () => stage.sandbox.world.messages.get(troubled.messageIds[0] ?? '')?.content ?? ''
    if (goesOn) await stage.until(() => /Said in/.test(replied()), clock)
    stage.bot.app.sessions.get(stage.guildId)?.leave()
  })
})
