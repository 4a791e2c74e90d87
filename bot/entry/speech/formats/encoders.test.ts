import { afterEach, expect, it } from 'vitest'
import { muxOggOpus, parseOggOpus } from '../../../audio/ogg.ts'
import type { OpusStream } from '../../../audio/ogg.ts'
import { toneOf } from '../../../audio/test-sound.ts'
import { silentLog } from '../../../core/log.ts'
import { manualClock } from '../../../core/manual-clock.ts'
import { createEncoders } from './encoders.ts'
import type { Encoders } from './encoders.ts'

let encoders: Encoders
afterEach(() => encoders.close())

function segment(): OpusStream {
  const parsed = parseOggOpus(muxOggOpus({ packets: toneOf(200, () => 0.5) }))
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.stream
}

it('a file that is given up before its encoder was there takes nothing from the others, now or later', async () => {
  const clock = manualClock()
  encoders = createEncoders({ clock, log: silentLog })
  const kept = encoders.open('wav')
  encoders.open('mp3').close()
  const broken = encoders.open('flac')
  const lost = broken.add(segment())
  broken.close()
  await expect(lost).rejects.toMatchObject({ code: 'CANCELLED' })
  const bytes = await kept.add(segment())
  expect(bytes.length).toBeGreaterThan(0)
  expect(clock.pending()).toBe(0)
  await clock.advance(61_000)
  expect((await kept.add(segment())).length).toBe(bytes.length)
})
