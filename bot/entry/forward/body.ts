import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import type { Departure } from './departure.ts'
import type { Watch } from './watch.ts'

/** A body of at most this size is taken in before an upstream is asked: no slow caller holds one of its places. */
const HELD_MAX_BYTES = 64 * 1024

/** `flowing`: it goes on as it comes. */
export type Body = Buffer | 'none' | 'flowing'

/** What is to be expected of a request's body, by its headers. */
export function bodyOf({ headers }: IncomingMessage): { kind: 'none' | 'held' | 'flowing'; declaredBytes: number } {
  const declaredBytes = Number(headers['content-length'] ?? 0)
  if (headers['transfer-encoding'] !== undefined) return { kind: 'flowing', declaredBytes: 0 }
  if (declaredBytes === 0) return { kind: 'none', declaredBytes }
  return { kind: declaredBytes <= HELD_MAX_BYTES ? 'held' : 'flowing', declaredBytes }
}

/** Takes in a small body. `slow`: it stopped coming; `gone`: so did the caller. */
export function holdBody(incoming: IncomingMessage, watch: Watch, departure: Departure, silenceMs: number): Promise<Buffer | 'slow' | 'gone'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const end = (result: Buffer | 'slow' | 'gone') => {
      incoming.off('data', onData).off('end', onEnd)
      departure.onLeave = undefined
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      watch.heard()
      chunks.push(chunk)
    }
    const onEnd = () => end(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
    watch.within(silenceMs, () => end('slow'))
    departure.onLeave = () => end('gone')
    incoming.on('data', onData).on('end', onEnd).on('error', () => {})
  })
}

/**
 * A body that goes on as it comes, up to a size. Not the request itself: what ends with an upstream must not end the connection on which the caller
 * is to hear of it.
 */
export interface FlowingBody {
  stream: Transform
  start(): void
  stop(): void
  /** Nothing of it waits to be taken: who is silent is the caller. */
  isDrained(): boolean
}

export function flowingBody(incoming: IncomingMessage, maxBytes: number, onTooLarge: () => void): FlowingBody {
  let sizeBytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) onTooLarge()
      else done(null, chunk)
    }
  })
  stream.on('error', () => {})
  return {
    stream,
    start: () => void incoming.on('error', () => {}).pipe(stream),
    stop: () => void incoming.unpipe(stream),
    isDrained: () => stream.writableLength === 0 && stream.readableLength === 0 && !incoming.complete
  }
}
