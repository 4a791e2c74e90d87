import type { AudioCache } from '../audio/cache.ts'
import type { OpusStream } from '../audio/ogg.ts'
import { VoxError } from '../core/errors.ts'
import type { Metrics } from '../core/metrics.ts'
import type { SpeechRequest } from '../wire/node.ts'
import type { Relay } from './relay.ts'

/** A synthesis under way, and how many wait for it. */
interface UnderWay {
  audio: Promise<OpusStream>
  waiting: number
  abort: AbortController
}

/**
 * A relay that says nothing twice: what was said lately comes from the cache, and equal requests under way at once share one synthesis. It is
 * aborted when the last of those who wait for it has gone.
 */
export function cachedRelay(relay: Relay, cache: AudioCache, metrics: Metrics): Relay {
  const underWay = new Map<string, UnderWay>()

  function start(key: string, ask: SpeechRequest, options: Parameters<Relay>[1]): UnderWay {
    const abort = new AbortController()
    const audio = relay(ask, { ...options, signal: abort.signal })
    const entry: UnderWay = { audio, waiting: 0, abort }
    underWay.set(key, entry)
    const forget = () => {
      if (underWay.get(key) === entry) underWay.delete(key)
    }
    audio.then((stream) => cache.put(key, stream)).then(forget, forget)
    return entry
  }

  return async (ask, options) => {
    const key = keyOf(ask)
    const kept = cache.get(key)
    if (kept !== undefined) {
      metrics.cache.inc({ result: 'hit' })
      return kept
    }
    const shared = underWay.get(key)
    metrics.cache.inc({ result: shared === undefined ? 'miss' : 'shared' })
    const entry = shared ?? start(key, ask, options)
    entry.waiting += 1
    const leave = () => {
      entry.waiting -= 1
      if (entry.waiting > 0) return
      // Whoever asks from now on must not join what is being given up.
      if (underWay.get(key) === entry) underWay.delete(key)
      entry.abort.abort(new VoxError('CANCELLED'))
    }
    return untilAborted(entry.audio, options.signal, leave)
  }
}

/** All that shapes the audio. */
function keyOf({ input, voice, speed, pitch, volume, language, model }: SpeechRequest): string {
  return JSON.stringify([voice, speed, pitch ?? 0, volume ?? 1, language ?? '', model, input])
}

/** The promise's result, or the signal's reason as soon as it aborts; then `leave` is called, once. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, leave: () => void): Promise<T> {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      leave()
      reject(signal.reason instanceof Error ? signal.reason : new VoxError('CANCELLED'))
    }
    if (signal.aborted) {
      onAbort()
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
