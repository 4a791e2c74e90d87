import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../bot/core/clock.ts'
import { openDataDir } from '../bot/core/data-dir.ts'
import { createLog } from '../bot/core/log.ts'
import { contentOf, openKeeping, write } from './crash/writes.ts'

const WRITER = fileURLToPath(new URL('crash/writer.ts', import.meta.url))
const KILLS = 40

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'voxpool-crash-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** The same numbers in every run, 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * A writer that is killed once it has said of so many writes that they were kept; of none: so many milliseconds after its start, wherever it is then.
 * @returns the last write that it said was kept, or `from - 1`
 */
async function writeUntilKilled(from: number, { writes, afterMs }: { writes: number; afterMs: number }): Promise<number> {
  const writer = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', WRITER, dataDir, String(from)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  const closed = once(writer, 'close')
  writer.stdout.on('data', (text: Buffer) => {
    said += text.toString()
    if (writes > 0 && said.split('\n').length > writes) writer.kill('SIGKILL')
  })
  if (writes === 0) await delay(afterMs).then(() => writer.kill('SIGKILL'))
  await closed
  const kept = said.split('\n').slice(0, -1)
  expect(kept).toEqual(kept.map((_, at) => String(from + at)))
  return from + kept.length - 1
}

describe('a bot that is killed at any moment', () => {
  it('has kept every setting, voice and dictionary entry of which it had said so, and no half of any', async () => {
    const random = seeded(20_260_506)
    const said: string[] = []
    const log = createLog('info', [], { write: (line) => said.push(line) })
    // The same writes, undisturbed.
    const model = new DatabaseSync(':memory:')
    const undisturbed = openKeeping(model)
    let done = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const writes = random() < 0.8 ? Math.ceil(random() * 80) : 0
      const last = await writeUntilKilled(done, { writes, afterMs: random() * 600 })
      for (; done <= last; done++) await write(undisturbed, done)

      const opened = openDataDir(dataDir, openKeeping, { clock: systemClock, log })
      const { database } = opened
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      // One more may have been kept before it could say so.
      if (contentOf(database) !== contentOf(model)) await write(undisturbed, done++)
      expect(contentOf(database)).toBe(contentOf(model))
      await opened.close()
    }
    expect(said).toEqual([])
    expect(done).toBeGreaterThan(KILLS * 10)
  }, 300_000)
})
