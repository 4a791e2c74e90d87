import { setTimeout as pause } from 'node:timers/promises'
import { Events } from 'discord.js'
import { PACKET_MS } from '../../bot/audio/opus.ts'
import { Refusal } from '../../sandbox/acts/refusal.ts'
import { startFaultNode } from '../../sandbox/fault-node.ts'
import { openStage } from '../../sandbox/stage.ts'
import type { Stage } from '../../sandbox/stage.ts'
import type { Message } from '../../sandbox/world.ts'
import { seededRandom } from '../random.ts'
import { createPosts } from './posts.ts'
import type { Post } from './posts.ts'
import { seeds, settle, whyNot } from './town.ts'
import type { Place } from './town.ts'

export interface Outcome {
  posted: number
  /** What became of them, as the bot counted it; its own notices are in `own`. */
  results: Readonly<Record<string, number>>
  /** What must have become of those of which it is known beforehand. */
  expected: Readonly<Record<string, number>>
  /** The bot's own notices, as Discord has them. */
  notices: number
  /** How long the bot was busy with each message, in milliseconds. */
  handledMs: readonly number[]
  /** From the last post until every message had ended. */
  drainedMs: number
  /** The longest queue that was seen in a server. */
  queuedMax: number
  /** Faults by their code. */
  faults: Readonly<Record<string, number>>
}

export interface Live {
  seed: number
  messages: number
  servers: number
  /** Messages that may be under way, waiting or being said, in all servers. */
  underWayMax: number
}

const DRAIN_LIMIT_MS = 180_000
const DELETED_SHARE = 0.05
const EDITED_SHARE = 0.05

/** As short as a node's audio may be: a quarter of a packet for each character. */
const shortest = (text: string) => Array.from({ length: 2 + Math.ceil(text.length / 4) }, (_, index) => Uint8Array.of(0xf8, index >> 8, index & 0xff))

/** Posts to the whole bot, over real sockets, what people post to hurt, until every message has ended. */
export async function live({ seed, messages, servers, underWayMax }: Live): Promise<Outcome> {
  const random = seededRandom(seed)
  const stage = await openStage({ sandbox: { guilds: seeds(servers), switches: { rateLimits: false } } })
  const node = await startFaultNode({ serverId: 'n1', concurrency: 32, queueMax: 1_000, packetsOf: shortest })
  try {
    await stage.register(node, { capacity: 1_000, concurrency: 32 })
    const places = Array.from({ length: servers }, (_, index) => settle(stage, index, { isEmpty: index === servers - 1, random }))
    await until(() => stage.bot.app.sessions.all().filter((session) => session.connection().status === 'ready').length === servers - 1)
    return await postAll(stage, places, { messages, underWayMax, random })
  } finally {
    await stage.close()
    await node.close()
  }
}

async function postAll(stage: Stage, places: readonly Place[], { messages, underWayMax, random }: Pick<Live, 'messages' | 'underWayMax'> & { random: () => number }): Promise<Outcome> {
  const { app, client } = stage.bot
  const { world } = stage.sandbox
  const next = createPosts(random)
  const handledMs: number[] = []
  let startMs = 0
  client.prependListener(Events.MessageCreate, () => (startMs = performance.now()))
  client.on(Events.MessageCreate, () => void handledMs.push(performance.now() - startMs))
  let notices = 0
  world.events.on('message', ({ authorId, flags }) => {
    if (authorId === world.application.id && (flags & 64) === 0) notices += 1
  })
  const expected: Record<string, number> = {}
  let posted = 0
  let queuedMax = 0
  const ended = async () => {
    const { own = 0, ...results } = await totals(app.metrics.readMessages, 'result')
    return { count: Object.values(results).reduce((sum, count) => sum + count, 0), own, results }
  }
  while (posted < messages) {
    const what = postOne(stage, places, next(), random)
    if (what === undefined) continue
    posted += 1
    if (what.result !== undefined) expected[what.result] = (expected[what.result] ?? 0) + 1
    if (posted % 20 !== 0) continue
    queuedMax = Math.max(queuedMax, ...app.sessions.all().map((session) => session.queued()))
    await until(async () => posted - (await ended()).count <= underWayMax)
  }
  const postedMs = performance.now()
  await until(async () => (await ended()).count >= messages)
  const drainedMs = performance.now() - postedMs
  await until(async () => (await ended()).own >= notices)
  const { results, own } = await ended()
  return { posted, results: { ...results, own }, expected, notices, handledMs, drainedMs, queuedMax, faults: await totals(app.metrics.faults, 'code') }
}

/** Posts it somewhere; nothing when Discord's client would not let it through. */
function postOne(stage: Stage, places: readonly Place[], post: Post, random: () => number): { result: string | undefined } | undefined {
  const { act } = stage.sandbox
  // Some servers and some people are louder than others.
  const skewed = <T>(all: readonly T[]) => all[Math.floor(random() ** 1.5 * all.length)]
  const place = random() < 0.03 ? places.at(-1) : skewed(places)
  const channel = place?.channels[Math.floor(random() * place.channels.length)]
  const person = place && skewed(place.people)
  if (place === undefined || channel === undefined || person === undefined) return undefined
  try {
    const message = put(stage, post, place, channel.id, person)
    if (message === undefined) return undefined
    if (post.kind !== 'webhook' && post.kind !== 'bot') {
      if (random() < EDITED_SHARE) act.editMessage(person, message.id, `${message.content}, edited`)
      if (random() < DELETED_SHARE) act.deleteMessage(person, message.id)
    }
    return { result: whyNot(place, channel, person, post.kind) }
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function put(stage: Stage, { kind, content, sent }: Post, place: Place, channelId: string, person: string): Message | undefined {
  const { act, world } = stage.sandbox
  const last = [...world.messages.values()].at(-1)
  switch (kind) {
    case 'webhook':
      return act.postByWebhook(`${place.guild.id.slice(0, -1)}7`, channelId, content.slice(0, 20) || 'Webhook', content)
    case 'system':
      return act.postSystemMessage(person, channelId, 7)
    case 'forward':
      return last && act.forwardMessage(person, channelId, last.id)
    case 'bot':
      return act.sendMessage(place.bot, channelId, content, sent)
    case 'reply':
      return act.sendMessage(person, channelId, content, { ...sent, ...(last && { replyToId: last.id }) })
    case 'words':
    case 'files':
    case 'voiceMessage':
    case 'stickers':
    case 'poll':
      return act.sendMessage(person, channelId, content, sent)
  }
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const limitMs = performance.now() + DRAIN_LIMIT_MS
  while (!(await isTrue())) {
    if (performance.now() > limitMs) throw new Error(`it did not happen within ${DRAIN_LIMIT_MS} ms`)
    await pause(PACKET_MS)
  }
}

async function totals(metric: { get(): Promise<{ values: { value: number; labels: object }[] }> }, label: string): Promise<Record<string, number>> {
  const { values } = await metric.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String((labels as Record<string, unknown>)[label]), value]))
}
