import type { ManualClock } from '../bot/core/manual-clock.ts'
import { splitText } from '../bot/speech/segments.ts'
import type { ConnectionState } from '../bot/voice/connection-state.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { DEFAULT_GUILDS } from './seed.ts'
import type { GuildSeed } from './seed.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { Listener } from './voice/listener.ts'
import type { Interaction, Message } from './world.ts'

const LIMIT_MS = 30_000
const LOOK_MS = 5
const STEP_MS = 200

/** 1.6 s of speech in one segment: long enough for something to happen while it is being said. */
export const LONG = 'A sentence, said while a lot goes wrong.'

/** A stage with one node and Mina in *Lounge*, for tests of what happens to a voice connection while it speaks. */
export interface VoiceStage extends Stage {
  node: FaultNode
  botId: string
  say(text: string, deliver?: string): Interaction
  listen(channel?: string): Listener
  /** Where the connection stands; undefined without a session. */
  state(): ConnectionState | undefined
  /** What the bot has posted in *general* for all to see, beside its replies. */
  notices(): Message[]
  /** Resolves once it is true, whatever changes; with a clock that stands still, it goes on by steps meanwhile. @throws after 30 s */
  until(isTrue: () => boolean, clock?: ManualClock): Promise<void>
}

export async function openVoiceStage(options: { clock?: ManualClock; guilds?: readonly GuildSeed[] } = {}): Promise<VoiceStage> {
  const { guilds = DEFAULT_GUILDS.map((seed) => ({ ...seed, channels: [...seed.channels, { name: 'Town hall', type: 13 as const }] })) } = options
  const stage = await openStage({ sandbox: { guilds }, ...(options.clock !== undefined && { clock: options.clock }) })
  const node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  const { act, world, voice } = stage.sandbox
  act.joinVoice(stage.person('Mina'), stage.channel('Lounge'))
  const botId = world.application.id
  return {
    ...stage,
    get bot() {
      return stage.bot
    },
    node,
    botId,
    say: (text, deliver = 'voice') => stage.slash('Mina', 'general', 'say', { text, deliver }),
    listen: (channel = 'Lounge') => voice.listen(stage.guildId, stage.channel(channel)),
    state: () => stage.bot.app.sessions.get(stage.guildId)?.connection(),
    notices: () =>
      [...world.messages.values()].filter(({ authorId, channelId, interactionId }) => authorId === botId && channelId === stage.channel('general') && interactionId === null),
    until,
    async close() {
      let closed = false
      const closing = stage.close().finally(() => (closed = true))
      // What still plays is waited for, for a time.
      if (options.clock !== undefined) await until(() => closed, options.clock)
      await closing
      await node.close()
    }
  }
}

async function until(isTrue: () => boolean, clock?: ManualClock): Promise<void> {
  const endMs = performance.now() + LIMIT_MS
  while (!isTrue()) {
    if (performance.now() > endMs) throw new Error(`it did not happen within ${LIMIT_MS} ms: ${isTrue.toString()}`)
    await clock?.advance(STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Packets as comparable text. */
export const hex = (packets: Iterable<Uint8Array>): string[] => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

/** What a text is when it is heard whole. */
export const soundOf = (...texts: string[]): string[] => hex(texts.flatMap((text) => splitText(text).flatMap(packetsFor)))

export const heardBy = (...listeners: Listener[]): string[] => hex(listeners.flatMap(({ speech }) => speech).map(({ opus }) => opus))
