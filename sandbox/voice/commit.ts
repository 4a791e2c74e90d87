import { Reader } from './encoding.ts'

/** What the voice server reads in MLS (RFC 9420): clients' commits and key packages. It checks their form, members check their cryptography. */

export interface Commit {
  groupId: bigint
  epoch: bigint
  /** The leaf of the member who made it. */
  senderLeaf: number
  /** The proposals that it carries out, in order; all by reference. */
  references: Buffer[]
  /** The MLSMessage alone. */
  message: Buffer
  /** What stood right behind it, when somebody is added: the Welcome. */
  welcome: Buffer | null
}

/**
 * Reads the payload of op 28: an MLSMessage with a PublicMessage with a Commit (sections 6 and 12.4), then the Welcome without
 * a length, so that the end of the commit has to be found by reading it. Throws `RangeError` when it is anything else.
 */
export function readCommit(payload: Buffer): Commit {
  const reader = new Reader(payload)
  expect(reader.u16(), 1, 'version')
  expect(reader.u16(), 1, 'wire format')
  const group = reader.vector()
  expect(group.length, 8, 'length of the group id')
  const epoch = reader.u64()
  expect(reader.u8(), 1, 'sender type')
  const senderLeaf = reader.u32()
  reader.vector() // authenticated data
  expect(reader.u8(), 3, 'content type')
  const references = readReferences(new Reader(reader.vector()))
  if (reader.u8() === 1) skipUpdatePath(reader)
  reader.vector() // signature
  reader.vector() // confirmation tag
  reader.vector() // membership tag
  const message = payload.subarray(0, reader.offset)
  const welcome = reader.remaining === 0 ? null : payload.subarray(reader.offset)
  return { groupId: group.readBigUInt64BE(), epoch, senderLeaf, references, message, welcome }
}

/** The user whom a KeyPackage (section 10) is for: its basic credential holds the id in 8 bytes. Throws `RangeError` on another form. */
export function readKeyPackageUser(keyPackage: Buffer): string {
  const reader = new Reader(keyPackage)
  expect(reader.u16(), 1, 'version')
  expect(reader.u16(), 2, 'cipher suite')
  reader.vector() // init key
  const identity = readLeafNode(reader)
  expect(identity.length, 8, 'length of the identity')
  reader.vector() // extensions
  reader.vector() // signature
  expect(reader.remaining, 0, 'bytes behind the key package')
  return identity.readBigUInt64BE().toString()
}

/** `ProposalOrRef proposals<V>` (section 12.4); a proposal by value is refused, as Discord's rules for a commit demand. */
function readReferences(reader: Reader): Buffer[] {
  const references: Buffer[] = []
  while (reader.remaining > 0) {
    expect(reader.u8(), 2, 'kind of a proposal')
    references.push(reader.vector())
  }
  return references
}

/** `struct { LeafNode leaf_node; UpdatePathNode nodes<V>; } UpdatePath` (section 7.6). */
function skipUpdatePath(reader: Reader): void {
  readLeafNode(reader)
  reader.vector()
}

/** LeafNode (section 7.2), of which only the identity in its basic credential matters here. */
function readLeafNode(reader: Reader): Buffer {
  reader.vector() // encryption key
  reader.vector() // signature key
  expect(reader.u16(), 1, 'credential type')
  const identity = reader.vector()
  for (let list = 0; list < 5; list++) reader.vector() // capabilities: versions, cipher suites, extensions, proposals, credentials
  const source = reader.u8()
  if (source === 1) reader.take(16) // a key package's lifetime
  else if (source === 3) reader.vector() // a commit's parent hash
  else expect(source, 2, 'source of a leaf')
  reader.vector() // extensions
  reader.vector() // signature
  return identity
}

function expect(actual: number, wanted: number, what: string): void {
  if (actual !== wanted) throw new RangeError(`${what}: ${actual} instead of ${wanted}`)
}
