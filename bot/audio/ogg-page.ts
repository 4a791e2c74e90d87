/** One page of an Ogg stream, RFC 3533. */
export interface OggPage {
  /** Bit 0: begins with the rest of a packet; bit 1: first page; bit 2: last page. */
  flags: number
  /** Samples at 48 kHz up to the last packet that ends on this page; -1 when none does. */
  granule: bigint
  serial: number
  sequence: number
  /** Lengths of the lacing segments, each 0 to 255. */
  lacing: Uint8Array
  body: Uint8Array
}

export const CONTINUED = 1
export const FIRST = 2
export const LAST = 4

const HEADER_BYTES = 27
const CAPTURE = 0x5367_674f // "OggS", little-endian

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1
  return value >>> 0
})

function checksum(page: Uint8Array): number {
  let crc = 0
  for (let index = 0; index < page.length; index++) {
    // The checksum's own four bytes count as zero.
    const byte = index >= 22 && index < 26 ? 0 : (page[index] ?? 0)
    crc = ((crc << 8) ^ (crcTable[(crc >>> 24) ^ byte] ?? 0)) >>> 0
  }
  return crc
}

/** Reads the page at `offset`; a text says why it is none: cut short, no page, or damaged. */
export function readPage(bytes: Uint8Array, offset: number): { page: OggPage; end: number } | string {
  if (offset + HEADER_BYTES > bytes.length) return 'cut short in a page header'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(offset, true) !== CAPTURE || view.getUint8(offset + 4) !== 0) return 'not an Ogg page'
  const lacingStart = offset + HEADER_BYTES
  const bodyStart = lacingStart + view.getUint8(offset + 26)
  if (bodyStart > bytes.length) return 'cut short in a page header'
  const lacing = bytes.subarray(lacingStart, bodyStart)
  const end = bodyStart + lacing.reduce((sum, length) => sum + length, 0)
  if (end > bytes.length) return 'cut short in a page'
  if (view.getUint32(offset + 22, true) !== checksum(bytes.subarray(offset, end))) return 'a page with a wrong checksum'
  return {
    page: {
      flags: view.getUint8(offset + 5),
      granule: view.getBigInt64(offset + 6, true),
      serial: view.getUint32(offset + 14, true),
      sequence: view.getUint32(offset + 18, true),
      lacing,
      body: bytes.subarray(bodyStart, end)
    },
    end
  }
}

/** The bytes of a page, with its checksum. */
export function writePage({ flags, granule, serial, sequence, lacing, body }: OggPage): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + lacing.length + body.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, CAPTURE, true)
  view.setUint8(5, flags)
  view.setBigInt64(6, granule, true)
  view.setUint32(14, serial, true)
  view.setUint32(18, sequence, true)
  view.setUint8(26, lacing.length)
  bytes.set(lacing, HEADER_BYTES)
  bytes.set(body, HEADER_BYTES + lacing.length)
  view.setUint32(22, checksum(bytes), true)
  return bytes
}
