import { beforeEach, describe, expect, it } from 'vitest'
import { silentLog } from '../core/log.ts'
import { manualClock } from '../core/manual-clock.ts'
import type { ManualClock } from '../core/manual-clock.ts'
import { LIVE_MS, createPanels } from './panels.ts'
import type { Panels } from './panels.ts'

let clock: ManualClock
let panels: Panels
beforeEach(() => {
  clock = manualClock()
  panels = createPanels({ clock, log: silentLog })
})

/** A message as Discord would have it. */
function open(id: string, render: () => string = () => 'same') {
  const edits: { text: string; atMs: number }[] = []
  let fails = false
  panels.keep(id, render(), {
    render: async () => render(),
    ended: async () => 'ended',
    async edit(text) {
      if (fails) throw new Error('gone')
      edits.push({ text, atMs: clock.monotonic() })
    }
  })
  return { edits, texts: () => edits.map(({ text }) => text), fail: () => (fails = true) }
}

describe('a panel', () => {
  it('is edited when something has changed, and at most every five seconds', async () => {
    let count = 0
    const changing = open('a', () => String((count += 1)))
    const still = open('b')
    await clock.advance(60_000)
    expect(changing.edits.length).toBe(12)
    expect(changing.edits.every(({ atMs }, index) => atMs - (changing.edits[index - 1]?.atMs ?? 0) >= 5_000)).toBe(true)
    expect(still.edits).toEqual([])
  })

  it('says before its token dies that it has ended, and is not touched again', async () => {
    const { edits, texts } = open('a')
    await clock.advance(LIVE_MS - 1)
    expect(texts()).toEqual([])
    await clock.advance(10_000)
    expect(texts()).toEqual(['ended'])
    expect(edits[0]?.atMs).toBeLessThan(14.5 * 60_000)
    await clock.advance(60 * 60_000)
    expect([texts(), panels.count(), clock.pending()]).toEqual([['ended'], 0, 0])
  })

  it('begins anew with each new token, and its old one is not used any more', async () => {
    let now = 'first'
    const before = open('a', () => now)
    await clock.advance(LIVE_MS - 60_000)
    const after = open('a', () => now)
    now = 'second'
    await clock.advance(LIVE_MS - 60_000)
    expect([before.texts(), after.texts(), panels.count()]).toEqual([[], ['second'], 1])
  })

  it('is left alone when it is about to be changed', async () => {
    let count = 0
    const panel = open('a', () => String((count += 1)))
    panels.leave('a')
    await clock.advance(LIVE_MS)
    expect([panel.texts(), panels.count(), clock.pending()]).toEqual([[], 0, 0])
  })

  it('that was dismissed is forgotten', async () => {
    let count = 0
    const panel = open('a', () => String((count += 1)))
    panel.fail()
    await clock.advance(5_000)
    expect([panels.count(), clock.pending()]).toEqual([0, 0])
  })
})

describe('too many panels', () => {
  it('are no more than eight at once: the oldest says that it has ended', async () => {
    const all = Array.from({ length: 10 }, (_, index) => open(String(index)))
    await clock.advance(0)
    expect([panels.count(), all.map(({ texts }) => texts().length)]).toEqual([8, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]])
  })

  it('all say so when the bot ends', async () => {
    const all = Array.from({ length: 3 }, (_, index) => open(String(index)))
    await panels.close()
    const late = open('late')
    await clock.advance(0)
    expect([[...all, late].map(({ texts }) => texts()), panels.count(), clock.pending()]).toEqual([[['ended'], ['ended'], ['ended'], ['ended']], 0, 0])
  })
})
