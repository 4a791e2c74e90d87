import { writeSync } from 'node:fs'
import { systemClock } from '../../bot/core/clock.ts'
import { openDataDir } from '../../bot/core/data-dir.ts'
import { createLog } from '../../bot/core/log.ts'
import { openKeeping, write } from './writes.ts'

/** `node writer.ts DATA_DIR FROM`: writes from there on until it is killed, and says of each write that it was kept. */
const [dataDir = '', from = '0'] = process.argv.slice(2)
const { parts } = openDataDir(dataDir, openKeeping, { clock: systemClock, log: createLog('info') })

let next = Number(from)
async function step(): Promise<void> {
  await write(parts, next)
  // Waits until it is out, however slow the reader: not one write more is made before.
  writeSync(1, `${next}\n`)
  next++
  setImmediate(() => void step())
}
void step()
