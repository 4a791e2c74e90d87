import { Readable } from 'node:stream'
import type { OpusStream } from '../audio/ogg.ts'
import { PACKET_MS, SILENCE } from '../audio/opus.ts'

/** How long speech is held back while nobody could hear it: longer than Discord takes to set the group up, and then it is played anyway. */
const HELD_MAX_PACKETS = 3_000 / PACKET_MS

/**
 * The Opus packets of an utterance as the player reads them, one each 20 ms, untouched. A segment that is late is bridged with silence: a
 * player that misses five reads would end the utterance, and cut it. So is the time in which what is sent would reach nobody.
 */
export class PacketStream extends Readable {
  readonly #segments: AsyncIterator<OpusStream>
  readonly #isHeard: () => boolean
  #packets: readonly Uint8Array[]
  #position = 0
  #upcoming: IteratorResult<OpusStream> | undefined
  #spoken = 0
  #held = 0
  /** Packets handed to the player, the bridging silence too: while it plays, this grows by 50 a second. */
  handed = 0
  /** Packets that were played although they could reach nobody, because the wait had been long enough. */
  unheard = 0
  /** Why the utterance ended early: what was there has been played, and the rest could not be had. */
  fault: unknown

  constructor(first: OpusStream, rest: AsyncIterator<OpusStream>, isHeard: () => boolean = () => true) {
    super({ objectMode: true, highWaterMark: 1 })
    this.#packets = first.packets
    this.#segments = rest
    this.#isHeard = isHeard
    this.#fetch()
  }

  /** Speech handed to the player, without the silence that bridges. */
  get spokenMs(): number {
    return this.#spoken * PACKET_MS
  }

  override _read(): void {
    this.handed += 1
    const heard = this.#isHeard()
    if (!heard && this.#held < HELD_MAX_PACKETS) {
      this.#held += 1
      this.push(asBuffer(SILENCE))
      return
    }
    if (heard) this.#held = 0
    else this.unheard += 1
    this.push(this.#next())
  }

  #next(): Buffer | null {
    if (this.#position === this.#packets.length && this.#upcoming?.done === false) {
      this.#packets = this.#upcoming.value.packets
      this.#position = 0
      this.#upcoming = undefined
      this.#fetch()
    }
    const packet = this.#packets[this.#position]
    if (packet === undefined) return this.#upcoming === undefined ? asBuffer(SILENCE) : null
    this.#position += 1
    this.#spoken += 1
    return asBuffer(packet)
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
