import fc from 'fast-check'
import { expect, test } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { Channel } from './channel.ts'
import type { DaveGroup, GroupChange, Participant } from './dave.ts'
import { makeExternalSender } from './mls.ts'
import { Op } from './opcodes.ts'
import { Person } from './person.ts'

const channelOf = () => {
  const clock = manualClock()
  const changes: GroupChange[] = []
  const channel = new Channel({
    channelId: '2000', sender: makeExternalSender(), clock, committer: () => 'client', changed: (change) => changes.push(change)
  })
  return { clock, channel, changes }
}
/** People answer in later turns of the event loop; a step of the group needs a handful of them. */
async function settled(channel: Channel, userIds: readonly string[]): Promise<void> {
  const members = () => channel.group.userIds.filter((userId) => userId !== null).sort().join()
  for (let turn = 0; turn < 200 && members() !== [...userIds].sort().join(); turn++) await new Promise(setImmediate)
  expect(members()).toBe([...userIds].sort().join())
}

test('whoever comes and goes, the group is who is there, and each member has the leaf that the server thinks it has', async () => {
  const everybody = ['11', '12', '13', '14', '15', '16']
  const change = fc.record({ crowd: fc.subarray(everybody), turns: fc.nat(9) })
  await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
    const { channel } = channelOf()
    // Most changes come while the one before is still being worked out.
    for (const { crowd, turns } of changes) {
      channel.setPeople(crowd)
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    }
    const last = changes.at(-1)?.crowd ?? []
    await settled(channel, last.length > 1 ? last : [])
    for (const [leaf, userId] of channel.group.userIds.entries()) {
      if (userId !== null) expect(channel.people.get(userId)?.leafIndex).toBe(leaf)
    }
    channel.close()
  }), { numRuns: 12 })
})

test('while a client that could commit says nothing, a person commits after a second', async () => {
  const { channel, changes, clock } = channelOf()
  const told: number[] = []
  const silent: Participant = { userId: '900', kind: 'client', send: ({ op }) => told.push(op) }
  channel.group.join(silent)
  channel.setPeople(['11', '12'])
  for (let turn = 0; turn < 200 && clock.pending() === 0; turn++) await new Promise(setImmediate)
  await clock.advance(999)
  expect(changes).toEqual([])
  await clock.advance(1)
  // The client never sent a key package: it holds the proposals, but nobody can add it.
  expect(changes).toMatchObject([{ epoch: 1, userIds: expect.arrayContaining(['11', '12']) as unknown }])
  expect(told).toContain(Op.daveProposals)
  expect(told).not.toContain(Op.daveWelcome)
})

test('a change of a group is carried out once all its members say that they are ready', async () => {
  const { channel, clock } = channelOf()
  const told: number[] = []
  channel.setPeople(['11', '12'])
  await settled(channel, ['11', '12'])
  channel.group.join({ userId: '900', kind: 'client', send: ({ op }) => told.push(op) })
  channel.setPeople(['11', '12', '13'])
  await settled(channel, ['11', '12', '13'])
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(told.filter((op) => op === Op.daveExecuteTransition)).toHaveLength(1)
  expect(clock.pending()).toBe(0)
})

test('a key package for somebody else, and bytes that are no commit, are refused', async () => {
  const { channel } = channelOf()
  const client: Participant = { userId: '900', kind: 'client', send: () => undefined }
  channel.group.join(client)
  expect(channel.group.keyPackage(client, Buffer.from('nonsense'))).toBe(false)
  expect(channel.group.commit(client, Buffer.from('nonsense'))).toBe(false)
})

test('a member whose welcome is broken says so, and the group is founded again', async () => {
  const { channel, changes } = channelOf()
  let broken = 0
  const { group } = channel
  const tampering = {
    keyPackage: (who: Participant, payload: Buffer) => group.keyPackage(who, payload),
    commit: (who: Participant, payload: Buffer) => {
      if (broken++ === 0) payload[payload.length - 1]! ^= 1
      return group.commit(who, payload)
    },
    transitionReady: (who: Participant, id: number) => group.transitionReady(who, id),
    invalid: (who: Participant) => group.invalid(who)
  }
  const client = Object.assign(new Person('900', '2000', tampering as unknown as DaveGroup), { kind: 'client' })
  channel.setPeople(['11'])
  group.join(client)
  for (let turn = 0; turn < 200 && changes.length < 3; turn++) await new Promise(setImmediate)
  expect(changes.map(({ epoch, committedBy }) => ({ epoch, committedBy }))).toEqual([
    { epoch: 1, committedBy: '900' }, { epoch: 0, committedBy: null }, { epoch: 1, committedBy: '900' }
  ])
  expect(channel.people.get('11')?.leafIndex).toBe(1)
})

test('no frame makes a person fail, and none of them is heard', async () => {
  const { channel } = channelOf()
  channel.setPeople(['11', '12'])
  await settled(channel, ['11', '12'])
  const person = channel.people.get('11')!
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (bytes, isMarked) => {
    const frame = Buffer.from(isMarked ? [...bytes, bytes.length & 0x3f, 0xfa, 0xfa] : bytes)
    fc.pre(frame.toString('hex') !== 'f8fffe')
    expect(person.hear('12', frame)).toBeNull()
  }), { numRuns: 1000 })
})
