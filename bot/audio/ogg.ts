import { CONTINUED, FIRST, LAST, readPage } from './ogg-page.ts'
import type { OggPage } from './ogg-page.ts'
import { createOggWriter } from './ogg-writer.ts'
import { PACKET_MAX_BYTES, PACKET_SAMPLES, SAMPLE_RATE_HZ, packetSamples } from './opus.ts'

/** A complete Ogg Opus stream (RFC 7845), taken apart: what the bot calls audio. */
export interface OpusStream {
  /** Opus packets of 20 ms each, as the node made them. */
  packets: Uint8Array[]
  channels: number
  /** Samples (48 kHz) at the start that a player leaves out. */
  preSkip: number
  /** What a listener hears, in milliseconds: the last granule less the pre-skip. */
  durationMs: number
}

export type ParsedOgg = { ok: true; stream: OpusStream } | { ok: false; reason: string }

const text = new TextEncoder()
const OPUS_HEAD = text.encode('OpusHead')
const OPUS_TAGS = text.encode('OpusTags')

/** Encoder delay that libopus has at 48 kHz: 6.5 ms. */
const PRE_SKIP = 312

/**
 * Takes bytes for audio only when they are one whole Ogg Opus stream: every page's checksum right, pages in order, both headers, only
 * packets of 20 ms, a last page that says it is the last, and nothing behind it. A stream cut anywhere is refused, never half played.
 */
export function parseOggOpus(bytes: Uint8Array): ParsedOgg {
  const packets: Uint8Array[] = []
  let part: Uint8Array[] = []
  let last: OggPage | undefined
  let offset = 0
  while (offset < bytes.length || last === undefined) {
    const read = readPage(bytes, offset)
    if (typeof read === 'string') return refused(read)
    const { page, end } = read
    const fault = last === undefined ? firstPageFault(page) : nextPageFault(page, last, part.length > 0)
    if (fault !== undefined) return refused(fault)
    let start = 0
    for (const length of page.lacing) {
      if (length > 0 || part.length > 0) part.push(page.body.subarray(start, start + length))
      start += length
      if (length === 255) continue
      const packet = part.length === 1 && part[0] ? part[0] : Buffer.concat(part)
      if (packet.length > PACKET_MAX_BYTES && packets.length >= 2) return refused('a packet that is too large')
      packets.push(packet)
      part = []
    }
    last = page
    offset = end
  }
  if (!(last.flags & LAST) || part.length > 0) return refused('no last page')
  return opusOf(packets, last.granule)
}

function firstPageFault(page: OggPage): string | undefined {
  return page.flags & FIRST && page.sequence === 0 ? undefined : 'no first page'
}

function nextPageFault(page: OggPage, before: OggPage, inPacket: boolean): string | undefined {
  if (before.flags & LAST) return 'more behind the last page'
  if (page.serial !== before.serial || page.flags & FIRST) return 'a second stream'
  if (page.sequence !== before.sequence + 1) return 'a page is missing'
  if (Boolean(page.flags & CONTINUED) !== inPacket) return 'a packet is missing its other part'
  return undefined
}

function opusOf(packets: Uint8Array[], granule: bigint): ParsedOgg {
  const [head, tags, ...audio] = packets
  if (!head || head.length < 19 || !startsWith(head, OPUS_HEAD)) return refused('not Opus: no OpusHead')
  if (!tags || !startsWith(tags, OPUS_TAGS)) return refused('no OpusTags')
  if (audio.length === 0) return refused('no audio')
  if (audio.some((packet) => packetSamples(packet) !== PACKET_SAMPLES)) return refused('a packet that is not 20 ms')
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const channels = view.getUint8(9)
  if (channels !== 1 && channels !== 2) return refused('neither mono nor stereo')
  const preSkip = view.getUint16(10, true)
  const samples = Number(granule) - preSkip
  const most = audio.length * PACKET_SAMPLES
  // The last granule may trim the end of the last packet, never more.
  if (samples <= 0 || Number(granule) > most || Number(granule) <= most - PACKET_SAMPLES) return refused('a length that does not match the audio')
  return { ok: true, stream: { packets: audio, channels, preSkip, durationMs: (samples * 1000) / SAMPLE_RATE_HZ } }
}

function refused(reason: string): ParsedOgg {
  return { ok: false, reason }
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte)
}

/**
 * One Ogg Opus file from packets of 20 ms, at most 50 packets (1 s) a page. Packets of several streams may follow each other.
 * @param options.preSkip samples (48 kHz) that a player leaves out at the start
 */
export function muxOggOpus(options: { packets: readonly Uint8Array[]; preSkip?: number; channels?: number; serial?: number }): Uint8Array {
  const { packets, preSkip = PRE_SKIP, channels = 1, serial = 1 } = options
  const writer = createOggWriter({ preSkip, channels, serial })
  return Buffer.concat([writer.start(), writer.add(packets), writer.end()])
}
