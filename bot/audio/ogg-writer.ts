import { FIRST, LAST, writePage } from './ogg-page.ts'
import { PACKET_SAMPLES, SAMPLE_RATE_HZ } from './opus.ts'

/** Writes one Ogg Opus stream (RFC 7845) as its packets come: what the calls return, joined, is the file. */
export interface OggWriter {
  /** The two headers; once, first. */
  start(): Uint8Array
  /** The pages that these packets of 20 ms fill, at most 50 packets (1 s) a page. */
  add(packets: readonly Uint8Array[]): Uint8Array
  /** What waits for its page to be full, but for the last packet: the stream's last page must hold one. */
  flush(): Uint8Array
  /** The last page; once, last. */
  end(): Uint8Array
}

/** Lacing segments that fit on one page (RFC 3533), and packets of one second. */
const LACING_MAX = 255
const PAGE_PACKETS = 50

const text = new TextEncoder()
const OPUS_HEAD = text.encode('OpusHead')
const OPUS_TAGS = text.encode('OpusTags')

/** @param options.preSkip samples (48 kHz) that a player leaves out at the start */
export function createOggWriter({ preSkip, channels, serial = 1 }: { preSkip: number; channels: number; serial?: number }): OggWriter {
  let sequence = 0
  let written = 0
  let page: Uint8Array[] = []
  let laced = 0

  function pageOf(flags: number, granule: number, content: readonly Uint8Array[]): Uint8Array {
    const lacing = Uint8Array.from(content.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]))
    return writePage({ flags, granule: BigInt(granule), serial, sequence: sequence++, lacing, body: Buffer.concat(content) })
  }

  function close(flags: number, kept: Uint8Array[]): Uint8Array {
    written += page.length
    const bytes = pageOf(flags, written * PACKET_SAMPLES, page)
    page = kept
    laced = kept.reduce((sum, packet) => sum + lacingOf(packet), 0)
    return bytes
  }

  return {
    start: () => Buffer.concat([pageOf(FIRST, 0, [opusHead(channels, preSkip)]), pageOf(0, 0, [opusTags('voxpool')])]),
    add(packets) {
      const pages: Uint8Array[] = []
      for (const packet of packets) {
        if (page.length === PAGE_PACKETS || laced + lacingOf(packet) > LACING_MAX) pages.push(close(0, []))
        page.push(packet)
        laced += lacingOf(packet)
      }
      return Buffer.concat(pages)
    },
    flush() {
      const kept = page.splice(-1)
      if (page.length > 0) return close(0, kept)
      page = kept
      return new Uint8Array()
    },
    end: () => close(LAST, [])
  }
}

const lacingOf = ({ length }: Uint8Array) => Math.floor(length / 255) + 1

function opusHead(channels: number, preSkip: number): Uint8Array {
  const head = new Uint8Array(19)
  const view = new DataView(head.buffer)
  head.set(OPUS_HEAD)
  view.setUint8(8, 1)
  view.setUint8(9, channels)
  view.setUint16(10, preSkip, true)
  view.setUint32(12, SAMPLE_RATE_HZ, true)
  return head
}

function opusTags(vendor: string): Uint8Array {
  const name = text.encode(vendor)
  const tags = new Uint8Array(16 + name.length)
  const view = new DataView(tags.buffer)
  tags.set(OPUS_TAGS)
  view.setUint32(8, name.length, true)
  tags.set(name, 12)
  return tags
}
