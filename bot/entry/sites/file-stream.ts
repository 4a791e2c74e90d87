import type { ServerResponse } from 'node:http'
import type { Clock } from '../../core/clock.ts'
import { STALL_LIMIT_MS } from '../cut.ts'
import { versionOf } from './open-file.ts'
import type { OpenFile } from './open-file.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * A part of a file, both ends included; it closes the file. Where the file changes meanwhile the answer is broken off: its first half would be of one version
 * and the rest of another, or of the answer after it.
 */
export function streamOf(file: OpenFile, { start, end }: { start: number; end: number }, { clock, outgoing }: { clock: Clock; outgoing: ServerResponse }): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { handle, version } = file
  let at = start
  let calm = () => {}
  const close = async () => {
    calm()
    await handle.close()
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        calm()
        try {
          const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at + 1))
          const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
          at += bytesRead
          // The last bytes go out only where all before them were of this version.
          if (bytesRead === 0 || (at > end && versionOf(await handle.stat({ bigint: true })) !== version)) {
            outgoing.destroy()
            return
          }
          controller.enqueue(chunk.subarray(0, bytesRead))
        } catch (error) {
          await close()
          throw error
        }
        if (at > end) {
          await close()
          controller.close()
        } else calm = clock.after(STALL_LIMIT_MS, () => outgoing.destroy())
      },
      cancel: close
    },
    { highWaterMark: 0 }
  )
}
