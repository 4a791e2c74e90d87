import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { versionOf } from './open-file.ts'
import type { OpenFile } from './open-file.ts'
import { weightsOf } from './weights.ts'

export const ENCODINGS = ['br', 'gzip'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller ones gain nothing; larger ones would be held in memory whole. */
const WORTH_BYTES = { min: 1024, max: 4 * 1024 * 1024 }
const KEPT_BYTES = 32 * 1024 * 1024

const TEXT = /^(?:text\/|application\/(?:javascript|json|manifest\+json|xml|wasm)|image\/svg\+xml|font\/ttf)/

export interface Compressor {
  /** The whole file compressed, made once for each version of it; undefined where it is another version by now. */
  bytes(file: OpenFile, encoding: Encoding): Promise<Uint8Array<ArrayBuffer> | undefined>
}

export function createCompressor(): Compressor {
  const kept = new LRUCache<string, ReturnType<Compressor['bytes']>>({ max: 1_000 })
  const sizes = new LRUCache<string, number>({ max: 1_000, maxSize: KEPT_BYTES, sizeCalculation: (size) => size, dispose: (_, key) => kept.delete(key) })
  return {
    bytes(file, encoding) {
      const key = `${encoding} ${file.version} ${file.path}`
      const there = kept.get(key)
      if (there !== undefined) {
        sizes.get(key)
        return there
      }
      const made = compressed(file, encoding)
      kept.set(key, made)
      const forget = () => kept.delete(key)
      made.then((bytes) => (bytes === undefined ? forget() : sizes.set(key, Math.max(1, bytes.length))), forget)
      return made
    }
  }
}

export function isWorthCompressing(type: string, sizeBytes: number): boolean {
  return TEXT.test(type) && sizeBytes >= WORTH_BYTES.min && sizeBytes <= WORTH_BYTES.max
}

/** The encoding that the caller would have, the smaller one where both are as welcome; undefined: as it is. */
export function encodingFor(acceptEncoding: string | undefined): Encoding | undefined {
  const weights = weightsOf(acceptEncoding ?? '')
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weight('br') >= weight('gzip') ? 'br' : 'gzip'
  return weight(best) > 0 && weight(best) >= (weights.get('identity') ?? 0) ? best : undefined
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

async function compressed({ handle, version }: OpenFile, encoding: Encoding): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const plain = await handle.readFile()
  if (versionOf(await handle.stat({ bigint: true })) !== version) return undefined
  const made = encoding === 'br' ? await brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } }) : await zip(plain)
  return Uint8Array.from(made)
}
