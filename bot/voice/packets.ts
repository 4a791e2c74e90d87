import type { OpusStream } from '../audio/ogg.ts'
import { PACKET_MS, SILENCE } from '../audio/opus.ts'

/** How long speech is held back while nobody could hear it: longer than Discord takes to set the group up, and then it is played anyway. */
const HELD_MAX_PACKETS = 3_000 / PACKET_MS

const SILENT = asBuffer(SILENCE)

/**
 * The Opus packets of an utterance in their order, untouched, one each 20 ms. A segment that is late is bridged with silence, and so is the time in
 * which what is sent would reach nobody.
 */
export interface Packets {
  /** The packet whose turn it is: the same one until it is `sent`. Undefined when all have been. */
  next(): Buffer | undefined
  sent(): void
  /** Speech that was sent, without the silence that bridges. */
  readonly spokenMs: number
  /** Packets that were sent although they could reach nobody, because the wait had been long enough. */
  readonly unheard: number
  /** Why the utterance ended early: what was there has been sent, and the rest could not be had. */
  readonly fault: unknown
  /** What is still to come: to the packet when all of it is there, else at least what is. @param estimateMs of the whole utterance */
  remainingMs(estimateMs: number): number
}

/** @param isHeard whether what is sent now reaches the people in the channel */
export function createPackets(first: OpusStream, rest: AsyncIterator<OpusStream>, isHeard: () => boolean): Packets {
  let packets = first.packets
  let position = 0
  let upcoming: IteratorResult<OpusStream> | undefined
  let turn: 'none' | 'held' | 'late' | 'speech' = 'none'
  let heard = true
  let held = 0
  let spoken = 0
  let unheard = 0
  let fault: unknown

  /** The next segment is asked for while this one plays, so that it is there when it is wanted. */
  function fetch() {
    rest.next().then(
      (result) => {
        upcoming = result
      },
      (error: unknown) => {
        fault = error
        upcoming = { done: true, value: undefined }
      }
    )
  }

  function speech(): Buffer | undefined {
    if (position === packets.length && upcoming?.done === false) {
      packets = upcoming.value.packets
      position = 0
      upcoming = undefined
      fetch()
    }
    const packet = packets[position]
    if (packet !== undefined) turn = 'speech'
    else if (upcoming === undefined) turn = 'late'
    return packet === undefined ? (upcoming === undefined ? SILENT : undefined) : asBuffer(packet)
  }

  fetch()
  return {
    next() {
      turn = 'none'
      heard = isHeard()
      if (heard || held >= HELD_MAX_PACKETS) return speech()
      turn = 'held'
      return SILENT
    },
    sent() {
      if (heard) held = 0
      if (turn === 'held') held += 1
      if (turn !== 'speech') return
      if (!heard) unheard += 1
      position += 1
      spoken += 1
    },
    get spokenMs() {
      return spoken * PACKET_MS
    },
    get unheard() {
      return unheard
    },
    get fault() {
      return fault
    },
    remainingMs(estimateMs) {
      const thereMs = (packets.length - position + (upcoming?.done === false ? upcoming.value.packets.length : 0)) * PACKET_MS
      return upcoming?.done === true ? thereMs : Math.max(thereMs, estimateMs - spoken * PACKET_MS)
    }
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
