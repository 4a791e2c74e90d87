import { muxOggOpus } from '../audio/ogg.ts'
import { PACKET_MS } from '../audio/opus.ts'
import { VoxError } from '../core/errors.ts'
import type { Utterance } from '../speech/speak.ts'

export interface AudioFile {
  name: string
  bytes: Buffer
  durationMs: number
}

/**
 * The whole utterance as one Ogg Opus file, its packets as the nodes made them. It exists only when every segment has come.
 * @param limitBytes what the interaction says may be attached: it differs by server, and changes
 * @throws the `VoxError` of the segment that could not be had, or `UPLOAD_TOO_LARGE`
 */
export async function makeFile(utterance: Utterance, limitBytes: number): Promise<AudioFile> {
  const packets: Uint8Array[] = []
  let preSkip: number | undefined
  for await (const stream of utterance.audio) {
    preSkip ??= stream.preSkip
    for (const packet of stream.packets) packets.push(packet)
  }
  const file = muxOggOpus({ packets, ...(preSkip !== undefined && { preSkip }) })
  if (file.length > limitBytes) throw new VoxError('UPLOAD_TOO_LARGE', { sizeBytes: file.length, limitBytes })
  return { name: 'voice.ogg', bytes: Buffer.from(file.buffer, file.byteOffset, file.length), durationMs: packets.length * PACKET_MS }
}
