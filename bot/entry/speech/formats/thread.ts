import { parentPort } from 'node:worker_threads'
import { createFlacEncoder } from './flac.ts'
import type { PcmFormat } from './format.ts'
import { createMp3Encoder } from './mp3.ts'
import { bytesOf, decodeSegment } from './pcm.ts'
import type { Segment } from './pcm.ts'
import type { PcmEncoder } from './pcm-encoder.ts'

/** What the thread is asked, for one body at a time; `close` has no answer. */
export type Asked = { body: number } & ({ does: 'open'; format: PcmFormat } | { does: 'add'; segment: Segment } | { does: 'end' } | { does: 'close' })

/** In the order of what was asked of a body. */
export interface Answered {
  body: number
  bytes: Uint8Array
}

const plain: PcmEncoder = { add: bytesOf, end: () => new Uint8Array() }

function encoderOf(format: PcmFormat): PcmEncoder | Promise<PcmEncoder> {
  switch (format) {
    case 'flac':
      return createFlacEncoder()
    case 'mp3':
      return createMp3Encoder()
    case 'wav':
    case 'pcm':
      return plain
  }
}

const encoders = new Map<number, PcmEncoder>()

async function serve(asked: Asked): Promise<void> {
  const { body } = asked
  const encoder = encoders.get(body)
  let bytes = new Uint8Array()
  if (asked.does === 'open') encoders.set(body, await encoderOf(asked.format))
  else if (asked.does === 'close') encoders.delete(body)
  else if (encoder !== undefined) bytes = Uint8Array.from(asked.does === 'add' ? encoder.add(decodeSegment(asked.segment)) : encoder.end())
  if (asked.does !== 'close') parentPort?.postMessage({ body, bytes } satisfies Answered, [bytes.buffer])
}

// One after the other: an encoder is opened before anything is added to it.
let before: Promise<void> = Promise.resolve()
parentPort?.on('message', (asked: Asked) => {
  before = before.then(() => serve(asked))
})
