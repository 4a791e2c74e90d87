import type { Clock } from '../../bot/core/clock.ts'

interface Window {
  used: number
  resetAtMs: number
}

export interface Checked {
  headers: Record<string, string>
  /** Set when the call may not pass. */
  over?: { retryAfterSecs: number; global: boolean }
}

/** The limits that bots of this size meet: `limit` calls per `perMs` for each channel, guild or webhook. */
const LIMITS: readonly { method: string; path: RegExp; limit: number; perMs: number }[] = [
  { method: 'POST', path: /^\/channels\/[^/]+\/messages$/, limit: 5, perMs: 5_000 },
  { method: 'PATCH', path: /^\/channels\/[^/]+\/messages\/[^/]+$/, limit: 5, perMs: 5_000 },
  { method: 'DELETE', path: /^\/channels\/[^/]+\/messages\/[^/]+$/, limit: 5, perMs: 1_000 },
  { method: '*', path: /^\/webhooks\//, limit: 5, perMs: 2_000 },
  { method: 'PUT', path: /^\/applications\/[^/]+(?:\/guilds\/[^/]+)?\/commands$/, limit: 5, perMs: 20_000 },
  { method: '*', path: /^\/users\/@me\/channels$/, limit: 10, perMs: 10_000 }
]
const REST_OF_ROUTES = { limit: 50, perMs: 1_000 }

/** All calls with the bot's token together. */
const GLOBAL = { limit: 50, perMs: 1_000 }
const BUCKETS_MAX = 5_000

/** The route with its ids cut out, but for the one that has limits of its own: channel, guild, webhook. */
export function bucketOf(method: string, path: string): { hash: string; major: string } {
  const major = /^\/(?:channels|guilds)\/(\d+)/.exec(path)?.[1] ?? /^\/webhooks\/(\d+\/[^/]+)/.exec(path)?.[1] ?? ''
  const route = path.replace(/^\/webhooks\/\d+\/[^/]+/, '/webhooks/:id/:token').replaceAll(/\/\d{15,20}/g, '/:id')
  return { hash: Buffer.from(`${method} ${route}`).toString('hex').slice(-32), major }
}

/** Counts calls in windows that start with their first call, as Discord's buckets do. */
export function createLimits(clock: Clock) {
  const windows = new Map<string, Window>()

  function take(key: string, { limit, perMs }: { limit: number; perMs: number }) {
    const nowMs = clock.monotonic()
    let window = windows.get(key)
    if (!window || window.resetAtMs <= nowMs) {
      window = { used: 0, resetAtMs: nowMs + perMs }
      windows.delete(key)
      windows.set(key, window)
      for (const [oldest] of windows) {
        if (windows.size <= BUCKETS_MAX) break
        windows.delete(oldest)
      }
    }
    const over = window.used >= limit
    if (!over) window.used++
    return { over, remaining: limit - window.used, resetAfterSecs: Math.max(0.001, (window.resetAtMs - nowMs) / 1000) }
  }

  return {
    /** Whether a call may pass, and the headers that tell its sender. Callbacks of interactions have no limit. */
    check(method: string, path: string, withToken: boolean): Checked {
      if (path.startsWith('/interactions/')) return { headers: {} }
      const { hash, major } = bucketOf(method, path)
      const rule = LIMITS.find((row) => (row.method === '*' || row.method === method) && row.path.test(path)) ?? REST_OF_ROUTES
      const { over, remaining, resetAfterSecs } = take(`${hash}:${major}`, rule)
      const headers = {
        'X-RateLimit-Limit': String(rule.limit),
        'X-RateLimit-Remaining': String(remaining),
        'X-RateLimit-Reset': (clock.now() / 1000 + resetAfterSecs).toFixed(3),
        'X-RateLimit-Reset-After': resetAfterSecs.toFixed(3),
        'X-RateLimit-Bucket': hash
      }
      if (over) return { headers, over: { retryAfterSecs: resetAfterSecs, global: false } }
      const all = withToken ? take('global', GLOBAL) : undefined
      return all?.over ? { headers: {}, over: { retryAfterSecs: all.resetAfterSecs, global: true } } : { headers }
    }
  }
}
