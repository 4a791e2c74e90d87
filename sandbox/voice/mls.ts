import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { u16, u32, u64, u8, vector } from './encoding.ts'

/** What the voice server writes in MLS (RFC 9420): it is the group's external sender and proposes who is added and removed. */

const MLS_1_0 = u16(1)
const WIRE_FORMAT_PUBLIC_MESSAGE = u16(1)
const SENDER_EXTERNAL = u8(2)
const CONTENT_PROPOSAL = u8(2)
const PROPOSAL_ADD = u16(1)
const PROPOSAL_REMOVE = u16(3)
const CREDENTIAL_BASIC = u16(1)

export interface ExternalSender {
  /** `struct { SignaturePublicKey signature_key; Credential credential; } ExternalSender` (section 12.1.8.1): the payload of op 25. */
  package: Buffer
  privateKey: KeyObject
}

export interface Proposal {
  /** An MLSMessage that holds a PublicMessage (section 6). */
  message: Buffer
  /** What a commit calls the proposal by (section 5.2), 32 bytes. */
  reference: Buffer
}

/** A fresh P-256 key with a basic credential: whom the clients believe when somebody is added or removed. */
export function makeExternalSender(identity = 'voice-server'): ExternalSender {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // The last 65 bytes of the DER form are the uncompressed point, which is how MLS writes a P-256 key.
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65)
  return { package: Buffer.concat([vector(point), CREDENTIAL_BASIC, vector(Buffer.from(identity))]), privateKey }
}

/** `struct { KeyPackage key_package; } Add` (section 12.1.1). */
export const addProposal = (keyPackage: Uint8Array): Buffer => Buffer.concat([PROPOSAL_ADD, keyPackage])

/** `struct { uint32 removed; } Remove` (section 12.1.3): the leaf that goes. */
export const removeProposal = (leafIndex: number): Buffer => Buffer.concat([PROPOSAL_REMOVE, u32(leafIndex)])

/**
 * Frames and signs a proposal as external sender 0 of the group: FramedContent (section 6), signed over FramedContentTBS
 * without a group context, which senders from outside do not have (section 6.1), by SignWithLabel (section 5.1.2).
 */
export function frameProposal(sender: ExternalSender, groupId: bigint, epoch: bigint, proposal: Uint8Array): Proposal {
  const content = Buffer.concat([vector(u64(groupId)), u64(epoch), SENDER_EXTERNAL, u32(0), vector(), CONTENT_PROPOSAL, proposal])
  const toBeSigned = Buffer.concat([MLS_1_0, WIRE_FORMAT_PUBLIC_MESSAGE, content])
  const signature = sign('sha256', labelled('FramedContentTBS', toBeSigned), sender.privateKey)
  const authenticated = Buffer.concat([WIRE_FORMAT_PUBLIC_MESSAGE, content, vector(signature)])
  return {
    message: Buffer.concat([MLS_1_0, authenticated]),
    // RefHash("MLS 1.0 Proposal Reference", AuthenticatedContent)
    reference: createHash('sha256').update(labelled('Proposal Reference', authenticated)).digest()
  }
}

/** The payload of op 27 that makes clients add these proposals to those they hold. */
export const appendProposals = (messages: readonly Uint8Array[]): Buffer => Buffer.concat([u8(0), vector(...messages)])

/** The payload of op 27 that makes clients forget proposals. */
export const revokeProposals = (references: readonly Uint8Array[]): Buffer =>
  Buffer.concat([u8(1), vector(...references.map((reference) => vector(reference)))])

/** `struct { opaque label<V>; opaque content<V>; }`: SignContent (section 5.1.2) and RefHashInput (section 5.2) look the same. */
const labelled = (label: string, content: Uint8Array): Buffer => Buffer.concat([vector(Buffer.from(`MLS 1.0 ${label}`)), vector(content)])
