import { EventEmitter } from 'node:events'

/** One Opus packet as the people in the channel heard it. */
export interface HeardPacket {
  /** Milliseconds since 1970. */
  atMs: number
  /** Who spoke. */
  userId: string
  ssrc: number
  /** RTP's, 16 bits: it wraps. */
  sequence: number
  /** RTP's, 48 a millisecond, 32 bits: it wraps. */
  timestamp: number
  opus: Uint8Array
  /** The three bytes `f8 ff fe` that fill pauses and ends; they travel without end-to-end encryption. */
  silence: boolean
}

/** Packets that a listener keeps: 10 minutes of one speaker. Older ones go, and are counted in `dropped`. */
const KEPT_PACKETS = 30_000

/** What is heard in one channel from the moment it was made until `close`. */
export class Listener extends EventEmitter<{ packet: [HeardPacket]; close: [] }> {
  readonly packets: HeardPacket[] = []
  dropped = 0
  readonly #release: (listener: Listener) => void

  constructor(release: (listener: Listener) => void) {
    super()
    this.#release = release
  }

  /** The packets that carry sound: all but silence. */
  get speech(): HeardPacket[] {
    return this.packets.filter((packet) => !packet.silence)
  }

  /** Resolves with what is kept once at least `count` packets of speech are; rejects after `limitMs`, or when closed before. */
  async heard(count: number, limitMs = 10_000): Promise<HeardPacket[]> {
    const limit = AbortSignal.timeout(limitMs)
    return await new Promise((resolve, reject) => {
      const check = () => {
        if (this.speech.length >= count) finish(() => resolve(this.speech))
      }
      const fail = () => finish(() => reject(new Error(`heard ${this.speech.length} of ${count} packets within ${limitMs} ms`)))
      const finish = (end: () => void) => {
        this.off('packet', check).off('close', fail)
        limit.removeEventListener('abort', fail)
        end()
      }
      this.on('packet', check).on('close', fail)
      limit.addEventListener('abort', fail)
      check()
    })
  }

  push(packet: HeardPacket): void {
    if (this.packets.push(packet) > KEPT_PACKETS) {
      this.packets.shift()
      this.dropped++
    }
    this.emit('packet', packet)
  }

  close(): void {
    this.#release(this)
    this.emit('close')
    this.removeAllListeners()
  }
}
