import { setImmediate } from 'node:timers/promises'
import OpusScript from 'opusscript'
import { SAMPLE_RATE_HZ } from './opus.ts'

export type Codec = OpusScript

const open = (): Codec => new OpusScript(SAMPLE_RATE_HZ, 1, OpusScript.Application.VOIP)

// It compiles its WebAssembly at the first use, which takes some 10 ms: now, and not between the packets of whoever speaks then.
open().delete()

let before: Promise<unknown> = Promise.resolve()

/**
 * Gives an Opus decoder and encoder (mono, 48 kHz), one at a time in the whole process: they share a memory that does not grow. What comes as
 * two channels is decoded as one.
 */
export function withCodec<T>(use: (codec: Codec) => Promise<T>): Promise<T> {
  const result = before.then(async () => {
    const codec = open()
    try {
      return await use(codec)
    } finally {
      codec.delete()
    }
  })
  before = result.catch(() => undefined)
  return result
}

/** Works on every packet, `atOnce` of them without a pause: in between the packets of who speaks go out in time. */
export async function inSlices<T>(packets: readonly Uint8Array[], atOnce: number, work: (packet: Uint8Array) => T): Promise<T[]> {
  const done: T[] = []
  for (const packet of packets) {
    done.push(work(packet))
    if (done.length % atOnce === 0) await setImmediate()
  }
  return done
}
