import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VoxError } from '../core/errors.ts'
import { createSlots } from './slots.ts'

/** Works that end when they are told to. */
function works() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, work, end }
}

describe('a node’s slots', () => {
  it('run as many at once as they are, and the rest by priority, then in order', async () => {
    const { started, work, end } = works()
    const slots = createSlots(1, 10)
    const all = [slots.run(work('a'), { priority: () => 5 }), slots.run(work('later'), { priority: () => 6 }), slots.run(work('b'), { priority: () => 5 }), slots.run(work('now'), { priority: () => 0 }), slots.run(work('c'), { priority: () => 5 })]
    for (const name of ['a', 'now', 'b', 'c', 'later']) await end(name)
    await Promise.all(all)
    expect(started).toEqual(['a', 'now', 'b', 'c', 'later'])
  })

  it('refuse when too many wait', async () => {
    const { work, end } = works()
    const slots = createSlots(1, 1)
    const first = slots.run(work('a'), { priority: () => 5 })
    const second = slots.run(work('b'), { priority: () => 5 })
    await expect(slots.run(work('c'), { priority: () => 0 })).rejects.toMatchObject({ code: 'NODE_BUSY' })
    await end('a')
    await end('b')
    await Promise.all([first, second])
  })

  it('free the place of who stops waiting', async () => {
    const { started, work, end } = works()
    const slots = createSlots(1, 1)
    const abort = new AbortController()
    const first = slots.run(work('a'), { priority: () => 5 })
    const left = slots.run(work('b'), { priority: () => 5, signal: abort.signal })
    abort.abort(new VoxError('CANCELLED'))
    await expect(left).rejects.toMatchObject({ code: 'CANCELLED' })
    const second = slots.run(work('c'), { priority: () => 5 })
    await end('a')
    await end('c')
    await Promise.all([first, second])
    expect(started).toEqual(['a', 'c'])
  })

  it('let one overtake that is waited for by now', async () => {
    const { started, work, end } = works()
    const slots = createSlots(1, 10)
    let ahead = 6
    const all = [slots.run(work('a'), { priority: () => 5 }), slots.run(work('b'), { priority: () => 5 }), slots.run(work('ahead'), { priority: () => ahead })]
    ahead = 2
    for (const name of ['a', 'ahead', 'b']) await end(name)
    await Promise.all(all)
    expect(started).toEqual(['a', 'ahead', 'b'])
  })

  it('turn away all who wait, and nobody who runs', async () => {
    const { work, end } = works()
    const slots = createSlots(1, 10)
    const running = slots.run(work('a'), { priority: () => 5 })
    const waiting = [slots.run(work('b'), { priority: () => 5 }), slots.run(work('c'), { priority: () => 5 })]
    slots.refuseWaiting(new VoxError('NODE_LEFT'))
    for (const each of waiting) await expect(each).rejects.toMatchObject({ code: 'NODE_LEFT' })
    await end('a')
    expect(await running).toBe('a')
  })

  it('free the slot of a work that fails, and grow and shrink', async () => {
    const { started, work, end } = works()
    const slots = createSlots(1, 10)
    await expect(slots.run(() => Promise.reject(new Error('broken')), { priority: () => 5 })).rejects.toThrow('broken')
    const all = ['a', 'b', 'c'].map((name) => slots.run(work(name), { priority: () => 5 }))
    slots.resize(2)
    await new Promise(setImmediate)
    expect(started).toEqual(['a', 'b'])
    slots.resize(1)
    await end('a')
    expect(started).toEqual(['a', 'b'])
    await end('b')
    await end('c')
    await Promise.all(all)
  })

  it('never run more than they are, whatever comes and goes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.record({ priority: fc.nat(9), fails: fc.boolean(), aborts: fc.boolean(), ticks: fc.nat(3) }), { maxLength: 30 }), async (size, given) => {
        const slots = createSlots(size, 100)
        let running = 0
        let most = 0
        await Promise.allSettled(
          given.map(({ priority, fails, aborts, ticks }) => {
            const abort = new AbortController()
            const run = slots.run(async () => {
              most = Math.max(most, (running += 1))
              for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
              running -= 1
              if (fails) throw new Error('broken')
            }, { priority: () => priority, signal: abort.signal })
            if (aborts) abort.abort(new VoxError('CANCELLED'))
            return run
          })
        )
        return most <= size && running === 0
      })
    )
  })
})
