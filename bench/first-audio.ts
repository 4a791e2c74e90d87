import { readPosted } from '../bot/speech/reading/read.ts'
import { speak } from '../bot/speech/speak.ts'
import { startFaultNode } from '../sandbox/fault-node.ts'
import { PLAIN_READING, botParts, row } from './bot-parts.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 30
/** What an engine takes for a text: a start, and then by its length. */
const START_MS = 80
const PER_CHAR_MS = 4
const LIMIT = 1.2

const SHORT = 'Good evening and welcome, everybody.'
const LONG = ('Good evening to all of you here. ' + 'This evening we read a long text together, and it has many sentences of an ordinary length. '.repeat(30)).slice(0, 2000)

/** How soon the first packet of 2,000 characters is there, beside that of one short sentence, on a node whose time grows with the text. */
export async function run(): Promise<void> {
  const node = await startFaultNode({ serverId: 'n1' })
  node.synthesisMs = (input) => START_MS + PER_CHAR_MS * input.length
  const { pool, relay, close } = botParts()
  pool.update([row('n1', node.url)])

  async function firstMs(text: string): Promise<number> {
    const startMs = performance.now()
    const read = readPosted({ content: text }, PLAIN_READING)
    if (!read.ok) throw new Error(read.reason)
    const utterance = speak(relay, { ...read, deviceId: 'mina' })
    await utterance.audio[Symbol.asyncIterator]().next()
    const tookMs = performance.now() - startMs
    utterance.cancel()
    return tookMs
  }

  const short: number[] = []
  const long: number[] = []
  for (let index = 0; index < RUNS; index++) {
    short.push(await firstMs(SHORT))
    // What was fetched ahead is given up at once; the node needs a moment to notice.
    await node.idle()
    long.push(await firstMs(LONG))
    await node.idle()
  }
  await node.close()
  await close()
  const ratio = median(long) / median(short)
  report(
    'first-audio',
    [
      { text: `${SHORT.length} characters`, medianMs: round(median(short), 1), p95Ms: round(quantile(short, 0.95), 1) },
      { text: `${LONG.length} characters`, medianMs: round(median(long), 1), p95Ms: round(quantile(long, 0.95), 1) },
      { text: 'ratio', medianMs: round(ratio), p95Ms: round(quantile(long, 0.95) / quantile(short, 0.95)) }
    ],
    { [`2,000 characters start within ${LIMIT} x`]: ratio <= LIMIT }
  )
}
