import { expect, test } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { Transitions } from './transitions.ts'

const begun = (members: string[]) => {
  const clock = manualClock()
  const executed: number[] = []
  const transitions = new Transitions<string>(clock, (id) => executed.push(id))
  const id = transitions.nextId()
  transitions.begin(id, members)
  return { clock, executed, transitions, id }
}

test('a transition is carried out once, when the last member is ready or has left', async () => {
  const { clock, executed, transitions, id } = begun(['a', 'b'])
  transitions.ready(id, 'a')
  transitions.ready(id, 'a')
  transitions.ready(id, 'stranger')
  expect(executed).toEqual([])
  transitions.forget('b')
  expect(executed).toEqual([id])
  await clock.advance(5_000)
  expect(executed).toEqual([id])
})

test('a transition does not wait longer than two seconds for a silent member', async () => {
  const { clock, executed, id } = begun(['a'])
  await clock.advance(1_999)
  expect(executed).toEqual([])
  await clock.advance(1)
  expect(executed).toEqual([id])
})

test('ids never become 0, which means "at once"', () => {
  const { transitions } = begun(['a'])
  const ids = new Set(Array.from({ length: 70_000 }, () => transitions.nextId()))
  expect([Math.min(...ids), Math.max(...ids)]).toEqual([1, 0xffff])
})
