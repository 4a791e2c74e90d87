import { Readable } from 'node:stream'
import type { OpusStream } from '../audio/ogg.ts'
import { PACKET_MS, SILENCE } from '../audio/opus.ts'

/**
 * The Opus packets of an utterance as the player reads them, one each 20 ms, untouched. A segment that is late is bridged with silence: a
 * player that misses five reads would end the utterance, and cut it.
 */
export class PacketStream extends Readable {
  readonly #segments: AsyncIterator<OpusStream>
  #packets: readonly Uint8Array[]
  #position = 0
  #upcoming: IteratorResult<OpusStream> | undefined
  #spoken = 0
  /** Packets handed to the player, the bridging silence too: while it plays, this grows by 50 a second. */
  handed = 0
  /** Why the utterance ended early: what was there has been played, and the rest could not be had. */
  fault: unknown

  constructor(first: OpusStream, rest: AsyncIterator<OpusStream>) {
    super({ objectMode: true, highWaterMark: 1 })
    this.#packets = first.packets
    this.#segments = rest
    this.#fetch()
  }

  /** Speech handed to the player, without the silence that bridges. */
  get spokenMs(): number {
    return this.#spoken * PACKET_MS
  }

  override _read(): void {
    this.handed += 1
    if (this.#position === this.#packets.length && this.#upcoming?.done === false) {
      this.#packets = this.#upcoming.value.packets
      this.#position = 0
      this.#upcoming = undefined
      this.#fetch()
    }
    const packet = this.#packets[this.#position]
    if (packet !== undefined) {
      this.#position += 1
      this.#spoken += 1
      this.push(asBuffer(packet))
    } else if (this.#upcoming === undefined) this.push(asBuffer(SILENCE))
    else this.push(null)
  }

  /** The next segment is asked for while this one plays, so that it is there when it is wanted. */
  #fetch(): void {
    this.#segments.next().then(
      (result) => {
        this.#upcoming = result
      },
      (error: unknown) => {
        this.fault = error
        this.#upcoming = { done: true, value: undefined }
      }
    )
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
