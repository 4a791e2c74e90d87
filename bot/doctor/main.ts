import { parseArgs, styleText } from 'node:util'
import { commands } from '../../commands/index.ts'
import { systemClock } from '../core/clock.ts'
import { examine } from './examine.ts'
import { textOf } from './text.ts'
import type { Paint } from './text.ts'

/** `npm run doctor`: says where the chain from the settings to a spoken word breaks. Exit 0: all well; 1: works, with warnings; 2: broken. */
const COLORS = { ok: 'green', note: 'cyan', warning: 'yellow', broken: 'red', unseen: 'magenta' } as const

/** `styleText` leaves the colours out where `NO_COLOR` is set, or the output is no terminal. */
const paint: Paint = (level, text) => styleText(COLORS[level], text, { stream: process.stdout })

function wantsJson(): boolean | undefined {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false } } }).values.json
  } catch {
    return undefined
  }
}

const json = wantsJson()
if (json === undefined) {
  console.error('npm run doctor              what is well, and what is not\nnpm run doctor -- --json    the same as one JSON document')
  process.exitCode = 2
} else {
  // The clock's timers alone keep no process alive, and a pause between two looks has nothing else.
  const kept = setInterval(() => {}, 1000)
  const report = await examine(process.env, { clock: systemClock, entries: commands.map(({ data }) => data) }).catch((error: unknown) => {
    console.error('The doctor itself failed, and has seen nothing:', error)
    process.exit(2)
  })
  clearInterval(kept)
  // Whoever still sends, a byte now and then, is waited for no longer.
  process.stdout.write(`${json ? JSON.stringify(report, null, 2) : textOf(report, paint)}\n`, () => process.exit(report.exitCode))
}
