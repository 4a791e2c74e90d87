import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../core/clock.ts'

export type ReadBody = { ok: true; text: string } | { ok: false; reason: 'too_large' | 'slow' | 'gone' }

/** A whole body within a time, so that no caller who has stopped sending keeps a place. What comes after a refusal is let go by. */
export function readBody(incoming: IncomingMessage, { maxBytes, limitMs, clock }: { maxBytes: number; limitMs: number; clock: Clock }): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const end = (read: ReadBody) => {
      cancel()
      incoming.off('data', onData).off('end', onEnd).off('close', onClose)
      incoming.resume()
      resolve(read)
    }
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) end({ ok: false, reason: 'too_large' })
    }
    const onEnd = () => end({ ok: true, text: Buffer.concat(chunks).toString('utf8') })
    const onClose = () => end({ ok: false, reason: 'gone' })
    const cancel = clock.after(limitMs, () => end({ ok: false, reason: 'slow' }))
    incoming.on('error', () => {}).on('data', onData).once('end', onEnd).once('close', onClose)
    if (Number(incoming.headers['content-length'] ?? 0) > maxBytes) end({ ok: false, reason: 'too_large' })
    else if (incoming.destroyed) end({ ok: false, reason: 'gone' })
  })
}
