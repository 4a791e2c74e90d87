import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAudioCache } from './cache.ts'
import type { OpusStream } from './ogg.ts'

const audio = (packets: number): OpusStream => ({ packets: Array.from({ length: packets }, () => new Uint8Array(100)), channels: 1, preSkip: 0, durationMs: 0 })

describe('the audio cache', () => {
  it('gives back what was put there, the very bytes', () => {
    const cache = createAudioCache(100_000)
    const said = audio(3)
    cache.put('a', said)
    expect(cache.get('a')).toBe(said)
    expect(cache.get('b')).toBeUndefined()
  })

  it('lets the longest unused go first', () => {
    const cache = createAudioCache(10_000)
    for (const key of ['a', 'b', 'c', 'd']) cache.put(key, audio(10))
    cache.get('a')
    cache.put('e', audio(10))
    expect(['a', 'b', 'c', 'd', 'e'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true, true, true])
  })

  it('never holds more bytes than it may, whatever is put there', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat(40))), (puts) => {
        const cache = createAudioCache(5_000)
        return puts.every(([key, packets]) => {
          cache.put(key, audio(packets))
          return cache.sizeBytes() <= 5_000 && cache.sizeBytes() >= 0
        })
      })
    )
  })

  it('does not keep one that would empty the rest', () => {
    const cache = createAudioCache(10_000)
    cache.put('a', audio(5))
    cache.put('huge', audio(45))
    expect([cache.get('a') !== undefined, cache.get('huge')]).toEqual([true, undefined])
  })
})
