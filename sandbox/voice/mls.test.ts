import davey from '@snazzah/davey'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCommit, readKeyPackageUser } from './commit.ts'
import { Reader, u16, u32, u64, vector } from './encoding.ts'
import { addProposal, appendProposals, frameProposal, makeExternalSender, removeProposal, revokeProposals } from './mls.ts'

const CHANNEL = '123456789012345678'
const sender = makeExternalSender()
const member = (userId: string) => {
  const session = new davey.DAVESession(1, userId, CHANNEL)
  session.setExternalSender(sender.package)
  return session
}
const propose = (epoch: bigint, proposal: Buffer) => frameProposal(sender, BigInt(CHANNEL), epoch, proposal)
const process = (session: davey.DAVESession, payload: Buffer) =>
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  session.processProposals(payload.readUInt8(0), payload.subarray(1))

test('integers and vectors are read as they were written', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 20_000 }), fc.nat(0xffff), fc.nat(0xffff_ffff), fc.bigInt(0n, 2n ** 64n - 1n), (bytes, a, b, c) => {
    const reader = new Reader(Buffer.concat([u16(a), vector(bytes), u32(b), u64(c)]))
    expect([reader.u16(), reader.vector(), reader.u32(), reader.u64(), reader.remaining]).toEqual([a, Buffer.from(bytes), b, c, 0])
  }), { numRuns: 50 })
})

test('the lengths of vectors are those of RFC 9420: 63, 64, 16,383 and 16,384 bytes', () => {
  const headOf = (length: number) => vector(Buffer.alloc(length)).subarray(0, -length || undefined).toString('hex')
  expect([headOf(63), headOf(64), headOf(16_383), headOf(16_384)]).toEqual(['3f', '4040', '7fff', '80004000'])
  expect(() => new Reader(Buffer.from([0x40, 5, 1, 2, 3, 4, 5])).vector()).toThrow(RangeError)
  expect(() => new Reader(Buffer.from([0xc0])).vector()).toThrow(RangeError)
  expect(() => new Reader(Buffer.from([3, 1, 2])).vector()).toThrow(RangeError)
})

test('a real client commits to a hand-made Add, its commit is split from the welcome, and the added member joins by it', () => {
  const [first, second] = [member('1'), member('2')]
  const keyPackage = second.getSerializedKeyPackage()
  expect(readKeyPackageUser(keyPackage)).toBe('2')
  const add = propose(0n, addProposal(keyPackage))
  const { commit, welcome } = process(first, appendProposals([add.message]))
  const read = readCommit(Buffer.concat([commit!, welcome!]))
  expect(read).toEqual({ groupId: BigInt(CHANNEL), epoch: 0n, senderLeaf: 0, references: [add.reference], message: commit, welcome })
  first.processCommit(read.message)
  second.processWelcome(read.welcome!)
  // eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment
  expect(second.decrypt('1', 0, first.encryptOpus(Buffer.from([0xfc, 1, 2, 3])))).toEqual(Buffer.from([0xfc, 1, 2, 3]))

  const remove = propose(1n, removeProposal(1))
  const removal = process(first, appendProposals([remove.message]))
  expect(readCommit(removal.commit!)).toMatchObject({ epoch: 1n, references: [remove.reference], welcome: null })
})

test('a revoked proposal is committed to no more', () => {
  const first = member('1')
  const adds = ['2', '3'].map((userId) => propose(0n, addProposal(member(userId).getSerializedKeyPackage())))
  process(first, appendProposals(adds.map(({ message }) => message)))
  expect(process(first, revokeProposals(adds.map(({ reference }) => reference)))).toEqual({})
})

test('a proposal of another sender, epoch or group is refused by a real client', () => {
  const keyPackage = member('2').getSerializedKeyPackage()
  const first = member('1')
  const wrong = [
    frameProposal(makeExternalSender(), BigInt(CHANNEL), 0n, addProposal(keyPackage)),
    frameProposal(sender, BigInt(CHANNEL), 1n, addProposal(keyPackage)),
    frameProposal(sender, 5n, 0n, addProposal(keyPackage))
  ]
  for (const { message } of wrong) expect(() => process(first, appendProposals([message]))).toThrow()
})

test('bytes that are no commit or key package throw nothing but a RangeError', () => {
  const [first, second] = [member('1'), member('2')]
  const keyPackage = second.getSerializedKeyPackage()
  const { commit, welcome } = process(first, appendProposals([propose(0n, addProposal(keyPackage)).message]))
  const good = [Buffer.concat([commit!, welcome!]), keyPackage]
  const read = (bytes: Buffer) => {
    for (const parse of [readCommit, readKeyPackageUser]) {
      try {
        parse(bytes)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }
  }
  fc.assert(fc.property(fc.constantFrom(...good), fc.nat(2000), fc.nat(255), (bytes, at, value) => {
    const changed = Buffer.from(bytes)
    changed[at % changed.length] = value
    read(changed)
    read(bytes.subarray(0, at % bytes.length))
  }), { numRuns: 500 })
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => read(Buffer.from(bytes))))
})
