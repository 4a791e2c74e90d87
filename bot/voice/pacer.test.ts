import { describe, expect, it } from 'vitest'
import { manualClock } from '../core/manual-clock.ts'
import { createPacer } from './pacer.ts'

const never = () => {
  throw new Error('no step may fail here')
}

describe('the beat', () => {
  it('comes every 20 ms, and no more of it is left when nothing plays', async () => {
    const clock = manualClock()
    const beats: number[] = []
    const stop = createPacer(clock).every(() => beats.push(clock.monotonic()), never)
    await clock.advance(100)
    stop()
    await clock.advance(100)
    expect(beats).toEqual([20, 40, 60, 80, 100])
    expect(clock.pending()).toBe(0)
  })

  it('keeps its time after a timer that was late, and leaves out what it missed while nothing could run', async () => {
    const clock = manualClock()
    let lateMs = 0
    const late = { monotonic: () => clock.monotonic() + lateMs, after: (delayMs: number, task: () => void) => clock.after(delayMs, task) }
    const beats: number[] = []
    const stop = createPacer(late).every(() => beats.push(late.monotonic()), never)
    await clock.advance(20)
    // 9 ms late: the next one is nearer.
    lateMs = 9
    await clock.advance(31)
    // Everything stood still for half a second.
    lateMs = 500
    await clock.advance(40)
    stop()
    expect(beats).toEqual([20, 49, 60, 571, 591])
  })

  it('is one for all, and a step that fails ends alone', async () => {
    const clock = manualClock()
    const pacer = createPacer(clock)
    const counts = [0, 0]
    const faults: unknown[] = []
    const stops = [
      pacer.every(() => (counts[0] = (counts[0] ?? 0) + 1), never),
      pacer.every(
        () => {
          throw new Error('planted')
        },
        (error) => faults.push(error)
      ),
      pacer.every(() => (counts[1] = (counts[1] ?? 0) + 1), never)
    ]
    await clock.advance(100)
    expect(clock.pending()).toBe(1)
    for (const stop of stops) stop()
    expect([counts, faults]).toEqual([[5, 5], [new Error('planted')]])
  })
})
