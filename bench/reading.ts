import { DEFAULT_RULES, TEXT_MAX, readPosted } from '../bot/speech/reading/read.ts'
import type { Posted } from '../bot/speech/reading/posted.ts'
import { splitText } from '../bot/speech/segments.ts'
import { PLAIN_READING } from './bot-parts.ts'
import { seededRandom } from './random.ts'
import { jumbled, nasty } from './reading/nasty.ts'
import { ordinary } from './reading/ordinary.ts'
import { median, quantile, report, round } from './report.ts'

const RUNS = 21
/** Of a message's runs: what is above it is what else the machine did. */
const QUARTILE = 0.25
const WARM_UP = 20
const JUMBLED = 200
const LIMIT_US = 5000

const context = {
  ...PLAIN_READING,
  names: { user: () => '꧁ Mina ꧂', role: () => 'Helpers', channel: () => '💬┃general' },
  rules: { ...PLAIN_READING.rules, links: 'site', spoilers: 'read', code: 'read' } as const
}

interface Message {
  group: string
  name: string
  posted: Posted
  maxLength?: number
}

/** What reading costs a message, cut into segments too; each message's time is the lower quartile of its runs, warm. */
export async function run(): Promise<void> {
  const messages = corpus()
  for (let turn = 0; turn < WARM_UP; turn++) for (const message of messages) readWhole(message)
  const times = messages.map((): number[] => [])
  // Round by round, so that what else the machine does falls on single runs of many messages, not on all of one.
  for (let turn = 0; turn < RUNS; turn++) for (const [index, message] of messages.entries()) times[index]?.push(timedUs(message))
  const timed = messages.map((message, index) => ({ ...message, us: quantile(times[index] ?? [], QUARTILE) }))

  const groups = [...new Set(messages.map(({ group }) => group)), 'all']
  const rows = groups.map((group) => {
    const those = timed.filter((each) => group === 'all' || each.group === group)
    const us = those.map((each) => each.us)
    const worst = those.reduce((worst, each) => (each.us > worst.us ? each : worst))
    return {
      group,
      messages: those.length,
      medianUs: round(median(us), 1),
      p99Us: round(quantile(us, 0.99), 1),
      worstUs: round(worst.us, 1),
      worst: worst.name
    }
  })
  report('reading', rows, { [`every message below ${LIMIT_US} µs`]: timed.every(({ us }) => us < LIMIT_US) })
}

function corpus(): Message[] {
  const short = Object.entries(ordinary).flatMap(([group, contents]) => contents.map((content) => ({ group, name: Array.from(content.replaceAll('\n', ' ')).slice(0, 30).join(''), posted: { content } })))
  const long = Object.entries(ordinary).map(([language, contents]) => ({
    group: 'long',
    name: `2,000 characters, ${language}`,
    posted: { content: contents.join('\n').repeat(10).slice(0, TEXT_MAX) }
  }))
  const random = seededRandom(1)
  const drawn = Array.from({ length: JUMBLED }, (_, index) => ({
    group: 'jumbled',
    name: `jumbled ${index}`,
    posted: { content: jumbled((below) => Math.floor(random() * below)) }
  }))
  const hurting = nasty.map(({ name, content }) => ({ group: 'nasty', name, posted: { content } }))
  const cut = [...long, ...hurting].map((message) => ({ ...message, group: 'cut', maxLength: DEFAULT_RULES.maxLength }))
  return [...short, ...long, ...hurting, ...drawn, ...cut]
}

function timedUs(message: Message): number {
  const startMs = performance.now()
  readWhole(message)
  return (performance.now() - startMs) * 1000
}

function readWhole({ posted, maxLength = TEXT_MAX }: Message): number {
  const read = readPosted(posted, { ...context, rules: { ...context.rules, maxLength } })
  return read.ok ? splitText(read.text).length : 0
}
