import { Agent, request } from 'undici'
import { readPosted } from '../bot/speech/reading/read.ts'
import { speak } from '../bot/speech/speak.ts'
import { createPackets } from '../bot/voice/packets.ts'
import { hrtimeMs } from '../sandbox/fault-node.ts'
import { openStage } from '../sandbox/stage.ts'
import { PLAIN_READING, botParts, row, workerNode } from './bot-parts.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 500
const COMMANDS = 200
const WARM_UP = 50
const LIMITS_MS = { median: 1, p95: 3 }

interface Times {
  /** From the beginning until the node has the request. */
  outMs: number
  /** From the node's last byte until the first packet can be played. */
  inMs: number
}

/** The bot's own time in one segment, above that of a plain undici request to the same node in the same run. */
export async function run(): Promise<void> {
  const node = await workerNode('n1', 0)
  const { pool, relay, close } = botParts()
  pool.update([row('n1', node.url)])
  const dispatcher = new Agent()

  async function direct(text: string): Promise<number> {
    const body = JSON.stringify({ model: 'voxpool', input: text, voice: 'auto', response_format: 'opus', speed: 1 })
    const response = await request(`${node.url}/v1/audio/speech`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-request-id': 'direct' }, body, dispatcher })
    await response.body.arrayBuffer()
    return hrtimeMs()
  }

  async function viaBot(text: string): Promise<number> {
    const read = readPosted({ content: text }, PLAIN_READING)
    if (!read.ok) throw new Error('refused')
    const segments = speak(relay, { ...read, deviceId: 'mina' }).audio[Symbol.asyncIterator]()
    const first = await segments.next()
    if (first.done) throw new Error('no audio')
    if (createPackets(first.value, segments, () => true).next() === undefined) throw new Error('no packet')
    return hrtimeMs()
  }

  async function timed(way: (text: string) => Promise<number>, text: string): Promise<Times> {
    const startMs = hrtimeMs()
    const endMs = await way(text)
    const [received] = await node.received()
    if (received === undefined) throw new Error('the node heard nothing')
    return { outMs: received.atMs - startMs, inMs: endMs - received.answeredMs }
  }

  const plain: Times[] = []
  const ours: Times[] = []
  for (let index = 0; index < RUNS + WARM_UP; index++) {
    const text = `Sentence number ${index}, of an ordinary length.`
    const pair = [await timed(direct, text), await timed(viaBot, text)] as const
    if (index < WARM_UP) continue
    plain.push(pair[0])
    ours.push(pair[1])
  }
  await close()
  const commands = await commandTimes(node)
  await node.close()

  const outBase = median(plain.map(({ outMs }) => outMs))
  const addedByCommand = commands.map((ms) => ms - outBase)
  const rows = (['outMs', 'inMs'] as const).map((way) => {
    const base = median(plain.map((times) => times[way]))
    const added = ours.map((times) => times[way] - base)
    return {
      what: way === 'outMs' ? 'speak -> node has the request' : 'node’s last byte -> first packet',
      directMedianMs: round(base),
      botMedianMs: round(median(ours.map((times) => times[way]))),
      addedMedianMs: round(median(added)),
      addedP95Ms: round(quantile(added, 0.95)),
      noiseP95Ms: round(quantile(plain.map((times) => times[way] - base), 0.95))
    }
  })
  rows.unshift({
    what: 'command arrives -> node has the request',
    directMedianMs: round(outBase),
    botMedianMs: round(median(commands)),
    addedMedianMs: round(median(addedByCommand)),
    addedP95Ms: round(quantile(addedByCommand, 0.95)),
    noiseP95Ms: rows[0]?.noiseP95Ms ?? NaN
  })
  report('relay', rows, {
    [`added median <= ${LIMITS_MS.median} ms each`]: rows.every(({ addedMedianMs }) => addedMedianMs <= LIMITS_MS.median),
    [`added p95 <= ${LIMITS_MS.p95} ms each`]: rows.every(({ addedP95Ms }) => addedP95Ms <= LIMITS_MS.p95)
  })
}

/** The whole way of `/say` through discord.js: from the event of the interaction until the node has the request. */
async function commandTimes(node: Awaited<ReturnType<typeof workerNode>>): Promise<number[]> {
  const stage = await openStage()
  await stage.register(node)
  const times: number[] = []
  let arrivedMs = 0
  stage.bot.client.prependListener('interactionCreate', () => {
    arrivedMs = hrtimeMs()
  })
  await node.received()
  for (let index = 0; index < COMMANDS + WARM_UP; index++) {
    // The sandbox keeps Discord's rate limits: four members, each at their ease.
    await stage.reply(['Mina', 'Haru', 'Jisoo', 'Alex'][index % 4] ?? '', 'general', 'say', { text: `Command number ${index}.`, deliver: 'file' })
    const [received] = await node.received()
    if (received !== undefined && index >= WARM_UP) times.push(received.atMs - arrivedMs)
  }
  await stage.close()
  return times
}
