import { entersState, VoiceConnectionDisconnectReason, VoiceConnectionStatus } from '@discordjs/voice'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startVoiceServer } from './server.ts'
import type { VoiceServer } from './server.ts'
import { eventually, hex, joinAsBot, opusPackets, soundOf } from './test-bot.ts'
import type { TestBot } from './test-bot.ts'

const GUILD = '1000'
const CHANNEL = '2000'
const BOT = '900'
let server: VoiceServer
let bots: TestBot[]

beforeEach(async () => {
  server = await startVoiceServer()
  bots = []
})
afterEach(async () => {
  for (const bot of bots) bot.leave()
  await server.close()
})
const join = (place: Partial<Parameters<typeof joinAsBot>[1]> = {}) => {
  const bot = joinAsBot(server, { guildId: GUILD, channelId: CHANNEL, userId: BOT, ...place })
  bots.push(bot)
  return bot
}
const groupOf = (userIds: readonly string[], channelId = CHANNEL) =>
  eventually(server.events, 'group', (event) => event.channelId === channelId && [...event.userIds].sort().join() === [...userIds].sort().join())
const sessionOf = (what: string, userId = BOT) => eventually(server.events, 'session', (event) => event.what === what && event.userId === userId)

for (const committer of ['client', 'person'] as const) {
  test(`a person who was in the channel before the bot hears it packet for packet (commits by: ${committer})`, async () => {
    server.faults.committer = committer
    server.setPeople(GUILD, CHANNEL, ['11'])
    const founded = groupOf([BOT, '11'])
    const bot = join()
    await bot.encrypts()
    expect((await founded)[0].committedBy).toBe(committer === 'client' ? BOT : '11')
    const listener = server.listen(GUILD, CHANNEL)
    const packets = opusPackets(30)
    await bot.play(packets)
    await listener.heard(30)
    expect(soundOf(listener)).toEqual(hex(packets))
    expect(listener.packets.every((packet) => packet.userId === BOT)).toBe(true)
    expect(server.counters).toMatchObject({ decryptFailures: 0, unheardPackets: 0, strayPackets: 0, badFrames: 0 })
    expect(bot.errors).toEqual([])
  })

  test(`people who were already a group welcome the bot, and hear it (commits by: ${committer})`, async () => {
    server.faults.committer = committer
    const people = groupOf(['11', '12', '13'])
    server.setPeople(GUILD, CHANNEL, ['11', '12', '13'])
    await people
    const bot = join()
    await bot.encrypts()
    const listener = server.listen(GUILD, CHANNEL)
    const packets = opusPackets(20)
    await bot.play(packets)
    await listener.heard(20)
    expect(soundOf(listener)).toEqual(hex(packets))
  })

  test(`no packet is lost while people come and go beside one who stays (commits by: ${committer})`, async () => {
    server.faults.committer = committer
    server.setPeople(GUILD, CHANNEL, ['11'])
    const bot = join()
    await bot.encrypts()
    const listener = server.listen(GUILD, CHANNEL)
    const packets = opusPackets(150)
    const played = bot.play(packets)
    const crowds = [['11', '12'], ['11', '12', '13', '14'], ['11', '13'], ['11', '15'], ['11', '12', '13'], ['11']]
    for (const [index, crowd] of crowds.entries()) {
      await listener.heard(20 * (index + 1))
      const changed = groupOf([BOT, ...crowd])
      server.setPeople(GUILD, CHANNEL, crowd)
      const [{ committedBy }] = await changed
      expect(committedBy === BOT).toBe(committer === 'client')
    }
    await played
    await listener.heard(150)
    expect(soundOf(listener)).toEqual(hex(packets))
    expect(bot.errors).toEqual([])
  })
}

test('the bot alone goes on, unheard; a person who joins later hears what comes after the group is set up', async () => {
  const bot = join()
  await bot.ready()
  const listener = server.listen(GUILD, CHANNEL)
  await bot.play(opusPackets(5))
  expect(listener.packets).toEqual([])
  expect(server.counters.unheardPackets).toBeGreaterThanOrEqual(5)

  server.setPeople(GUILD, CHANNEL, ['11'])
  await bot.encrypts()
  const packets = opusPackets(20)
  await bot.play(packets)
  await listener.heard(20)
  expect(soundOf(listener)).toEqual(hex(packets))
})

test('when the last person leaves the group starts anew, and the next person hears the bot', async () => {
  server.setPeople(GUILD, CHANNEL, ['11'])
  const bot = join()
  await bot.encrypts()
  const alone = groupOf([])
  server.setPeople(GUILD, CHANNEL, [])
  await alone
  const together = groupOf([BOT, '12'])
  server.setPeople(GUILD, CHANNEL, ['12'])
  await together
  await bot.encrypts()
  const listener = server.listen(GUILD, CHANNEL)
  const packets = opusPackets(20)
  await bot.play(packets)
  await listener.heard(20)
  expect(soundOf(listener)).toEqual(hex(packets))
  expect(bot.errors).toEqual([])
})

test('two bots are heard in one channel by the people there', async () => {
  server.setPeople(GUILD, CHANNEL, ['11', '12'])
  const first = join()
  await first.encrypts()
  const all = groupOf([BOT, '901', '11', '12'])
  const second = join({ userId: '901' })
  await all
  await second.encrypts()
  const listener = server.listen(GUILD, CHANNEL)
  const [one, two] = [opusPackets(20), opusPackets(20)]
  await Promise.all([first.play(one), second.play(two)])
  await listener.heard(40)
  const of = (userId: string) => listener.speech.filter((packet) => packet.userId === userId).map(({ opus }) => Buffer.from(opus).toString('hex'))
  expect(of(BOT)).toEqual(hex(one))
  expect(of('901')).toEqual(hex(two))
})

test('until a delayed group is set up the bot is ready but nobody hears it', async () => {
  server.faults.delayDaveMs = 300
  server.setPeople(GUILD, CHANNEL, ['11'])
  const bot = join()
  await bot.ready()
  expect(bot.connection.voicePrivacyCode).toBeFalsy()
  const listener = server.listen(GUILD, CHANNEL)
  await bot.play(opusPackets(2))
  expect(listener.speech).toEqual([])
  expect(server.counters.unheardPackets).toBeGreaterThanOrEqual(2)
  await bot.encrypts()
  const packets = opusPackets(10)
  await bot.play(packets)
  await listener.heard(10)
  expect(soundOf(listener)).toEqual(hex(packets))
})

test('two guilds speak at once, each to its own channel', async () => {
  server.setPeople('1', '21', ['11'])
  server.setPeople('2', '22', ['12'])
  const [left, right] = [join({ guildId: '1', channelId: '21' }), join({ guildId: '2', channelId: '22' })]
  await Promise.all([left.encrypts(), right.encrypts()])
  const heard = [server.listen('1', '21'), server.listen('2', '22')] as const
  const [a, b] = [opusPackets(30), opusPackets(30)]
  await Promise.all([left.play(a), right.play(b), heard[0].heard(30), heard[1].heard(30)])
  expect(soundOf(heard[0])).toEqual(hex(a))
  expect(soundOf(heard[1])).toEqual(hex(b))
})

test('a wrong token is closed with 4004, a wrong session with 4006', async () => {
  for (const [wrong, code] of [[{ token: 'wrong' }, 4004], [{ sessionId: 'wrong' }, 4006]] as const) {
    const bot = join({ ...wrong, userId: `9${code}`, answers: 1 })
    const closed = await new Promise((resolve) => {
      bot.connection.on('stateChange', (_, state) => {
        if (state.status === VoiceConnectionStatus.Connecting) state.networking.once('close', resolve)
      })
    })
    expect(closed).toBe(code)
    // The library asks its main gateway again at once: bounding that is the bot's affair.
    expect(bot.requests()).toBe(2)
  }
  expect(server.openSessions).toBe(0)
})

test('a dismissed bot is told 4014 and does not come back by itself', async () => {
  server.setPeople(GUILD, CHANNEL, ['11'])
  const bot = join()
  await bot.encrypts()
  const ended = sessionOf('ended')
  server.dismiss(GUILD, BOT)
  expect(await ended).toMatchObject([{ code: 4014 }])
  await entersState(bot.connection, VoiceConnectionStatus.Disconnected, 5_000)
  expect(bot.connection.state).toMatchObject({ reason: VoiceConnectionDisconnectReason.WebSocketClose, closeCode: 4014 })
  expect(bot.requests()).toBe(1)
})

test('a lost wire is resumed in the same session, and changes of the group meanwhile are told', async () => {
  server.setPeople(GUILD, CHANNEL, ['11'])
  const bot = join()
  await bot.encrypts()
  const listener = server.listen(GUILD, CHANNEL)
  const [lost, resumed] = [sessionOf('lost'), sessionOf('resumed')]
  server.closeWith(GUILD, BOT, 1006)
  await lost
  const together = groupOf([BOT, '11', '12'])
  server.setPeople(GUILD, CHANNEL, ['11', '12'])
  await resumed
  await together
  await bot.ready()
  const packets = opusPackets(20)
  await bot.play(packets)
  await listener.heard(20)
  expect(soundOf(listener)).toEqual(hex(packets))
  expect(bot.requests()).toBe(1)
})

test('a bot that moves is heard in the new channel only', async () => {
  server.setPeople(GUILD, CHANNEL, ['11'])
  server.setPeople(GUILD, '2001', ['12'])
  const bot = join()
  await bot.encrypts()
  const [old, next] = [server.listen(GUILD, CHANNEL), server.listen(GUILD, '2001')]
  const together = groupOf([BOT, '12'], '2001')
  bot.connection.rejoin({ channelId: '2001', selfDeaf: false, selfMute: false })
  await together
  await bot.encrypts()
  const packets = opusPackets(10)
  await bot.play(packets)
  await next.heard(10)
  expect(soundOf(next)).toEqual(hex(packets))
  expect(old.speech).toEqual([])
})

test('silent IP discovery leaves the library in connecting; an answer later on a new session lets it in', async () => {
  server.faults.udpSilent = true
  const bot = join()
  await sessionOf('identified')
  await expect(bot.ready(500)).rejects.toThrow()
  expect(bot.connection.state.status).toBe(VoiceConnectionStatus.Connecting)
  server.faults.udpSilent = false
  bot.connection.rejoin()
  await bot.ready()
})

test('a refused identify makes the library ask its main gateway again; a mute server or a withheld description keeps it waiting', async () => {
  const closeCode = (bot: TestBot) => new Promise((resolve) => {
    bot.connection.on('stateChange', (_, state) => {
      if (state.status === VoiceConnectionStatus.Connecting) state.networking.once('close', resolve)
    })
  })
  server.faults.refuseIdentify = 4022
  const refused = join({ userId: '901', answers: 1 })
  expect(await closeCode(refused)).toBe(4022)
  expect(refused.requests()).toBe(2)
  server.faults.refuseIdentify = null

  server.faults.withholdDescription = true
  const waiting = join({ userId: '902' })
  await sessionOf('identified', '902')
  await expect(waiting.ready(300)).rejects.toThrow()
  server.faults.withholdDescription = false

  server.faults.mute = true
  const unanswered = join({ userId: '903' })
  await expect(unanswered.ready(300)).rejects.toThrow()
  expect(unanswered.connection.state.status).toBe(VoiceConnectionStatus.Connecting)
})
