import { createCipheriv, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decryptRtp, readRtpHeader } from './rtp.ts'

const key = randomBytes(32)

/** A packet as a sender would make it: `clear` in the clear, `secret` encrypted, tag, 4 bytes of nonce. */
function seal(clear: Buffer, secret: Buffer, nonce = randomBytes(4)): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, Buffer.concat([nonce, Buffer.alloc(8)]))
  cipher.setAAD(clear)
  return Buffer.concat([clear, cipher.update(secret), cipher.final(), cipher.getAuthTag(), nonce])
}
function header(first: number, rest: Buffer = Buffer.alloc(0)): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeUInt8(first, 0)
  bytes.writeUInt8(120, 1)
  bytes.writeUInt16BE(0xfffe, 2)
  bytes.writeUInt32BE(0xfffffc40, 4)
  bytes.writeUInt32BE(4242, 8)
  return Buffer.concat([bytes, rest])
}
function open(packet: Buffer, withKey: Uint8Array = key): Buffer | null {
  const read = readRtpHeader(packet)
  return read && decryptRtp(packet, read, withKey)
}

test('a plain packet gives its header and payload', () => {
  const packet = seal(header(0x80), Buffer.from('opus'))
  expect(readRtpHeader(packet)).toEqual({
    payloadType: 120, sequence: 0xfffe, timestamp: 0xfffffc40, ssrc: 4242, hasPadding: false, clearBytes: 12, extensionBytes: 0
  })
  expect(open(packet)).toEqual(Buffer.from('opus'))
})

test('CSRCs and the four bytes that announce an extension are clear; its body is encrypted ahead of the payload', () => {
  const clear = header(0x80 | 0x10 | 2, Buffer.concat([Buffer.alloc(8, 7), Buffer.from([0xbe, 0xde, 0, 2])]))
  expect(open(seal(clear, Buffer.concat([Buffer.alloc(8, 9), Buffer.from('opus')])))).toEqual(Buffer.from('opus'))
})

test('padding is cut off, and more padding or extension than there are bytes is refused', () => {
  expect(open(seal(header(0xa0), Buffer.from([1, 2, 3, 0, 0, 3])))).toEqual(Buffer.from([1, 2, 3]))
  expect(open(seal(header(0xa0), Buffer.from([1, 2, 9])))).toBeNull()
  expect(open(seal(header(0x90, Buffer.from([0xbe, 0xde, 0xff, 0xff])), Buffer.from('opus')))).toBeNull()
})

test('a packet that was changed anywhere, or made with another key, is refused', () => {
  const packet = seal(header(0x80), randomBytes(40))
  for (let index = 0; index < packet.length; index++) {
    const changed = Buffer.from(packet)
    changed[index] = changed[index]! ^ 1
    expect(open(changed)).toBeNull()
  }
  expect(open(packet, randomBytes(32))).toBeNull()
})

test('any payload comes back, and no bytes at all make it throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 1400 }), (payload) => {
    expect(open(seal(header(0x80), Buffer.from(payload)))).toEqual(Buffer.from(payload))
  }))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
    expect(open(Buffer.from(bytes))).toBeNull()
  }), { numRuns: 500 })
})
