import { Agent, request } from 'undici'
import { speak } from '../bot/speech/speak.ts'
import { PacketStream } from '../bot/voice/packets.ts'
import { hrtimeMs } from '../sandbox/fault-node.ts'
import { botParts, row, workerNode } from './bot-parts.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 500
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
  const names = { user: () => undefined, role: () => undefined, channel: () => undefined }

  async function direct(text: string): Promise<number> {
    const body = JSON.stringify({ model: 'voxpool', input: text, voice: 'auto', response_format: 'opus', speed: 1 })
    const response = await request(`${node.url}/v1/audio/speech`, { method: 'POST', headers: { 'content-type': 'application/json', 'x-request-id': 'direct' }, body, dispatcher })
    await response.body.arrayBuffer()
    return hrtimeMs()
  }

  async function viaBot(text: string): Promise<number> {
    const spoken = speak(relay, { text, names, deviceId: 'mina' })
    if (!spoken.ok) throw new Error('refused')
    const segments = spoken.utterance.audio[Symbol.asyncIterator]()
    const first = await segments.next()
    if (first.done) throw new Error('no audio')
    if ((new PacketStream(first.value, segments).read() as Buffer | null) === null) throw new Error('no packet')
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
  await node.close()
  await close()

  const rows = (['outMs', 'inMs'] as const).map((way) => {
    const base = median(plain.map((times) => times[way]))
    const added = ours.map((times) => times[way] - base)
    return {
      what: way === 'outMs' ? 'command -> node has the request' : 'node’s last byte -> first packet',
      directMedianMs: round(base),
      botMedianMs: round(median(ours.map((times) => times[way]))),
      addedMedianMs: round(median(added)),
      addedP95Ms: round(quantile(added, 0.95)),
      noiseP95Ms: round(quantile(plain.map((times) => times[way] - base), 0.95))
    }
  })
  report('relay', rows, {
    [`added median <= ${LIMITS_MS.median} ms each`]: rows.every(({ addedMedianMs }) => addedMedianMs <= LIMITS_MS.median),
    [`added p95 <= ${LIMITS_MS.p95} ms each`]: rows.every(({ addedP95Ms }) => addedP95Ms <= LIMITS_MS.p95)
  })
}
