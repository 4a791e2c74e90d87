/** Both headers of a file, and one page of at most 50 packets (1 s): the bytes that are not audio, rounded up. */
const HEADERS_BYTES = 128
const PAGE_BYTES = 27
const PACKETS_PER_PAGE = 50

/** What a packet takes in an Ogg file, rounded up: its bytes, its lacing, and its share of a page. */
const costOf = ({ length }: Uint8Array) => length + Math.floor(length / 255) + 1 + PAGE_BYTES / Math.min(PACKETS_PER_PAGE, Math.floor(255 / (Math.floor(length / 255) + 1)))

/**
 * Cuts a recording into the parts of files that are not larger than `limitBytes` each: between segments where it can, else between packets.
 * All packets are there once, in order. Nothing when there would be more than `partsMax`, or when a single packet is too large.
 */
export function cutIntoParts(segments: readonly (readonly Uint8Array[])[], limitBytes: number, partsMax: number): Uint8Array[][] | undefined {
  const roomBytes = limitBytes - HEADERS_BYTES - PAGE_BYTES
  const parts: Uint8Array[][] = []
  let usedBytes = Infinity
  const add = (packets: readonly Uint8Array[], sizeBytes: number) => {
    if (usedBytes + sizeBytes > roomBytes) {
      parts.push([])
      usedBytes = 0
    }
    parts.at(-1)?.push(...packets)
    usedBytes += sizeBytes
  }
  for (const segment of segments) {
    const sizeBytes = segment.reduce((sum, packet) => sum + costOf(packet), 0)
    if (sizeBytes <= roomBytes) add(segment, sizeBytes)
    else for (const packet of segment) add([packet], costOf(packet))
    if (parts.length > partsMax) return undefined
  }
  const tooLarge = segments.some((segment) => segment.some((packet) => costOf(packet) > roomBytes))
  return tooLarge ? undefined : parts
}
