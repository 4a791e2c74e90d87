import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { manualClock } from '../../bot/core/manual-clock.ts'
import { sandboxWithBot } from '../test-client.ts'
import type { SandboxWithBot } from '../test-client.ts'
import { createLimits } from './limits.ts'

describe('rate limits', () => {
  const path = '/channels/100000000000000001/messages'

  it('let five messages pass in five seconds, for each channel by itself', async () => {
    const clock = manualClock()
    const limits = createLimits(clock)
    const remaining = Array.from({ length: 5 }, () => limits.check('POST', path, true).headers['X-RateLimit-Remaining'])
    expect(remaining).toEqual(['4', '3', '2', '1', '0'])
    await clock.advance(1_000)
    expect(limits.check('POST', path, true).over).toEqual({ retryAfterSecs: 4, global: false })
    expect(limits.check('POST', '/channels/100000000000000002/messages', true).over).toBeUndefined()
    await clock.advance(4_000)
    expect(limits.check('POST', path, true).over).toBeUndefined()
  })

  it('give one bucket to all messages of a channel, whatever their ids', () => {
    const limits = createLimits(manualClock())
    const bucket = (id: string) => limits.check('PATCH', `${path}/${id}`, true).headers['X-RateLimit-Bucket']
    expect(bucket('100000000000000003')).toBe(bucket('100000000000000004'))
    expect(bucket('100000000000000003')).not.toBe(limits.check('POST', path, true).headers['X-RateLimit-Bucket'])
  })

  it('hold the token to 50 calls a second, but not the callbacks of interactions', () => {
    const limits = createLimits(manualClock())
    const over = Array.from({ length: 51 }, (_, n) => limits.check('GET', `/users/${100000000000000000n + BigInt(n)}/x${n}`, true).over)
    expect(over.filter(Boolean)).toEqual([{ retryAfterSecs: 1, global: true }])
    expect(limits.check('POST', '/interactions/1/t/callback', false).over).toBeUndefined()
  })
})

describe('rate limits and faults, with the real discord.js', () => {
  let bot: SandboxWithBot
  beforeEach(async () => {
    bot = await sandboxWithBot()
  })
  afterEach(() => bot.close())

  const channel = () => {
    const found = bot.client.channels.cache.get(bot.channel('general'))
    if (!found?.isSendable()) throw new Error('no text channel')
    return found
  }

  it('answer a burst of raw calls with 429 and the time to wait', async () => {
    const send = () => bot.api('POST', `/channels/${bot.channel('general')}/messages`, { content: 'x' })
    for (let n = 0; n < 5; n++) expect((await send()).status).toBe(200)
    const response = await send()
    expect(response.status).toBe(429)
    const { retry_after: retryAfter } = (await response.json()) as { retry_after: number }
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(5)
    expect(Number(response.headers.get('retry-after'))).toBeCloseTo(retryAfter, 2)
  })

  it('never meet a client that minds the headers', async () => {
    const limited: string[] = []
    bot.client.rest.on('response', ({ method, path }, { status }) => {
      if (status === 429) limited.push(`${method} ${path}`)
    })
    const sent = await Promise.all(Array.from({ length: 6 }, (_, n) => channel().send(`message ${n}`)))
    expect(sent).toHaveLength(6)
    expect(limited).toEqual([])
    expect(sent[5]!.createdTimestamp - sent[0]!.createdTimestamp).toBeGreaterThan(4_000)
  })

  it('can be forced: the client waits and tries again', async () => {
    bot.sandbox.switches.forced.push({ path: /\/messages$/, status: 429, times: 1, retryAfterSecs: 0.1 }, { path: /\/messages$/, status: 500, times: 1 })
    await channel().send('at last')
    expect(bot.sandbox.switches.forced).toEqual([])
    expect([...bot.sandbox.world.messages.values()].map(({ content }) => content)).toEqual(['at last'])
  })
})
