import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import type { Exchange, Waiting } from './exchange.ts'

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
export function holdBody(exchange: Exchange, silenceMs: number): Promise<Buffer | 'slow' | 'gone'> {
  return new Promise((resolve) => exchange.await(silenceMs, new Holding(exchange, resolve)))
}

class Holding implements Waiting {
  readonly #exchange: Exchange
  readonly #resolve: (body: Buffer | 'slow' | 'gone') => void
  readonly #chunks: Buffer[] = []

  constructor(exchange: Exchange, resolve: (body: Buffer | 'slow' | 'gone') => void) {
    this.#exchange = exchange
    this.#resolve = resolve
    exchange.incoming.on('data', this.#onData).on('end', this.#onEnd).on('error', () => {})
  }

  onLate(): void {
    this.#end('slow')
  }

  onLeave(): void {
    this.#end('gone')
  }

  readonly #onData = (chunk: Buffer) => {
    this.#exchange.heard()
    this.#chunks.push(chunk)
  }

  readonly #onEnd = () => {
    const [first] = this.#chunks
    this.#end(this.#chunks.length === 1 && first !== undefined ? first : Buffer.concat(this.#chunks))
  }

  #end(result: Buffer | 'slow' | 'gone') {
    this.#exchange.incoming.off('data', this.#onData).off('end', this.#onEnd)
    this.#exchange.settle()
    this.#resolve(result)
  }
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
