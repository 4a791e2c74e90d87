import { afterEach, describe, expect, it } from 'vitest'
import { manualClock } from '../bot/core/manual-clock.ts'
import { startAppsScript } from './emulation/start-apps-script.ts'
import type { AppsScript, AppsScriptOptions } from './emulation/start-apps-script.ts'
import { addUse } from './usage.ts'

const HOUR_MS = 3_600_000
const none = { busy: 0, ranMs: 0, heldMs: 0, propertyReads: 0 }

describe('what was used', () => {
  it('begins with the first call, and adds each', () => {
    const first = addUse(undefined, { busy: 0, ranMs: 900, heldMs: 300, propertyReads: 1 }, 1_000)
    expect(first).toEqual({ since: 1_000, calls: 1, busy: 0, ranMs: 900, heldMs: 300, propertyReads: 1 })
    expect(addUse(first, { ...none, busy: 1, ranMs: 100 }, 5_000)).toEqual({ since: 1_000, calls: 2, busy: 1, ranMs: 1_000, heldMs: 300, propertyReads: 1 })
  })

  it('is of the last 12 to 24 hours, at the same rate', () => {
    let usage = addUse(undefined, none, 0)
    for (let minute = 1; minute <= 72 * 60; minute++) {
      usage = addUse(usage, { ...none, heldMs: 600 }, minute * 60_000)
      const elapsedMs = minute * 60_000 - usage.since
      expect(elapsedMs).toBeLessThanOrEqual(24 * HOUR_MS)
      if (minute > 24 * 60) expect(elapsedMs).toBeGreaterThanOrEqual(12 * HOUR_MS)
      expect(Math.abs(usage.heldMs / elapsedMs - 0.01)).toBeLessThan(0.0001)
    }
  })

  it('begins anew when its beginning has not come yet', () => {
    expect(addUse({ since: 9_000, calls: 7, ...none }, none, 1_000)).toEqual({ since: 1_000, calls: 1, ...none })
  })
})

describe('the web app', () => {
  let app: AppsScript
  const clock = manualClock()
  const start = async (options: AppsScriptOptions = {}) => void (app = await startAppsScript({ clock, properties: { REGISTRY_KEY: 'k' }, ...options }))
  afterEach(() => app.close())

  const list = async () => (await (await fetch(`${app.url}?action=list&key=k`)).json()) as { usage?: object; now: number }
  const post = (action: string, body: object) => fetch(`${app.url}?action=${action}`, { method: 'POST', body: JSON.stringify({ key: 'k', ...body }) })
  const node = { serverId: 'n', apiUrl: 'https://n.example' }

  it('tells with its list what all calls have used: those of strangers too, and those that were busy', async () => {
    let isSlow = false
    // As long as Google's flush may take.
    await start({ before: ({ op }) => (isSlow && op === 'flush' ? clock.advance(400) : undefined) })
    const since = clock.now()
    await post('register', node)
    isSlow = true
    await post('heartbeat', node)
    isSlow = false
    await fetch(`${app.url}?action=list&key=wrong`)
    app.failLock(1)
    await post('heartbeat', node)
    expect(await list()).toMatchObject({ usage: { since, calls: 5, busy: 1, ranMs: 400, heldMs: 400, propertyReads: 1 } })
    expect(await (await post('presence', { devices: [] })).json()).not.toHaveProperty('usage')
  })

  it('answers all the same when the count is no count', async () => {
    await start()
    await list()
    for (const [index, kept] of ['', '{', '{"calls":-1}', 'null'].entries()) {
      app.cache.put('usage', kept, 60)
      expect([index, await list()]).toMatchObject([index, { ok: true, usage: { calls: 1 } }])
    }
  })
})
