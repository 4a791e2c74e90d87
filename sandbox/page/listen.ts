import OpusScript from 'opusscript'
import type { Clock } from '../../bot/core/clock.ts'
import type { PageVoice } from './deps.ts'
import { eventStream } from './event-stream.ts'

/** Streams at once: each holds a decoder in the memory that opusscript shares among all of them. */
const LISTENERS_MAX = 16

/**
 * What is heard in a voice channel, as it is heard: one event per Opus packet with its sound as 48 kHz mono 16-bit little-endian
 * PCM in base64. Decoded here, because 96 KB/s over loopback play in every browser, and a browser's own Opus decoder is missing in some.
 * Packets of silence are left out; one that can't be decoded is told as `bad`.
 */
export function listenTo(voice: PageVoice, clock: Clock): (guildId: string, channelId: string) => Response {
  let listeners = 0
  return (guildId, channelId) => {
    if (listeners >= LISTENERS_MAX) return new Response('Too many pages listen already.', { status: 503, headers: { 'retry-after': '10' } })
    listeners++
    return eventStream(clock, (send) => {
      const decoder = new OpusScript(48_000, 1, OpusScript.Application.AUDIO)
      const listener = voice.listen(guildId, channelId)
      let count = 0
      listener.on('packet', ({ userId, opus, silence }) => {
        if (!silence) send('packet', { count: ++count, userId, opusBytes: opus.byteLength, ...decoded(decoder, opus) })
      })
      return () => {
        listeners--
        listener.close()
        decoder.delete()
      }
    })
  }
}

function decoded(decoder: OpusScript, opus: Uint8Array): { pcm: string } | { bad: true } {
  try {
    return { pcm: decoder.decode(Buffer.from(opus)).toString('base64') }
  } catch {
    return { bad: true }
  }
}
