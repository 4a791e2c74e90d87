import { constants, createDeflate, createZstdCompress, deflateSync } from 'node:zlib'

/** How payloads of one connection are written: each call hands the finished frames to `send`, in order. */
export interface Encoder {
  write(json: string): void
  /** From IDENTIFY's `compress`: each payload is deflated on its own. */
  compressEach(): void
  close(): void
}

type Send = (frame: string | Uint8Array) => void

/**
 * Plain text unless the address asked for a stream of `zlib-stream` or `zstd-stream`: one compressor for the whole
 * connection, flushed after every payload.
 */
export function createEncoder(compress: string | null, send: Send): Encoder {
  if (compress !== 'zlib-stream' && compress !== 'zstd-stream') {
    let each = false
    return {
      write: (json) => send(each ? deflateSync(json) : json),
      compressEach: () => void (each = true),
      close: () => undefined
    }
  }
  const stream = compress === 'zlib-stream' ? createDeflate({ flush: constants.Z_SYNC_FLUSH }) : createZstdCompress()
  const flushKind = compress === 'zlib-stream' ? constants.Z_SYNC_FLUSH : constants.ZSTD_e_flush
  const waiting: string[] = []
  let isBusy = false
  let chunks: Uint8Array[] = []
  stream.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  stream.on('error', () => undefined)

  // One payload after the other: what comes out before the flush ends belongs to it.
  function next(): void {
    const json = waiting.shift()
    isBusy = json !== undefined
    if (json === undefined) return
    stream.write(json)
    stream.flush(flushKind, () => {
      const frame = Buffer.concat(chunks)
      chunks = []
      send(frame)
      next()
    })
  }
  return {
    write(json) {
      waiting.push(json)
      if (!isBusy) next()
    },
    compressEach: () => undefined,
    close: () => void stream.destroy()
  }
}
