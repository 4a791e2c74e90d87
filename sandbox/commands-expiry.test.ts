import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../bot/core/clock.ts'
import { startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Message } from './world.ts'

/** Discord's time and the bot's, which need not agree. */
const ahead = { discordMs: 0, botMs: 0 }
const clockOf = (whose: keyof typeof ahead) => ({ ...systemClock, now: () => Date.now() + ahead[whose] })

const LATE_MS = 15 * 60_000

let stage: Stage
let node: FaultNode

beforeEach(async () => {
  Object.assign(ahead, { discordMs: 0, botMs: 0 })
  stage = await openStage({ clock: clockOf('botMs'), sandbox: { clock: clockOf('discordMs') } })
  node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
})

afterEach(async () => {
  await stage.close()
  await node.close()
})

/** From the moment on in which an answer is deferred, it is that late. */
function lateOnceDeferred(later: typeof ahead): void {
  stage.sandbox.world.events.on('interactionChanged', ({ state }) => {
    if (state === 'deferred') Object.assign(ahead, later)
  })
}

/** What the bot posted without being asked by a command. */
const posted = () => [...stage.sandbox.world.messages.values()].filter(({ authorId, interactionId }) => authorId === stage.sandbox.world.application.id && interactionId === null)

async function firstPosted(): Promise<Message> {
  await stage.sandbox.act.until(() => posted().length > 0)
  const [message] = posted()
  if (message === undefined) throw new Error('nothing was posted')
  return message
}

describe.each([
  ['by both clocks', { discordMs: LATE_MS, botMs: LATE_MS }],
  ['by Discord’s clock alone', { discordMs: LATE_MS, botMs: 0 }]
])('a command whose token has died %s', (_which, later) => {
  it('is answered in the channel when its member must know, and mentions nobody else', async () => {
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    node.fault = 'refuseText'
    lateOnceDeferred(later)
    stage.slash('Mina', 'general', 'say', { text: `Hi <@${stage.person('Haru')}> @everyone` })
    const { content, mentionedUserIds, mentionsEveryone, channelId } = await firstPosted()
    expect(content).toMatch(new RegExp(`^<@${stage.person('Mina')}> .*can’t say that text`))
    expect([mentionedUserIds, mentionsEveryone, channelId]).toEqual([[stage.person('Mina')], false, stage.channel('general')])
  })

  it('is answered there with its recording too, from the menu of a message', async () => {
    const message = stage.sandbox.act.sendMessage(stage.person('Haru'), stage.channel('general'), 'A message that takes a while.')
    lateOnceDeferred(later)
    stage.sandbox.act.menu(stage.person('Mina'), message.id, 'Read aloud')
    const { content, attachments, mentionedUserIds } = await firstPosted()
    expect([content, attachments.length, mentionedUserIds]).toEqual([`<@${stage.person('Mina')}> 🎧 1.2 s`, 1, [stage.person('Mina')]])
  })

  it('is not answered where only its progress is left to tell: the speech itself was heard', async () => {
    stage.sandbox.act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
    const listener = stage.sandbox.voice.listen(stage.guildId, stage.channel('Lounge'))
    lateOnceDeferred(later)
    stage.slash('Mina', 'general', 'say', { text: 'Heard, late as it is.' })
    await listener.heard(42)
    // It ends only when all commands have been answered.
    await stage.restart()
    expect(posted()).toEqual([])
  })
})
