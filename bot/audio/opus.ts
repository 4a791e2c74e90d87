/** Opus always counts in samples of 48 kHz, whatever the encoder was fed. */
export const SAMPLE_RATE_HZ = 48_000

/** What Discord plays: one packet each 20 ms. */
export const PACKET_MS = 20
export const PACKET_SAMPLES = (SAMPLE_RATE_HZ / 1000) * PACKET_MS

/** The packet that Discord takes for silence: five of them end a stretch of speech. */
export const SILENCE = Uint8Array.of(0xf8, 0xff, 0xfe)

/** The longest packet that Opus allows: 48 frames of 1,275 bytes would be more than any node of ours needs. */
export const PACKET_MAX_BYTES = 4000

/** Samples (48 kHz) in an Opus packet, from its first bytes (RFC 6716, section 3.1); 0 when it is not a packet. */
export function packetSamples(packet: Uint8Array): number {
  const toc = packet[0]
  if (toc === undefined) return 0
  const frames = [1, 2, 2, (packet[1] ?? 0) & 0x3f][toc & 3] ?? 0
  const samples = frames * frameSamples(toc >> 3)
  return samples <= SAMPLE_RATE_HZ * 0.12 ? samples : 0
}

/** Samples in one frame of each of the 32 configurations: SILK 10 to 60 ms, hybrid 10 and 20 ms, CELT 2.5 to 20 ms. */
function frameSamples(config: number): number {
  if (config < 12) return [480, 960, 1920, 2880][config & 3] ?? 0
  if (config < 16) return [480, 960][config & 1] ?? 0
  return [120, 240, 480, 960][config & 3] ?? 0
}
