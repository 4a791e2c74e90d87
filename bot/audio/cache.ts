import type { OpusStream } from './ogg.ts'

export interface AudioCache {
  get(key: string): OpusStream | undefined
  put(key: string, audio: OpusStream): void
  sizeBytes(): number
}

/** Of what one key holds beside its packets: object, key, references. */
const OVERHEAD_BYTES = 200
const PER_PACKET_BYTES = 100

/**
 * What was said lately, bounded by bytes; the longest unused goes first. It holds bytes alone: a player's resource plays once, bytes play as
 * often as one likes. Audio larger than a quarter of the bound is not kept, since it would empty the rest.
 */
export function createAudioCache(maxBytes: number): AudioCache {
  const kept = new Map<string, { audio: OpusStream; bytes: number }>()
  let total = 0

  function remove(key: string) {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    get(key) {
      const entry = kept.get(key)
      if (entry === undefined) return undefined
      // A map keeps the order of setting: what was used last stands last.
      kept.delete(key)
      kept.set(key, entry)
      return entry.audio
    },
    put(key, audio) {
      const bytes = OVERHEAD_BYTES + key.length * 2 + audio.packets.reduce((sum, packet) => sum + packet.length + PER_PACKET_BYTES, 0)
      remove(key)
      if (bytes > maxBytes / 4) return
      kept.set(key, { audio, bytes })
      total += bytes
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break
        remove(oldest)
      }
    },
    sizeBytes: () => total
  }
}
