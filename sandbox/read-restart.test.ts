import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import type { ManualClock } from '../bot/core/manual-clock.ts'
import { DEFAULT_GUILDS } from './seed.ts'
import { expectHeard, openReading } from './test-reading.ts'
import type { ReadingStage } from './test-reading.ts'

let clock: ManualClock
let stage: ReadingStage

beforeEach(async () => {
  clock = manualClock()
  stage = await openReading({ clock })
})

afterEach(() => stage.close())

const inVoice = (channel: string | undefined) => expect.poll(() => stage.botIn()).toBe(channel)

/** The bot knows it too: what people did before this has reached it. */
const settled = () => stage.reply('Alex', 'read-aloud', 'status')

async function readLounge(): Promise<void> {
  stage.enter('Mina')
  await stage.readHere()
  await inVoice('Lounge')
}

describe('after a restart', () => {
  it('returns to the channels where it read, if people are there', async () => {
    await readLounge()
    await stage.restart()
    await stage.register(stage.node)
    await inVoice('Lounge')
    const listener = stage.listen()
    stage.post('Mina', 'Back again.')
    await expectHeard(listener, 'Back again.')
  })

  it('has said that what waited was not read, once, and finished what played', async () => {
    await readLounge()
    const listener = stage.listen()
    const long = 'This is said to its end, whatever happens, and however long it takes to say all of it, which is some seconds in this case.'
    for (const text of [long, 'This waits.', 'And this.']) stage.post('Mina', text)
    await listener.heard(5)
    await stage.restart()
    await expectHeard(listener, long)
    const told = [...stage.sandbox.world.messages.values()].filter(({ content }) => content.includes('restarting'))
    expect(told.length).toBe(1)
  })

  it('returns where it was although it does not come by itself, and not where nobody is', async () => {
    stage.choose({ autoJoin: false })
    await readLounge()
    await stage.restart()
    await inVoice('Lounge')
    stage.exit('Mina')
    await settled()
    await stage.restart()
    await settled()
    expect(stage.bot.app.sessions.all()).toEqual([])
  })

  it('forgets channels that are gone, and servers that threw it out', async () => {
    await readLounge()
    await stage.readHere('Mina', 'read-aloud')
    stage.sandbox.act.deleteChannel(stage.channel('read-aloud'))
    await expect.poll(() => stage.bot.app.readings.all().length).toBe(1)
    // While the bot was away, nobody tells it.
    stage.sandbox.world.guilds.get(stage.guildId)?.channels.delete(stage.channel('general'))
    await stage.restart()
    await expect.poll(() => stage.bot.app.readings.all()).toEqual([])
    await stage.readHere('Mina', 'Lounge')
    stage.sandbox.act.removeBot(stage.guildId)
    await expect.poll(() => stage.bot.app.readings.all()).toEqual([])
  })
})

describe('many servers', () => {
  it('are entered one by one after a restart', async () => {
    await stage.close()
    const [seed] = DEFAULT_GUILDS
    const guilds = Array.from({ length: 4 }, (_, index) => ({ name: `Server ${index}`, channels: seed?.channels ?? [], members: [{ name: `Owner ${index}` }] }))
    stage = await openReading({ clock, sandbox: { guilds } })
    const { world, act } = stage.sandbox
    for (const guild of world.guilds.values()) {
      const [text, , voice] = [...guild.channels.keys()]
      stage.bot.app.readings.add({ guildId: guild.id, textChannelId: text ?? '', voiceChannelId: voice ?? '' })
      act.joinVoice(guild.ownerId, voice ?? '')
    }
    const sessions = () => stage.bot.app.sessions.all().length
    await expect.poll(sessions).toBe(4)
    await stage.restart()
    await expect.poll(sessions).toBe(1)
    await clock.advance(2_000)
    expect(sessions()).toBe(3)
    await clock.advance(1_000)
    expect(sessions()).toBe(4)
  })
})
