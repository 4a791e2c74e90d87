import { expect } from 'vitest'
import type { Clock } from '../bot/core/clock.ts'
import type { GuildSettings } from '../bot/guilds/settings.ts'
import { splitText } from '../bot/speech/segments.ts'
import { packetsFor, startFaultNode } from './fault-node.ts'
import type { FaultNode } from './fault-node.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { SandboxOptions } from './start.ts'
import type { Listener } from './voice/listener.ts'
import type { Message } from './world.ts'

export const hex = (packets: Iterable<Uint8Array>) => Array.from(packets, (packet) => Buffer.from(packet).toString('hex'))

/** For tests of `/read`: the whole system with one node, and what people do in it by their names. */
export interface ReadingStage extends Stage {
  node: FaultNode
  /** Somebody enters a voice channel. */
  enter(name: string, channel?: string): void
  exit(name: string): void
  /** Somebody writes in a text channel. */
  post(name: string, text: string, channel?: string): Message
  /** `/read here` by somebody; resolves with what the bot answers once it has come. */
  readHere(name?: string, channel?: string): Promise<string>
  /** What is heard in a voice channel from now on. */
  listen(channel?: string): Listener
  choose(change: Partial<GuildSettings>): void
  /** What became of all messages so far, without those of channels that are not read and the bot's own. */
  results(): Promise<Record<string, number>>
  /** The voice channel where the bot is, by its name. */
  botIn(): string | undefined
}

export async function openReading(options: { clock?: Clock; sandbox?: SandboxOptions } = {}): Promise<ReadingStage> {
  const stage = await openStage(options)
  const node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  const { act, world, voice } = stage.sandbox
  const guild = () => world.guilds.get(stage.guildId)
  // The stage's own members are getters too: its bot changes with a restart.
  return Object.create(stage, Object.getOwnPropertyDescriptors({
    node,
    enter: (name: string, channel = 'Lounge') => act.joinVoice(stage.person(name), stage.channel(channel)),
    exit: (name: string) => act.leaveVoice(stage.person(name), stage.guildId),
    post: (name: string, text: string, channel = 'general') => act.sendMessage(stage.person(name), stage.channel(channel), text),
    async readHere(name = 'Mina', channel = 'general') {
      const reply = await stage.reply(name, channel, 'read', {}, { subcommand: 'here' })
      return reply.content
    },
    listen: (channel = 'Lounge') => voice.listen(stage.guildId, stage.channel(channel)),
    choose: (change: Partial<GuildSettings>) => void stage.bot.app.settings.change(stage.guildId, change),
    async results() {
      const { values } = await stage.bot.app.metrics.readMessages.get()
      const counts = values.map(({ labels, value }) => [String(labels.result), value] as const)
      return Object.fromEntries(counts.filter(([result]) => result !== 'notRead' && result !== 'own'))
    },
    botIn() {
      const channelId = guild()?.voiceStates.get(world.application.id)?.channelId
      return channelId === undefined ? undefined : guild()?.channels.get(channelId)?.name
    },
    async close() {
      await stage.close()
      await node.close()
    }
  })) as ReadingStage
}

/** Waits until these texts were heard, packet for packet as the node made them, in this order and nothing else. */
export async function expectHeard(listener: Listener, ...texts: string[]): Promise<void> {
  const packets = texts.flatMap(splitText).flatMap(packetsFor)
  await listener.heard(packets.length, 30_000)
  expect(hex(listener.speech.map(({ opus }) => opus))).toEqual(hex(packets))
}
