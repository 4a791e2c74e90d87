import type { Clock } from '../core/clock.ts'

export interface Buckets {
  /** Takes a token of this key. `firstRefusal` when there was none for the first time since its bucket was full: the moment to tell somebody. */
  take(key: string): { taken: boolean; firstRefusal: boolean }
}

interface Bucket {
  tokens: number
  atMs: number
  told: boolean
}

/** A token bucket for each key: `burst` at once, then one each `refillMs`. The least lately used of more than `keysMax` keys are forgotten. */
export function createBuckets({ clock, burst, refillMs, keysMax = 10_000 }: { clock: Clock; burst: number; refillMs: number; keysMax?: number }): Buckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(key) {
      const nowMs = clock.monotonic()
      const last = buckets.get(key) ?? { tokens: burst, atMs: nowMs, told: false }
      const tokens = Math.min(burst, last.tokens + (nowMs - last.atMs) / refillMs)
      const taken = tokens >= 1
      const told = tokens < burst && last.told
      buckets.delete(key)
      buckets.set(key, { tokens: taken ? tokens - 1 : tokens, atMs: nowMs, told: told || !taken })
      for (const oldest of buckets.keys()) {
        if (buckets.size <= keysMax) break
        buckets.delete(oldest)
      }
      return { taken, firstRefusal: !taken && !told }
    }
  }
}
