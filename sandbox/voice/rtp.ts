import { createDecipheriv } from 'node:crypto'

const FIXED_HEADER_BYTES = 12
const TAG_BYTES = 16
const NONCE_BYTES = 4

/** RFC 3550 section 5.1, and where the payload begins in the sense of `rtpsize`. */
export interface RtpHeader {
  payloadType: number
  sequence: number
  timestamp: number
  ssrc: number
  hasPadding: boolean
  /** Bytes that travel in the clear: the fixed header, the CSRCs, and the 4 bytes that announce an extension. */
  clearBytes: number
  /** Bytes of the extension's body; they are encrypted, ahead of the payload. */
  extensionBytes: number
}

/** Reads the header of one RTP packet; `null` when it is none (keep-alives are 8 bytes, IP discovery has another version). */
export function readRtpHeader(packet: Buffer): RtpHeader | null {
  if (packet.length < FIXED_HEADER_BYTES + TAG_BYTES + NONCE_BYTES) return null
  const first = packet.readUInt8(0)
  if (first >> 6 !== 2) return null
  const hasExtension = (first & 0x10) !== 0
  const extensionAt = FIXED_HEADER_BYTES + 4 * (first & 0x0f)
  const clearBytes = extensionAt + (hasExtension ? 4 : 0)
  if (packet.length < clearBytes + TAG_BYTES + NONCE_BYTES) return null
  return {
    payloadType: packet.readUInt8(1) & 0x7f,
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    ssrc: packet.readUInt32BE(8),
    hasPadding: (first & 0x20) !== 0,
    clearBytes,
    extensionBytes: hasExtension ? 4 * packet.readUInt16BE(extensionAt + 2) : 0
  }
}

/**
 * The payload of a packet in the mode `aead_aes256_gcm_rtpsize`: the clear bytes are authenticated, the last 4 bytes are the nonce (padded
 * with zeros to 12), 16 bytes of tag stand before them. `null` when it was not made with `secretKey` (32 bytes) or was changed on the way.
 */
export function decryptRtp(packet: Buffer, header: RtpHeader, secretKey: Uint8Array): Buffer | null {
  const nonce = Buffer.alloc(12)
  const nonceAt = packet.length - NONCE_BYTES
  packet.copy(nonce, 0, nonceAt)
  const decipher = createDecipheriv('aes-256-gcm', secretKey, nonce)
  decipher.setAAD(packet.subarray(0, header.clearBytes))
  decipher.setAuthTag(packet.subarray(nonceAt - TAG_BYTES, nonceAt))
  const opened = decipher.update(packet.subarray(header.clearBytes, nonceAt - TAG_BYTES))
  try {
    decipher.final()
  } catch {
    return null
  }
  const paddingBytes = header.hasPadding ? opened.at(-1) ?? 0 : 0
  if (header.extensionBytes + paddingBytes > opened.length) return null
  return opened.subarray(header.extensionBytes, opened.length - paddingBytes)
}
