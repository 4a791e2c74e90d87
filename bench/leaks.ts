import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { getVoiceConnection } from '@discordjs/voice'
import type { Client } from 'discord.js'
import { openSessionIn } from '../bot/discord/guild.ts'
import { speak } from '../bot/speech/speak.ts'
import { startFaultNode } from '../sandbox/fault-node.ts'
import { openStage } from '../sandbox/stage.ts'
import type { Stage } from '../sandbox/stage.ts'
import { report, round } from './report.ts'

const SERVERS = 50
const WARM_UP_ROUNDS = 10
const ROUNDS = 40
/** Every so many rounds a few servers' voice sessions are thrown out, and come back. */
const REJOIN_EVERY = 10
const REJOINING = 2
const GROWTH_MAX = 0.1
/** The bot's own clockwork comes and goes; what leaks does so in every server. */
const RESOURCES_MORE_MAX = 5

/** A fifth of a second, always the same: after the first time it comes out of the cache. */
const TEXT = 'Hi'

interface Emitter {
  eventNames(): (string | symbol)[]
  listenerCount(name: string | symbol): number
}

interface Kept {
  heapBytes: number
  /** On the gateway's client and on everything of the voice connections. */
  listeners: number
  /** Timers and sockets that keep the process alive. */
  resources: number
}

/** 2,000 utterances in 50 servers, through the whole bot and real sockets, with 8 rejoins on the way: what is kept of them afterwards. */
export async function run(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const guilds = Array.from({ length: SERVERS }, (_, index) => ({ name: `Server ${index}`, channels: [{ name: 'Lounge', type: 2 as const }], members: [{ name: `Person ${index}` }] }))
  const stage = await openStage({ sandbox: { guilds } })
  const node = await startFaultNode({ serverId: 'n1' })
  await stage.register(node)
  for (const guild of stage.sandbox.world.guilds.values()) {
    const [channel] = guild.channels.keys()
    if (channel !== undefined) stage.sandbox.act.joinVoice(guild.ownerId, channel)
  }

  await speakRounds(stage, WARM_UP_ROUNDS)
  const before = kept(stage.bot.client, collect)
  const startMs = performance.now()
  const heard = await speakRounds(stage, ROUNDS)
  const tookMs = performance.now() - startMs
  const after = kept(stage.bot.client, collect)
  await stage.close()
  await node.close()

  const growth = after.heapBytes / before.heapBytes - 1
  report(
    'leaks',
    [
      { what: 'utterances heard', before: WARM_UP_ROUNDS * SERVERS, after: heard },
      { what: 'heap after a collection, MB', before: round(before.heapBytes / 1e6, 2), after: round(after.heapBytes / 1e6, 2) },
      { what: 'listeners', before: before.listeners, after: after.listeners },
      { what: 'timers and sockets', before: before.resources, after: after.resources },
      { what: 'heap growth, %', before: 0, after: round(growth * 100, 1) },
      { what: 'seconds', before: 0, after: round(tookMs / 1000, 1) }
    ],
    {
      [`all ${ROUNDS * SERVERS} utterances are heard`]: heard === ROUNDS * SERVERS,
      [`the heap grows by at most ${GROWTH_MAX * 100} %`]: growth <= GROWTH_MAX,
      'no listener more': after.listeners <= before.listeners,
      [`at most ${RESOURCES_MORE_MAX} timers and sockets more`]: after.resources - before.resources <= RESOURCES_MORE_MAX
    }
  )
}

/** One utterance in every server at once, so many times. Returns how many were heard. */
async function speakRounds({ bot, sandbox }: Stage, rounds: number): Promise<number> {
  const { app, client } = bot
  let heard = 0
  for (let count = 1; count <= rounds; count++) {
    const endings = client.guilds.cache.map(async (guild) => {
      const channelId = guild.channels.cache.find((channel) => channel.isVoiceBased())?.id ?? ''
      const place = openSessionIn(guild, channelId, app.sessions).enqueue(speak(app.relay, { text: TEXT, deviceId: guild.id }), { authorId: guild.ownerId })
      if (place.ok && (await place.ended).outcome === 'heard') heard += 1
    })
    await Promise.all(endings)
    if (count % REJOIN_EVERY === 0) for (const guildId of client.guilds.cache.firstKey(REJOINING)) sandbox.voice.closeWith(guildId, client.user?.id ?? '', 4006)
  }
  await Promise.all(app.sessions.all().map((session) => session.ready()))
  return heard
}

function kept(client: Client, collect: () => void): Kept {
  collect()
  const emitters: Emitter[] = [client, process]
  for (const guildId of client.guilds.cache.keys()) {
    const connection = getVoiceConnection(guildId)
    if (connection === undefined) continue
    emitters.push(connection)
    if (!('networking' in connection.state)) continue
    const { networking } = connection.state
    emitters.push(networking)
    if ('ws' in networking.state) emitters.push(networking.state.ws)
    if ('udp' in networking.state) emitters.push(networking.state.udp)
  }
  const listeners = emitters.reduce((sum, emitter) => sum + emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0), 0)
  return { heapBytes: process.memoryUsage().heapUsed, listeners, resources: process.getActiveResourcesInfo().length }
}
