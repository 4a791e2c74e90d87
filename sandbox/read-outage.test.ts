import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { expectHeard, openReading } from './test-reading.ts'
import type { ReadingStage } from './test-reading.ts'

let stage: ReadingStage
afterEach(() => stage.close())

/** A bot whose clock goes ahead of Discord's by so much: what it is told of later was written that long ago. */
async function openAhead(aheadMs: number): Promise<void> {
  stage = await openReading({ clock: manualClock(Date.now() + aheadMs) })
  stage.enter('Mina')
  await stage.readHere()
}

/** Cuts the bot off from Discord, which tells it afterwards of what was written meanwhile. */
function writeInOutage(...texts: string[]): void {
  stage.sandbox.gateway.drop()
  for (const text of texts) stage.post('Mina', text)
}

describe('after an outage', () => {
  it('what was written in it is read while people may still talk about it', async () => {
    await openAhead(30_000)
    const listener = stage.listen()
    writeInOutage('A moment ago.', 'And this.')
    await expectHeard(listener, 'A moment ago.', 'And this.')
  })

  it('what is older is left out, which is told once, and what is written now is read, whatever our clock says', async () => {
    await openAhead(600_000)
    const listener = stage.listen()
    stage.post('Mina', 'Before.')
    await expectHeard(listener, 'Before.')
    writeInOutage('Long ago.', 'Long ago too.', 'And this.')
    await expect.poll(() => stage.results()).toEqual({ heard: 1, old: 3 })
    stage.post('Mina', 'Now.')
    await expectHeard(listener, 'Before.', 'Now.')
    const told = [...stage.sandbox.world.messages.values()].filter(({ content }) => content.includes('waited for more than 90 s'))
    expect(told.length).toBe(1)
  })
})
