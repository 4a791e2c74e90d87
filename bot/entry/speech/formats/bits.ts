/** Writes numbers of any number of bits, the highest bit first. */
export interface BitWriter {
  /** The lowest `count` bits of a value, 0 to 32 of them. */
  write(value: number, count: number): void
  /** So many zeros, then a one. */
  writeUnary(zeros: number): void
  /** Zeros up to the next whole byte. */
  align(): void
  /** What was written so far, in whole bytes. */
  bytes(): Uint8Array
}

export function createBitWriter(): BitWriter {
  let buffer = new Uint8Array(16_384)
  let length = 0
  let open = 0
  let openBits = 0

  function push(byte: number) {
    if (length === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2)
      larger.set(buffer)
      buffer = larger
    }
    buffer[length++] = byte
  }

  function write(value: number, count: number) {
    for (let left = count; left > 0; ) {
      const taken = Math.min(left, 8 - openBits)
      left -= taken
      open = (open << taken) | ((value >>> left) & ((1 << taken) - 1))
      openBits += taken
      if (openBits < 8) continue
      push(open)
      open = 0
      openBits = 0
    }
  }

  return {
    write,
    writeUnary(zeros) {
      for (let left = zeros; left > 0; left -= 32) write(0, Math.min(32, left))
      write(1, 1)
    },
    align() {
      if (openBits > 0) write(0, 8 - openBits)
    },
    bytes: () => buffer.subarray(0, length)
  }
}
