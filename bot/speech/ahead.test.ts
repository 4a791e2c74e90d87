import { describe, expect, it } from 'vitest'
import { runAhead } from './ahead.ts'

/** Tasks that are settled by hand. */
function tasks(count: number) {
  const started: number[] = []
  const settle: { resolve: (value: string) => void; reject: (error: Error) => void }[] = []
  const list = Array.from({ length: count }, (_, index) => () => {
    started.push(index)
    return new Promise<string>((resolve, reject) => (settle[index] = { resolve, reject }))
  })
  return { list, started, settle }
}

describe('running ahead', () => {
  it('starts nothing before it is asked, and then only as far ahead as allowed', async () => {
    const { list, started, settle } = tasks(6)
    const ahead = runAhead(list, 2)
    expect(started).toEqual([])
    const iterator = ahead[Symbol.asyncIterator]()
    const first = iterator.next()
    expect(started).toEqual([0, 1, 2])
    settle[0]?.resolve('a')
    expect(await first).toEqual({ done: false, value: 'a' })
    void iterator.next()
    expect(started).toEqual([0, 1, 2, 3])
  })

  it('gives results in order, whichever comes first', async () => {
    const { list, settle } = tasks(3)
    const results: string[] = []
    const reading = (async () => {
      for await (const result of runAhead(list, 2)) results.push(result)
    })()
    settle[2]?.resolve('c')
    settle[1]?.resolve('b')
    settle[0]?.resolve('a')
    await reading
    expect(results).toEqual(['a', 'b', 'c'])
  })

  it('starts the first task when it is warmed, once', () => {
    const { list, started } = tasks(3)
    const ahead = runAhead(list, 1)
    ahead.warm()
    ahead.warm()
    expect(started).toEqual([0])
    void ahead[Symbol.asyncIterator]().next()
    expect(started).toEqual([0, 1])
  })

  it('ends with the failure in its place: what came before it is given first', async () => {
    const { list, settle } = tasks(3)
    const iterator = runAhead(list, 2)[Symbol.asyncIterator]()
    const first = iterator.next()
    settle[1]?.reject(new Error('lost'))
    settle[0]?.resolve('a')
    expect((await first).value).toBe('a')
    await expect(iterator.next()).rejects.toThrow('lost')
  })
})
