/** The presentation language of MLS (RFC 9420 section 2.1): big-endian integers, and vectors with a length of 1, 2 or 4 bytes before them. */

export const u8 = (value: number): Buffer => Buffer.from([value])
export const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff])

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(value)
  return bytes
}

/** `opaque x<V>`: the length in QUIC's variable-length form (RFC 9420 section 2.1.2), then the bytes. Below 1 GiB. */
export function vector(...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const { length } = body
  if (length < 0x40) return Buffer.concat([u8(length), body])
  if (length < 0x4000) return Buffer.concat([u16(length | 0x4000), body])
  if (length < 0x4000_0000) return Buffer.concat([u32(length + 0x8000_0000), body])
  throw new RangeError(`a vector of ${length} bytes`)
}

/** Reads the same forms. Every method throws `RangeError` when the bytes end too early or a length is not in its shortest form. */
export class Reader {
  #offset = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get offset(): number {
    return this.#offset
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset
  }

  take(count: number): Buffer {
    if (count > this.remaining) throw new RangeError(`${count} bytes wanted, ${this.remaining} left`)
    const from = this.#offset
    this.#offset += count
    return this.#bytes.subarray(from, this.#offset)
  }

  u8 = (): number => this.take(1).readUInt8()
  u16 = (): number => this.take(2).readUInt16BE()
  u32 = (): number => this.take(4).readUInt32BE()
  u64 = (): bigint => this.take(8).readBigUInt64BE()

  vector(): Buffer {
    const first = this.u8()
    const size = 1 << (first >> 6)
    if (size === 8) throw new RangeError('a vector length of 8 bytes')
    let length = first & 0x3f
    for (let index = 1; index < size; index++) length = length * 256 + this.u8()
    if ((size === 2 && length < 0x40) || (size === 4 && length < 0x4000)) throw new RangeError('a vector length longer than it must be')
    return this.take(length)
  }
}
