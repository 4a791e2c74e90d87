import { PCM_BYTES, PCM_RATE_HZ } from './pcm.ts'

/** What a header says whose file's length nobody knows yet: players then read on to the end. */
const UNKNOWN_BYTES = 0xffff_ffff

const HEADER_BYTES = 44

/** The header of a WAV file of `PCM_RATE_HZ`, mono, 16 bit. @param samples undefined: as many as come */
export function wavHeader(samples: number | undefined): Uint8Array {
  const dataBytes = samples === undefined ? UNKNOWN_BYTES : samples * PCM_BYTES
  const header = Buffer.alloc(HEADER_BYTES)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(samples === undefined ? UNKNOWN_BYTES : dataBytes + HEADER_BYTES - 8, 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(PCM_RATE_HZ, 24)
  header.writeUInt32LE(PCM_RATE_HZ * PCM_BYTES, 28)
  header.writeUInt16LE(PCM_BYTES, 32)
  header.writeUInt16LE(8 * PCM_BYTES, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(dataBytes, 40)
  return header
}
