import { describe, expect, it } from 'vitest'
import { createAudioCache } from '../audio/cache.ts'
import type { OpusStream } from '../audio/ogg.ts'
import { VoxError } from '../core/errors.ts'
import { createMetrics } from '../core/metrics.ts'
import type { SpeechRequest } from '../wire/node.ts'
import { cachedRelay } from './cached.ts'

const ask = (input: string, more: Partial<SpeechRequest> = {}): SpeechRequest => ({ model: 'voxpool', input, voice: 'auto', response_format: 'opus', speed: 1, ...more })
const audio: OpusStream = { packets: [Uint8Array.of(0xf8)], channels: 1, preSkip: 0, durationMs: 20 }

/** A relay that is settled by hand, and what was asked of it. */
function setUp() {
  const asked: { input: string; signal: AbortSignal | undefined; resolve: () => void; reject: (error: Error) => void }[] = []
  const relay = cachedRelay(
    ({ input }, { signal }) =>
      new Promise((resolve, reject) => {
        asked.push({ input, signal, resolve: () => resolve(audio), reject })
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      }),
    createAudioCache(100_000),
    createMetrics()
  )
  const say = (request: SpeechRequest, signal?: AbortSignal) => relay(request, { deviceId: 'd', requestId: 'r', ...(signal && { signal }) })
  return { asked, say }
}

describe('equal requests', () => {
  it('that are under way at once share one synthesis', async () => {
    const { asked, say } = setUp()
    const both = [say(ask('Hello.')), say(ask('Hello.'))]
    expect(asked.length).toBe(1)
    asked[0]?.resolve()
    expect(await Promise.all(both)).toEqual([audio, audio])
  })

  it('that come later cost nothing', async () => {
    const { asked, say } = setUp()
    const first = say(ask('Hello.'))
    asked[0]?.resolve()
    await first
    expect(await say(ask('Hello.'))).toBe(audio)
    expect(asked.length).toBe(1)
  })

  it('are not equal when anything that shapes the audio differs', () => {
    const { asked, say } = setUp()
    for (const more of [{}, { voice: 'v' }, { speed: 2 }, { pitch: 1 }, { volume: 0.5 }, { language: 'ja' }]) void say(ask('Hello.', more)).catch(() => {})
    void say(ask('Hello!')).catch(() => {})
    expect(asked.length).toBe(7)
  })

  it('go on when one who waits leaves, and end with the last', async () => {
    const { asked, say } = setUp()
    const leaving = [new AbortController(), new AbortController()]
    const both = leaving.map(({ signal }) => say(ask('Hello.'), signal))
    leaving[0]?.abort(new VoxError('CANCELLED'))
    await expect(both[0]).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(asked[0]?.signal?.aborted).toBe(false)
    leaving[1]?.abort(new VoxError('CANCELLED'))
    await expect(both[1]).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(asked[0]?.signal?.aborted).toBe(true)
    void say(ask('Hello.')).catch(() => {})
    expect(asked.length).toBe(2)
  })

  it('share a failure, and the next one is asked anew', async () => {
    const { asked, say } = setUp()
    const both = [say(ask('Hello.')), say(ask('Hello.'))]
    asked[0]?.reject(new VoxError('NODE_RESET'))
    for (const each of both) await expect(each).rejects.toMatchObject({ code: 'NODE_RESET' })
    void say(ask('Hello.')).catch(() => {})
    expect(asked.length).toBe(2)
  })
})
